"""Other arguments like an example's: small, readable, and each with its text for a Python prompt."""

from __future__ import annotations

import ast
import functools
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeVar, cast

import numpy as np

from . import libraries
from .specs import Spec
from .trees import Path, children, is_container, is_record, leaves, map_leaves

VARIANTS = ("ramp", "negative", "mixed", "zeros")
_SMALL = 16
_LONG = 120
"""Characters of an array that nobody reads."""
_LONGEST = 64
"""No size is tried that is larger."""


@dataclass(frozen=True, slots=True, eq=False)
class Perturbation:
    """New values for leaves of an example; `kind` is what was varied, in the words of the verdict."""

    kind: str
    leaves: Mapping[Path, Any] = field(default_factory=dict)
    path: Path | None = None
    """The one argument that was varied, where it was one."""


def arrays_of(example: Mapping[str, Any]) -> dict[Path, np.ndarray[Any, Any]]:
    """The array leaves of bound arguments, by path."""
    found: dict[Path, np.ndarray[Any, Any]] = {}
    for name, value in example.items():
        for leaf, path in leaves(value, (name,)):
            library = libraries.of(leaf)
            if isinstance(leaf, np.ndarray):
                found[path] = leaf
            elif library is not None:
                found[path] = library.array(leaf)
    return found


_Rule = TypeVar("_Rule", bound=Callable[..., Iterator[Perturbation]])


def _for_tensors(rule: _Rule) -> _Rule:
    """Let a rule that makes arrays serve examples with tensors, too: arrays in their places become tensors."""

    @functools.wraps(rule)
    def made(example: Mapping[str, Any], *args: Any) -> Iterator[Perturbation]:
        given = {p: v for name, value in example.items() for v, p in leaves(value, (name,)) if libraries.of(v)}
        for each in rule(example, *args):
            if not given or not each.leaves.keys() & given.keys():
                yield each
                continue
            kept: dict[int, Any] = {}
            swapped = {p: _as_tensor(given[p], v, kept) if p in given else v for p, v in each.leaves.items()}
            yield replace(each, leaves=swapped)

    return cast(_Rule, made)


def _as_tensor(tensor: Any, array: Any, kept: dict[int, Any]) -> Any:
    library = libraries.of(tensor)
    assert library is not None
    if id(array) not in kept:
        own = library.array(tensor).dtype
        kept[id(array)] = library.like(tensor, array, None if array.dtype == own else array.dtype)
    return kept[id(array)]


def standing_in(tree: Any) -> Any:
    """Arguments with an array of simple contents for each abstract one.

    Raises MemoryError where one is too large to stand for.
    """

    def array(leaf: Any, _: Path) -> Any:
        if not isinstance(leaf, Spec):
            return leaf
        library = libraries.current() if libraries.is_object(leaf.dtype) else None
        zero = np.zeros((), leaf.dtype) if library is None else library.zero(leaf.dtype)
        made = filled(leaf.shape, (zero if library is None else library.array(zero)).dtype, "mixed")
        if made is None:
            raise MemoryError(f"no array of {leaf.shape} {leaf.dtype} is made to try")
        return made if library is None else library.like(zero, made)

    return map_leaves(tree, array)


def choices_of(example: Mapping[str, Any]) -> dict[Path, Any]:
    """The numbers, truth values, strings and members of enumerations among bound arguments, by path."""
    kinds = (bool, int, float, complex, str)
    given = ((v, p) for name, value in example.items() for v, p in leaves(value, (name,)))
    return {p: v for v, p in given if type(v) in kinds or isinstance(v, Enum)}


@_for_tensors
def contents(example: Mapping[str, Any]) -> Iterator[Perturbation]:
    """Other contents, the same shapes and dtypes."""
    arrays = arrays_of(example)
    for variant in VARIANTS:
        made = {p: filled(a.shape, a.dtype, variant) for p, a in arrays.items()}
        made = {p: a for p, a in made.items() if a is not None}
        if made:
            yield Perturbation("values", made)


@_for_tensors
def thresholds(example: Mapping[str, Any], numbers: Iterable[Any]) -> Iterator[Perturbation]:
    """Contents at and on both sides of the numbers that conditions compare with."""
    arrays = arrays_of(example)
    for number in list(dict.fromkeys(numbers))[:8]:
        for near in (number + 1, number - 1, number):
            made = {p: np.full(a.shape, near, a.dtype) for p, a in arrays.items() if a.dtype.kind in "if"}
            if made:
                yield Perturbation("values", made)


