"""What an annotation asks for: reads the objects that annotations are into the arguments that they describe.

    Annotated[np.ndarray, spec("b 4")]        Float[np.ndarray, "b 4"]        NDArray[np.float32]
    np.ndarray[tuple[int, int], np.dtype[np.float64]]        tuple[Matrix, ...]        a data class of such

jaxtyping is known by the attributes of the user's own objects and is never imported here.  What describes no NumPy
array becomes a guess, which an example of the user's own would replace; nothing here raises.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np

from .dimensions import Dimension, Shape, parse
from .specs import OpenSpec, Spec, words


@dataclass(frozen=True, slots=True)
class Array:
    """An array; `shape` is None where nothing tells its rank."""

    shape: Shape | None
    dtype: np.dtype[Any]
    where: str
    """Where it is annotated, and where in there: `f.image`, `f.pair[0]`."""


@dataclass(frozen=True, slots=True)
class Built:
    """A display or call around other arguments: `(a, b)`, `Params(w=a)`."""

    opening: str
    parts: tuple[tuple[str, Wanted], ...]
    """Each with what is written before it: `w=`, `"a": `."""
    closing: str


@dataclass(frozen=True, slots=True)
class Guess:
    """A value that is no array: what an example could begin with, or the parameter's own name where nothing fits."""

    text: str


Wanted = Array | Built | Guess


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known while an annotation is read."""

    module: ModuleType
    space: Mapping[str, Any]
    """The names that an annotation in quotes sees."""
    where: str
    """The function or class and the parameter or field in it: `f.image`."""
    ranks: Mapping[str, int]
    """Numbers of dimensions that the user told: by `f.image`, by `image`, or for all by `*`."""
    depth: int = 0

    def part(self, step: str) -> Reading:
        return replace(self, where=f"{self.where}{step}", depth=self.depth + 1)


_DEEPEST = 8
"""Annotations may contain themselves."""


def read(annotation: Any, at: Reading) -> Wanted:
    """What an annotation asks for."""
    if at.depth > _DEEPEST:
        return _unknown(at)
    try:
        kind = resolved(annotation, at)
        found = (reader(kind, at) for reader in _READERS)
        return next((one for one in found if one is not None), _unknown(at))
    except Exception:  # noqa: BLE001  # an annotation may be any object, with attributes that raise
        return _unknown(at)


def arrays(wanted: Wanted) -> Iterator[Array]:
    """The arrays in what is wanted, in the order of its text."""
    if isinstance(wanted, Array):
        yield wanted
    elif isinstance(wanted, Built):
        for _, part in wanted.parts:
            yield from arrays(part)


def guesses(wanted: Wanted) -> bool:
    """Whether something in it is not told by the annotation."""
    return isinstance(wanted, Guess) or (isinstance(wanted, Built) and any(guesses(part) for _, part in wanted.parts))


def _unknown(at: Reading) -> Guess:
    return Guess(_last(at.where))


def _last(where: str) -> str:
    """The parameter's name in `f.image`, in `f.pair[0]`."""
    return where.partition("[")[0].rpartition(".")[2]


# ---- names for annotations -------------------------------------------------------------------------


def resolved(annotation: Any, at: Reading) -> Any:
    """The annotation behind quotes, `type` statements, `NewType`, `TypeVar` and qualifiers.  May raise."""
    for _ in range(_DEEPEST):
        annotation = annotation.__forward_arg__ if isinstance(annotation, typing.ForwardRef) else annotation
        origin = typing.get_origin(annotation)
        if isinstance(annotation, str):
            annotation = _evaluated(annotation, at.space)
        elif type(annotation).__name__ == "TypeAliasType" or type(origin).__name__ == "TypeAliasType":
            annotation = annotation.__value__ if origin is None else _substituted(origin, typing.get_args(annotation))
        elif hasattr(annotation, "__supertype__"):
            annotation = annotation.__supertype__
        elif isinstance(annotation, typing.TypeVar):
            annotation = typing.Union[annotation.__constraints__ or annotation.__bound__]  # noqa: UP007  # of a tuple
        elif isinstance(annotation, dataclasses.InitVar):
            annotation = annotation.type
        elif origin in (typing.Final, typing.ClassVar):
            annotation = typing.get_args(annotation)[0]
        else:
            break
    return annotation


def _substituted(alias: Any, given: tuple[Any, ...]) -> Any:
    """What a `type` statement says of these arguments: from NumPy 2.5 on, `NDArray[np.float32]` is one."""
    told = dict(zip(alias.__type_params__, given, strict=False))
    value = alias.__value__
    open_ones = getattr(value, "__parameters__", ())
    return value[tuple(told.get(each, each) for each in open_ones)] if open_ones else value


