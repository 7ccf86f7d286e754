"""Examples that come from annotations alone, for functions without an example of their own.

A function gets one where each parameter has a default or an annotation that tells all of an array (`annotations`
reads them); a method, where its object can be made too.  Where only a rank or a plain value is missing, what the user
could write is *offered* instead.  Nothing here is ever reported: nobody asked for these examples.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import keyword
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np

from .annotations import Array, Built, Guess, Reading, Wanted, arrays, guesses, made, reachable, read
from .dimensions import Dimension, Shape, choose
from .examples import Example, resolve, targets
from .positions import SourceFile
from .worker.wire import Offer

_RANKS = (1, 2, 3)
"""Offered where nothing tells the rank."""


def from_annotations(
    file: SourceFile, module: ModuleType, taken: AbstractSet[str], ranks: Mapping[str, int]
) -> tuple[list[Example], list[Offer]]:
    """The examples that the annotations of a file's functions make, and those that the user could write.

    Functions named in `taken` have examples of their own.
    """
    examples: list[Example] = []
    offers: list[Offer] = []
    last = {name: node for node, name in targets(file.tree) if isinstance(node, ast.FunctionDef)}
    for name, node in last.items():
        try:
            call = _call(node, name, module, ranks) if name not in taken else None
        except Exception:  # noqa: BLE001  # the user's objects are looked at, and may raise whatever they are asked
            continue
        if call is None:
            continue
        place = file.name_place(node)
        texts = call.texts()
        if texts:
            examples.append(Example(name, 0, texts[0], "annotation", place, place, others=tuple(texts[1:])))
        else:
            offers += [Offer(name, place, call.unranked(), rank, text) for rank, text in call.offered()]
    return examples, offers


# ---- calls -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Call:
    """A function's call as its annotations describe it."""

    function: str
    parts: tuple[tuple[str, Wanted], ...]
    """Arguments, each with what is written before it (`y=`, or nothing)."""
    defaults: Mapping[str, Any]
    """The values of parameters that are left at their defaults."""

    def texts(self) -> list[str]:
        """The arguments as text, first of all with all sizes distinct; none where something is not told."""
        if self.unranked() or any(guesses(part) for _, part in self.parts):
            return []
        inside = f"{self.function}."
        of_records = any(not each.where.startswith(inside) for _, part in self.parts for each in arrays(part))
        strategies = (*_STRATEGIES, _squared) if of_records else _STRATEGIES
        found = [self._text(strategy, write) for strategy in strategies for write in (_spec, _contents)]
        return list(dict.fromkeys(text for text in found if text is not None))

    def offered(self) -> Iterator[tuple[int | None, str]]:
        """Arguments for the user to complete, for each rank that may be meant (None where all are told)."""
        for rank in _RANKS if self.unranked() else (None,):
            ranked = replace(self, parts=tuple((before, _ranked(part, rank)) for before, part in self.parts))
            text = ranked._text(_aligned, _spec)
            if text is not None:
                yield rank, text

    def unranked(self) -> tuple[str, ...]:
        """The parameters in which an array's rank is open."""
        found = (each.where for _, part in self.parts for each in arrays(part) if each.shape is None)
        return tuple(dict.fromkeys(where.partition("[")[0].rpartition(".")[2] for where in found))

    def _text(self, strategy: _Strategy, write: _Writer) -> str | None:
        wanted = [each for _, part in self.parts for each in arrays(part)]
        shapes = strategy([(each.where, each.shape or ()) for each in wanted])
        sizes = choose(shapes, self.defaults)
        if sizes is None or (write is _contents and sum(map(math.prod, sizes)) > _SMALL):
            return None
        texts = iter([write(*each) for each in zip(wanted, shapes, sizes, itertools.count(), strict=False)])
        return ", ".join(before + _written(part, texts) for before, part in self.parts)