@_for_tensors
def sizes(example: Mapping[str, Any]) -> Iterator[Perturbation]:
    """Other sizes: all axes of one size change together, since they may have to agree."""
    arrays = arrays_of(example)
    distinct = list(dict.fromkeys(s for a in arrays.values() for s in a.shape))
    for size in distinct[:4]:
        near = [size - 1, size + 1] if size else [1, 2]
        for other in dict.fromkeys([*near, *range(1, 9), 0]):
            if other in (size, -1):
                continue
            for variant in ("ramp", "mixed"):
                made = _resized(arrays, {size: other}, variant)
                if made:
                    yield Perturbation("sizes", made)


@_for_tensors
def limits(example: Mapping[str, Any], numbers: Iterable[Any]) -> Iterator[Perturbation]:
    """Sizes at and on both sides of the numbers that conditions compare with."""
    arrays = arrays_of(example)
    distinct = list(dict.fromkeys(s for a in arrays.values() for s in a.shape))
    wanted = dict.fromkeys(int(n) + d for n in numbers for d in (1, -1, 0) if n == int(n) and 0 < n <= _LONGEST)
    for size, other in itertools.product(distinct[:4], list(wanted)[:12]):
        made = _resized(arrays, {size: other}, "ramp") if size != other else None
        if made:
            yield Perturbation("sizes", made)


@_for_tensors
def smaller(example: Mapping[str, Any]) -> Iterator[Perturbation]:
    """The example's own ranks with the smallest distinct sizes: for witnesses that can be read."""
    arrays = arrays_of(example)
    distinct = sorted({s for a in arrays.values() for s in a.shape if s > 3})
    taken = {s for a in arrays.values() for s in a.shape if s <= 3}
    free = [n for n in range(2, 12) if n not in taken]
    mapping = dict(zip(distinct, free, strict=False))
    if mapping and any(a.size > 8 for a in arrays.values()):
        for variant in VARIANTS:
            made = _resized(arrays, mapping, variant)
            if made:
                yield Perturbation("values and sizes", made)


@_for_tensors
def dtypes(example: Mapping[str, Any]) -> Iterator[Perturbation]:
    """Other dtypes of numbers, of all arrays together and of each alone."""
    arrays = arrays_of(example)
    for mapping in _OTHER_DTYPES:
        made = {p: a.astype(mapping[a.dtype.str[1:]]) for p, a in arrays.items() if a.dtype.str[1:] in mapping}
        if made:
            yield Perturbation("dtype", made)
        for path in made if len(made) > 1 else ():
            yield Perturbation("dtype", {path: made[path]})


_OTHER_DTYPES = (
    {"f8": "f4", "f4": "f8", "i8": "i4", "i4": "i8", "c16": "c8", "c8": "c16", "f2": "f4"},
    {"f8": "i8", "f4": "i8", "i8": "f8", "i4": "f8", "b1": "i8"},
    {"f8": "f2", "f4": "f2"},
)


def arguments(example: Mapping[str, Any]) -> Iterator[Perturbation]:
    """Other numbers, strings and the like, one argument at a time."""
    for path, value in choices_of(example).items():
        for other in other_values(value)[:2]:
            yield Perturbation("arguments", {path: other}, path)


@_for_tensors
def odd_ones(example: Mapping[str, Any]) -> Iterator[Perturbation]:
    """NaNs; two arrays exchanged; one array's contents or size changed alone; no elements; one axis more.

    Where one has another shape, the others have simple contents: ones would hide what they are multiplied with.
    """
    arrays = arrays_of(example)
    nans = {p: np.full(a.shape, np.nan, a.dtype) for p, a in arrays.items() if a.dtype.kind == "f"}
    if nans:
        yield Perturbation("values", nans)
    paths = list(arrays)
    for first, second in itertools.pairwise(paths):
        if arrays[first].shape == arrays[second].shape and arrays[first].dtype == arrays[second].dtype:
            yield Perturbation("values", {first: arrays[second].copy(), second: arrays[first].copy()})
    plain = {p: made for p, a in arrays.items() if (made := filled(a.shape, a.dtype, "ramp")) is not None}
    for path, array in arrays.items():
        made = filled(array.shape, array.dtype, "negative") if len(arrays) > 1 else None
        if made is not None:
            yield Perturbation("values", {path: made})
        for shape in ((2, *array.shape), (0, *array.shape[1:]), (*array.shape[:-1], sum(array.shape[-1:]) + 1)):
            made = filled(shape, array.dtype, "ramp") if array.ndim else None
            if made is not None and made.shape != array.shape:
                yield Perturbation("sizes", {**plain, path: made})