def _evaluated(text: str, space: Mapping[str, Any]) -> Any:
    """An annotation in quotes; names that are imported for type checkers only are those that they usually are."""
    try:
        return eval(text, dict(space))
    except NameError:
        import numpy.typing as npt

        usual = {"np": np, "numpy": np, "npt": npt, "NDArray": npt.NDArray, "ArrayLike": npt.ArrayLike}
        return eval(text, {**vars(typing), **usual, **space})


# ---- arrays ----------------------------------------------------------------------------------------


def _with_spec(kind: Any, at: Reading) -> Wanted | None:
    """`Annotated[type, spec(…)]`; other metadata says nothing."""
    if not hasattr(kind, "__metadata__"):
        return None
    base = read(kind.__origin__, at)
    given = next((each for each in kind.__metadata__ if isinstance(each, (Spec, OpenSpec))), None)
    if given is None or not isinstance(base, Array):
        return base
    return Array(_spec_shape(given), base.dtype if given.dtype == np.float64 else given.dtype, at.where)


def _spec_shape(given: Spec | OpenSpec) -> Shape:
    if isinstance(given, Spec):
        return tuple(Dimension(name, size) for name, size in zip(given.names, given.shape, strict=True))
    return tuple(
        Dimension(size=int(word)) if word.isdigit() else Dimension(word, given.sizes.get(word))
        for word in words(given.text)
    )


def _jaxtyping(kind: Any, at: Reading) -> Wanted | None:
    """`Float[np.ndarray, "b 4"]`; of the types that are not for NumPy, nothing."""
    if not _is_jaxtyping(kind):
        return None
    allowed = kind.dtypes
    listed = isinstance(allowed, (tuple, list))
    dtype = preferred(lambda one: not listed or any(_says(each, one.type.__name__) for each in allowed))
    if dtype is None or not (kind.array_type is Any or issubclass(np.ndarray, kind.array_type)):
        return _unknown(at)
    return Array(parse(kind.dim_str), dtype, at.where)


def _is_jaxtyping(kind: Any) -> bool:
    return isinstance(kind, type) and all(hasattr(kind, name) for name in ("array_type", "dim_str", "dtypes"))


def _says(allowed: Any, name: str) -> bool:
    """Whether a dtype's name is the one allowed, or fits the pattern."""
    return bool(allowed == name if isinstance(allowed, str) else allowed.match(name))


def _ndarray(kind: Any, at: Reading) -> Wanted | None:
    """`np.ndarray`, with or without shape and dtype, and what `ArrayLike` is a union of."""
    origin, given = typing.get_origin(kind), typing.get_args(kind)
    if kind is np.ndarray:
        return _of_rank(None, np.dtype("float64"), at)
    if getattr(origin, "__name__", "") == "_SupportsArray":
        given = (Any, *given)
    elif origin is not np.ndarray:
        return None
    dtype = _dtype(given[1], at) if len(given) > 1 else np.dtype("float64")
    return _of_rank(_shape(given[0], at), dtype, at) if dtype is not None else _unknown(at)


def _of_rank(shape: Shape | None, dtype: np.dtype[Any], at: Reading) -> Array:
    """An array with the shape that its annotation or the settings tell."""
    names = (at.where.partition("[")[0], _last(at.where), "*")
    rank = next((at.ranks[name] for name in names if name in at.ranks), None)
    if shape is None and rank is not None:
        shape = (Dimension(),) * rank
    return Array(shape, dtype, at.where)


def _shape(kind: Any, at: Reading) -> Shape | None:
    """The shape that `tuple[int, int]` tells, None where the rank is open."""
    kind = kind if isinstance(kind, typing.TypeVar) else resolved(kind, at)
    axes = typing.get_args(kind)
    if typing.get_origin(kind) is not tuple or Ellipsis in axes:
        return None
    return tuple(_axis(axis) for axis in axes if axis != ())


def _axis(axis: Any) -> Dimension:
    """One axis: `int`, `Literal[3]`, or a type variable or new type, whose name it then has."""
    sizes = typing.get_args(axis)
    if sizes and isinstance(sizes[0], int):
        return Dimension(size=sizes[0])
    named = isinstance(axis, typing.TypeVar) or hasattr(axis, "__supertype__")
    return Dimension(name=axis.__name__) if named else Dimension()


def _dtype(kind: Any, at: Reading) -> np.dtype[Any] | None:
    """The dtype of `np.dtype[np.float32]`; of abstract types and unions the one NumPy would choose."""
    kind = resolved(kind, at)
    if kind is np.dtype:
        return np.dtype("float64")
    if typing.get_origin(kind) is np.dtype:
        kind = resolved(typing.get_args(kind)[0], at)
    allowed = [resolved(each, at) for each in _members(kind)]
    allowed = [typing.get_origin(each) or each for each in allowed]
    if any(each is Any for each in allowed):
        return np.dtype("float64")
    classes = tuple(each for each in allowed if isinstance(each, type))
    found = preferred(lambda one: issubclass(one.type, classes))
    if found is None and len(classes) == 1:
        found = np.dtype(classes[0])
    return found if found is not None and found.kind in "biufc" else None