def _call(node: ast.FunctionDef, name: str, module: ModuleType, ranks: Mapping[str, int]) -> _Call | None:
    """The call of a function, or None for those that no example can or need be made for.  May raise."""
    if name.rpartition(".")[2] in _NO_FUNCTIONS or not _annotates(node) or _is_stub(node):
        return None
    function = resolve(module, name)
    parameters = list(inspect.signature(function).parameters.values())
    if inspect.iscoroutinefunction(function) or any(getattr(function, mark, False) for mark in _LEFT_ALONE):
        return None
    inner = inspect.unwrap(function)
    space = {**getattr(inner, "__globals__", vars(module)), **_class_space(module, name)}
    at = Reading(module, space, name, ranks)
    parts: list[tuple[str, Wanted]] = []
    if _takes_self(module, name) and parameters:
        owner = _owner(module, name, replace(at, where=f"{name}.{parameters[0].name}"))
        if owner is None:
            return None
        parts.append(("", owner))
        parameters = parameters[1:]
    parts += _arguments(parameters, at)
    if not any(True for _, part in parts for _ in arrays(part)):
        return None
    return _Call(name, tuple(parts), {p.name: p.default for p in parameters if p.default is not p.empty})


_LEFT_ALONE = ("__isabstractmethod__", "__nst_nonstrict__")
"""What is not implemented, and what its author vouches for."""
_NO_FUNCTIONS = frozenset({"__init__", "__new__", "__post_init__", "__init_subclass__", "__class_getitem__"})


def _arguments(parameters: Sequence[inspect.Parameter], at: Reading) -> Iterator[tuple[str, Wanted]]:
    """What each parameter without a default wants; two arrays for `*arrays`, nothing for `**named`."""
    behind_default = False
    for parameter in parameters:
        if parameter.default is not parameter.empty or parameter.kind is parameter.VAR_KEYWORD:
            behind_default |= parameter.kind is not parameter.KEYWORD_ONLY
            continue
        wanted = read(parameter.annotation, replace(at, where=f"{at.where}.{parameter.name}"))
        if parameter.kind is not parameter.VAR_POSITIONAL:
            yield f"{parameter.name}=" if parameter.kind is parameter.KEYWORD_ONLY else "", wanted
        elif any(arrays(wanted)) and not behind_default:
            yield from [("", wanted)] * 2


def _annotates(node: ast.FunctionDef) -> bool:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg]
    return any(each is not None and each.annotation is not None for each in every)


def _is_stub(node: ast.FunctionDef) -> bool:
    """Whether nothing is computed: a protocol's method, an overload, one that is not implemented."""
    return all(
        isinstance(statement, (ast.Pass, ast.Raise))
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for statement in node.body
    )


# ---- methods ---------------------------------------------------------------------------------------


def _takes_self(module: ModuleType, name: str) -> bool:
    """Whether a function of a class gets an object first when it is called through the class."""
    owner, _, method = name.rpartition(".")
    if not owner:
        return False
    return not isinstance(inspect.getattr_static(resolve(module, owner), method, None), (staticmethod, classmethod))


def _class_space(module: ModuleType, name: str) -> Mapping[str, Any]:
    owner = name.rpartition(".")[0]
    return vars(resolve(module, owner)) if owner else {}


def _owner(module: ModuleType, name: str, at: Reading) -> Wanted | None:
    """The object of a method, where its class can be made from what is told."""
    kind: Any = resolve(module, name.rpartition(".")[0])
    path = reachable(kind, module) if isinstance(kind, type) else None
    if path is None or inspect.isabstract(kind) or getattr(kind, "_is_protocol", False):
        return None
    owner = made(kind, path, at)
    return owner if not guesses(owner) and (dataclasses.is_dataclass(kind) or not any(arrays(owner))) else None


# ---- sizes for axes that nothing names -------------------------------------------------------------

_Strategy = Callable[[Sequence[tuple[str, Shape]]], list[Shape]]


def _apart(shapes: Sequence[tuple[str, Shape]]) -> list[Shape]:
    """Each axis has a size of its own; an array that is given twice has its shape twice."""
    return _renamed(shapes, lambda where, axis, rank, before: f"{where}.{axis}")


def _aligned(shapes: Sequence[tuple[str, Shape]]) -> list[Shape]:
    """Axes that would broadcast together have one size: for `x + y`."""
    return _renamed(shapes, lambda where, axis, rank, before: f".{rank - axis}")


def _chained(shapes: Sequence[tuple[str, Shape]]) -> list[Shape]:
    """Each array begins as the one before it ends: for `x @ w`."""
    return _renamed(shapes, lambda where, axis, rank, before: f".{before + axis}")