@_for_tensors
def magnitudes(example: Mapping[str, Any]) -> Iterator[Perturbation]:
    """Contents of other orders of magnitude, for conditions on how large something made of them is.

    Full arrays of one sign and the other, by turns: their differences are large, too.  Then the example's own, scaled.
    """
    arrays = {p: a for p, a in arrays_of(example).items() if a.dtype.kind == "f"}
    factors = (10, 100, 1000) if arrays else ()
    for factor in factors:
        signs = itertools.cycle((1, -1))
        yield Perturbation("values", {p: np.full(a.shape, next(signs) * factor, a.dtype) for p, a in arrays.items()})
    for factor in factors:
        yield Perturbation("values", {p: a * a.dtype.type(factor) for p, a in arrays.items()})


@_for_tensors
def aliased(example: Mapping[str, Any]) -> Iterator[Perturbation]:
    """The same array given twice, where two have the same shape and dtype."""
    known: dict[tuple[Any, ...], Path] = {}
    arrays = arrays_of(example)
    for path, array in arrays.items():
        first = known.setdefault((array.shape, array.dtype.str), path)
        if first is not path:
            shared = arrays[first].copy()
            yield Perturbation("aliasing", {first: shared, path: shared})
            return


def other_values(value: Any) -> list[Any]:
    """Values near a number, string, member of an enumeration or array that a program might treat differently."""
    kind: Any = type(value)
    if isinstance(value, Enum):
        return [other for other in kind if other is not value]
    if isinstance(value, (bool, np.bool_)):
        return [not value]
    if isinstance(value, (int, np.integer)):
        return [kind(value + 1), kind(0) if value else kind(2)]
    if isinstance(value, (float, complex, np.inexact)):
        return [kind(value + 1), kind(-value) if value else kind(2)]
    if isinstance(value, str):
        return [value + "_"]
    library = libraries.of(value)
    if library is not None:
        return [library.like(value, array) for array in other_values(library.array(value))]
    if isinstance(value, np.ndarray) and value.dtype.kind in "iufc":
        return [value + np.ones((), value.dtype)]
    if isinstance(value, np.ndarray) and value.dtype.kind == "b":
        return [~value]
    return []


def changed_text(name: str, value: Any, other: Any) -> str:
    """The text of `other`, which `other_values` made of a hidden input: of a large array, in terms of what it was."""
    text = text_of(other)
    if len(text) <= _LONG or not libraries.is_array(value) or not _is_expression(name):
        return text
    return f"~{name}" if str(value.dtype).endswith("bool") else f"{name} + 1"


def _is_expression(name: str) -> bool:
    try:
        ast.parse(name, mode="eval")
    except SyntaxError:
        return False
    return True


def _resized(arrays: Mapping[Path, np.ndarray[Any, Any]], mapping: Mapping[int, int], variant: str) -> dict[Path, Any]:
    made: dict[Path, Any] = {}
    for path, array in arrays.items():
        new = filled(tuple(mapping.get(s, s) for s in array.shape), array.dtype, variant)
        if new is None:
            return {}
        made[path] = new
    return made


def filled(shape: tuple[int, ...], dtype: np.dtype[Any], variant: str) -> Any:
    """Simple contents: 1, 2, 3, …; their negatives; 1, -2, 3, …; zeros.  None for dtypes with no numbers."""
    count = int(np.prod(shape, dtype=np.int64))
    if dtype.kind not in "biufc" or count > 1_000_000:
        return None
    ramp = np.arange(1, count + 1)
    if dtype.kind == "b":
        plain = {"ramp": ramp % 2 == 1, "negative": ramp % 2 == 0, "mixed": ramp > 0, "zeros": ramp < 0}[variant]
        return plain.reshape(shape)
    signs: Any = {"ramp": 1, "negative": -1, "mixed": np.where(ramp % 2 == 1, 1, -1), "zeros": 0}[variant]
    if dtype.kind in "iu":
        ramp = ramp % 100 if dtype.itemsize == 1 else ramp
        signs = np.abs(signs) if dtype.kind == "u" else signs
    return (ramp * signs).astype(dtype).reshape(shape)