_PREFERRED = tuple(
    np.dtype(name)
    for name in (
        "float64", "int64", "bool", "complex128", "uint64", "float32", "int32", "complex64",
        "float16", "int16", "int8", "uint32", "uint16", "uint8", "longdouble", "clongdouble",
    )
)  # fmt: skip
"""NumPy's own choices for Python's numbers first."""


def preferred(fits: Callable[[np.dtype[Any]], bool]) -> np.dtype[Any] | None:
    """The first dtype that fits."""
    return next((dtype for dtype in _PREFERRED if fits(dtype)), None)


# ---- containers ------------------------------------------------------------------------------------


def _members(kind: Any) -> tuple[Any, ...]:
    """The members of a union, and of anything else itself."""
    union = typing.get_origin(kind) in (typing.Union, types.UnionType)
    return typing.get_args(kind) if union else (kind,)


def _union(kind: Any, at: Reading) -> Wanted | None:
    """The first member with an array; None stands in a union for what may be left out."""
    members = [each for each in _members(kind) if each is not type(None)]
    if len(_members(kind)) < 2 or not members:
        return None
    choices = [read(each, replace(at, depth=at.depth + 1)) for each in members]
    return next((each for each in choices if any(arrays(each))), choices[0])


def _container(kind: Any, at: Reading) -> Wanted | None:
    """Tuples, lists and dictionaries; of those of any length two items."""
    origin, items = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and items:
        parts = [read(items[0], at.part("[0]"))] * 2 if Ellipsis in items else _each(items, at)
        return Built("(", tuple(("", part) for part in parts), ",)" if len(parts) == 1 else ")")
    if origin in _SEQUENCES and items:
        return Built("[", (("", read(items[0], at.part("[0]"))),) * 2, "]")
    if origin in _MAPPINGS and len(items) == 2 and items[0] in _KEYS:
        value = read(items[1], at.part("[0]"))
        return Built("{", tuple((f"{key}: ", value) for key in _KEYS[items[0]]), "}")
    return None


def _each(items: tuple[Any, ...], at: Reading) -> list[Wanted]:
    return [read(item, at.part(f"[{number}]")) for number, item in enumerate(items)]


_SEQUENCES = (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_KEYS = {str: ('"a"', '"b"'), int: ("0", "1")}


def _record(kind: Any, at: Reading) -> Wanted | None:
    """Data classes, named tuples and typed dictionaries, with all that they need."""
    if typing.is_typeddict(kind):
        hints = typing.get_type_hints(kind, include_extras=True).items()
        needed = [(key, read(each, at.part(f"[{key!r}]"))) for key, each in hints if key in kind.__required_keys__]
        return Built("{", tuple((f'"{key}": ', value) for key, value in needed), "}")
    if not isinstance(kind, type) or typing.get_origin(kind) is not None:
        return None
    annotated = dataclasses.is_dataclass(kind) or hasattr(kind, "_field_defaults")
    name = reachable(kind, at.module)
    return made(kind, name, at) if annotated and name is not None else None


def made(kind: type, name: str, at: Reading) -> Built:
    """The call that makes an object of a class, of what it needs.  Raises TypeError, ValueError."""
    space = {**vars(typing.cast(Any, inspect.getmodule(kind) or at.module)), **vars(kind)}
    fields = {f.name: f.type for f in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else {}
    inner = replace(at, space=space, depth=at.depth + 1)
    parts = [
        (f"{p.name}=", read(fields.get(p.name, p.annotation), replace(inner, where=f"{kind.__qualname__}.{p.name}")))
        for p in inspect.signature(kind).parameters.values()
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    return Built(f"{name}(", tuple(parts), ")")


def reachable(kind: type, module: ModuleType) -> str | None:
    """How a module's own names reach a class, or None."""
    found: Any = module
    for step in kind.__qualname__.split("."):
        found = getattr(found, step, None)
    if found is kind:
        return str(kind.__qualname__)
    names: dict[str, Any] = vars(module)
    return next((name for name, value in names.items() if value is kind), None)


# ---- everything else -------------------------------------------------------------------------------


def _plain(kind: Any, at: Reading) -> Wanted | None:
    """Numbers, literals and members of enumerations: a value to begin with."""
    if kind in _NUMBERS:
        return Guess(_NUMBERS[kind])
    if typing.get_origin(kind) is typing.Literal:
        return Guess(repr(typing.get_args(kind)[0]))
    if isinstance(kind, type) and issubclass(kind, enum.Enum) and len(kind):
        name = reachable(kind, at.module)
        return Guess(f"{name}.{next(iter(kind)).name}") if name is not None else None
    return None


_NUMBERS: dict[Any, str] = {bool: "True", int: "2", float: "0.5", complex: "1j"}

_READERS: tuple[Callable[[Any, Reading], Wanted | None], ...] = (
    _with_spec, _union, _jaxtyping, _ndarray, _container, _record, _plain,
)  # fmt: skip