def _alike(shapes: Sequence[tuple[str, Shape]]) -> list[Shape]:
    """One size for all: for an inverse."""
    return _renamed(shapes, lambda where, axis, rank, before: ".")


_STRATEGIES = (_apart, _aligned, _chained, _alike)
"""In this order they are tried until the function does not raise."""


def _squared(shapes: Sequence[tuple[str, Shape]]) -> list[Shape]:
    """One size for all names too: those of a data class may mean other sizes in each of its objects."""
    taken = {dimension.size for _, shape in shapes for dimension in shape}
    size = next(size for size in itertools.count(3, 2) if size not in taken)
    return [
        tuple(d if d.size is not None or d.expression is not None else replace(d, size=size) for d in shape)
        for shape in _alike(shapes)
    ]


def _renamed(shapes: Sequence[tuple[str, Shape]], name: Callable[[str, int, int, int], str]) -> list[Shape]:
    """Shapes whose nameless axes have names, which no word of an annotation is: `.` is in them."""
    before = itertools.accumulate([0, *(max(len(shape) - 1, 0) for _, shape in shapes)])
    return [
        tuple(
            Dimension(name(where, axis, len(shape), start)) if dimension == Dimension() else dimension
            for axis, dimension in enumerate(shape)
        )
        for (where, shape), start in zip(shapes, before, strict=False)
    ]


# ---- text ------------------------------------------------------------------------------------------


def _ranked(wanted: Wanted, rank: int | None) -> Wanted:
    """The same with arrays of a rank for those of which it is open."""
    if isinstance(wanted, Array) and wanted.shape is None and rank is not None:
        return replace(wanted, shape=(Dimension(),) * rank)
    if isinstance(wanted, Built):
        return replace(wanted, parts=tuple((before, _ranked(part, rank)) for before, part in wanted.parts))
    return wanted


def _written(wanted: Wanted, texts: Iterator[str]) -> str:
    """The text of what is wanted, with the arrays' texts taken one by one."""
    if isinstance(wanted, Guess):
        return wanted.text
    if isinstance(wanted, Array):
        return next(texts)
    inside = ", ".join(before + _written(part, texts) for before, part in wanted.parts)
    return f"{wanted.opening}{inside}{wanted.closing}"


_Writer = Callable[[Array, Shape, "tuple[int, ...]", int], str]
_SMALL = 100_000
"""Elements of all arrays together up to which they may have contents."""


def _contents(array: Array, shape: Shape, sizes: tuple[int, ...], number: int) -> str:
    """An array with contents that are different everywhere and nothing special: between 0 and 1, or below 10."""
    made, kind = f"np.random.default_rng({number}).random({_sizes(sizes)})", array.dtype.kind
    if kind in "iu":
        made = f"np.random.default_rng({number}).integers(1, 10, {_sizes(sizes)})"
    elif kind == "c":
        made = f"np.exp(1j * {made})"
    elif kind == "b":
        made = f"({made} < 0.5)"
    usual = array.dtype.name in ("float64", "int64", "bool", "complex128")
    made = made if usual else f'{made}.astype("{array.dtype.name}")'
    return made if sizes else f"np.array({made})"


def _sizes(sizes: tuple[int, ...]) -> str:
    return str(sizes[0] if len(sizes) == 1 else sizes)


def _spec(array: Array, shape: Shape, sizes: tuple[int, ...], number: int) -> str:
    """`spec("b 4", "float32", b=3)`, or `spec((3, 4))` where no dimension has a name that can be written."""
    dtype = "" if array.dtype == np.float64 else f', "{array.dtype.name}"'
    named = {d.name: size for d, size in zip(shape, sizes, strict=True) if d.name is not None and _writable(d.name)}
    if not named:
        return f"spec({_sizes(sizes)}{dtype})"
    words = [d.name if d.name in named else str(size) for d, size in zip(shape, sizes, strict=True)]
    given = "".join(f", {name}={size}" for name, size in named.items())
    return f'spec("{" ".join(map(str, words))}"{dtype}{given})'


def _writable(name: str) -> bool:
    """Whether a dimension's name can stand before `=` in a call of `spec`."""
    return name.isidentifier() and not keyword.iskeyword(name) and name not in ("shape", "dtype")