# ---- text ------------------------------------------------------------------------------------------


def text_of(value: Any) -> str:
    """A leaf as Python that makes it again; large arrays by a rule where they follow one."""
    library = libraries.of(value)
    if library is not None:
        return library.text(value)
    if isinstance(value, np.ndarray):
        return _array_text(value)
    if isinstance(value, Enum) and value.name is not None:
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, np.generic):
        return f"np.{type(value).__name__}({_number_text(value.item())})"
    return _number_text(value) if isinstance(value, float) else repr(value)


def _number_text(value: Any) -> str:
    """A number as Python that makes it again, where NumPy is `np`."""
    return _NO_NUMBER.sub(r"np.\1", repr(value)) if isinstance(value, float) else repr(value)


_NO_NUMBER = re.compile(r"\b(nan|inf)\b")


def _array_text(array: np.ndarray[Any, Any]) -> str:
    default = {"f": "float64", "i": "int64", "b": "bool", "c": "complex128"}.get(array.dtype.kind)
    kind = "" if array.dtype.name == default else f", dtype=np.{array.dtype.name}"
    if array.size and array.size <= _SMALL:
        return f"np.array({_short_list(array)}{kind})"
    shape = f"{array.shape[0]}" if array.ndim == 1 else f"{array.shape}"
    if not array.size or not array.any():
        return f"np.zeros({shape}{kind})"
    first = array.flat[0]
    if (array == first).all():
        return f"np.full({shape}, {_number_text(first.item())}{kind})"
    for variant in VARIANTS[:2]:
        if array.dtype.kind in "if" and np.array_equal(filled(array.shape, array.dtype, variant), array):
            sign, dot = ("-" if variant == "negative" else ""), ("." if array.dtype.kind == "f" else "")
            reshaped = "" if array.ndim == 1 else f".reshape{array.shape}"
            return f"{sign}np.arange(1{dot}, {array.size + 1}{dot}{kind}){reshaped}"
    return f"np.array({_short_list(array)}{kind})"


def _short_list(array: np.ndarray[Any, Any]) -> str:
    """Nested lists with floats in their shortest form (`1.` for `1.0`)."""
    if array.ndim == 0:
        text = _number_text(array.item())
        return text[:-1] if text.endswith(".0") else text
    return "[" + ", ".join(_short_list(np.asarray(row)) for row in array) + "]"


def argument_texts(
    example: Mapping[str, Any], changed: Mapping[Path, Any], written: Mapping[str, str]
) -> dict[str, str]:
    """Each parameter's text: as written where nothing in it changed, else made from its new leaves."""
    texts: dict[str, str] = {}
    for name, value in example.items():
        inside = {p: v for p, v in changed.items() if p[0] == name}
        if not inside:
            texts[name] = written.get(name) or _tree_text(value)
        elif (name,) in inside:
            texts[name] = text_of(inside[name,])
        else:
            texts[name] = _tree_text(value, inside, (name,))
    return texts


def _tree_text(value: Any, changed: Mapping[Path, Any] | None = None, path: Path = ()) -> str:
    changed = changed or {}
    if path in changed:
        return text_of(changed[path])
    if not is_container(value):
        return text_of(value)
    parts = [(step, _tree_text(child, changed, (*path, step))) for step, child in children(value)]
    if isinstance(value, dict):
        items = "{" + ", ".join(f"{k!r}: {t}" for k, t in parts) + "}"
        return items if type(value) is dict else f"{type(value).__name__}({items})"
    if is_record(value):
        return f"{type(value).__name__}({', '.join(f'{k}={t}' for k, t in parts)})"
    if hasattr(value, "_fields"):
        return f"{type(value).__name__}({', '.join(t for _, t in parts)})"
    inside = ", ".join(t for _, t in parts)
    if isinstance(value, tuple):
        return f"({inside},)" if len(parts) == 1 else f"({inside})"
    return f"[{inside}]" if type(value) is list else f"{type(value).__name__}([{inside}])"
