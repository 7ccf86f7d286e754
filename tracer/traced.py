"""Traced values: arrays and numbers that carry their real value and the node that made it.

They are plain classes, not subclasses, and answer `__class__` with the class of the value they carry:
`isinstance` is right, while C code that wants the raw thing must ask (`__array__`, `__index__`, …) and is
seen.  Here is what they are; what they do is given to them by `behaviour` and `operators`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any, NoReturn, TypeVar

import numpy as np

from . import libraries
from .events import Origins
from .nodes import Node
from .trees import map_leaves

NO_ORIGINS: Origins = frozenset()
OBJECTS = (np.generic, int, float, complex, np.dtype, np.finfo, np.iinfo)
"""What a traced scalar may stand for, besides text."""


class Traced:
    """What arrays and scalars share.

    `value` is the plain value, `node` what made it (None for a number that the graph takes as it is),
    `origins` where a value without a node came from.
    """

    __slots__ = ("value", "node", "origins")

    value: Any
    node: Node | None
    origins: Origins

    def __init__(self, value: Any, node: Node | None, origins: Origins = NO_ORIGINS) -> None:
        self.value = value
        self.node = node
        self.origins = origins

    @property
    def __class__(self) -> Any:
        return type(self.value)

    @__class__.setter
    def __class__(self, _: Any) -> NoReturn:
        raise TypeError("__class__ of a traced value cannot be set")


class TracedArray(Traced):
    """A traced `np.ndarray`."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # as np.ndarray's


class TracedScalar(Traced):
    """A traced NumPy scalar, Python number, dtype, `finfo`/`iinfo`, or a member of an enumeration."""

    __slots__ = ()


class TracedText(str):  # noqa: SLOT000  # a str subclass with slots cannot be assigned to by `of`
    """A string made from traced values, or read from a hidden input: comparing it decides something.

    A subclass of `str`, since C code takes no stand-in for a string.
    """

    node: Node | None
    origins: Origins

    @classmethod
    def of(cls, text: str, origins: Origins, node: Node | None = None) -> TracedText:
        made = cls(text)
        made.node, made.origins = node, origins
        return made

    def __str__(self) -> str:
        return str.__str__(self) if type(self) is str else "".join(self)

    def __hash__(self) -> int:
        return str.__hash__(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return (str, ("".join(self),))


class TracedShape(tuple[Any, ...]):  # noqa: SLOT001  # CPython allows a tuple subclass no slots
    """A shape whose items are traced sizes; `kind` is the class that it stands for."""

    kind: type = tuple

    @classmethod
    def of(cls, sizes: Iterable[Any], kind: type) -> TracedShape:
        shape = cls(sizes)
        shape.kind = kind
        return shape

    def __hash__(self) -> int:
        return hash(raw(self))


class TracedRange:
    """`range` over traced numbers: iterating it unrolls a loop."""

    __slots__ = ("raw", "node", "origins")

    def __init__(self, raw: range, node: Node | None, origins: Origins) -> None:
        self.raw = raw
        self.node = node
        self.origins = origins

    @property  # type: ignore[misc]  # as for Traced: only the question of isinstance is answered
    def __class__(self) -> Any:
        return range

    def __len__(self) -> int:
        return len(self.raw)

    def __getitem__(self, key: Any) -> Any:
        return self.raw[raw(key)]

    def __contains__(self, item: Any) -> bool:
        return raw(item) in self.raw

    def __eq__(self, other: object) -> bool:
        return bool(self.raw == raw(other))

    def __hash__(self) -> int:
        return hash(self.raw)

    def __repr__(self) -> str:
        return repr(self.raw)


class TracedFlat:
    """`array.flat` of a traced array: reads and writes through it are nodes."""

    __slots__ = ("array",)

    def __init__(self, array: Traced) -> None:
        self.array = array

    @property  # type: ignore[misc]  # as for Traced: only the question of isinstance is answered
    def __class__(self) -> Any:
        return np.flatiter

    def __len__(self) -> int:
        return int(self.array.value.size)


class Untracked:
    """A value that came into an operation as it is: an array by a way no hook saw, or a hidden container."""

    __slots__ = ("value", "origins")

    def __init__(self, value: Any, origins: Origins) -> None:
        self.value = value
        self.origins = origins


def raw(value: Any) -> Any:
    """The plain value inside a traced one, containers included."""
    if isinstance(value, Traced):
        return value.value
    kind = type(value)
    if kind is TracedText:
        return "".join(value)
    if kind is TracedRange:
        return value.raw
    if kind is TracedShape:
        return tuple(raw(v) for v in value)
    if kind is tuple or kind is list:
        return kind(raw(v) for v in value)
    if kind is dict:
        return {k: raw(v) for k, v in value.items()}
    if kind is slice:
        return slice(raw(value.start), raw(value.stop), raw(value.step))
    if isinstance(value, (dict, deque)) and holds_traced(value):
        return map_leaves(value, lambda leaf, _: raw(leaf))
    return value


def is_array(value: Any) -> bool:
    """Whether `value` is a traced array or number (of `isinstance`, it is what it stands for)."""
    kind = type(value)
    return kind is TracedArray or kind is TracedScalar


def is_traced(value: Any) -> bool:
    """Whether `value` carries a node or an origin itself (not: whether something inside it does)."""
    return type(value) in (TracedArray, TracedScalar, TracedText, TracedRange)


def holds_traced(value: Any, depth: int = 6) -> bool:
    """Whether `value` is traced or a plain container with something traced in it."""
    kind = type(value)
    if is_traced(value):
        return True
    if depth and kind in (tuple, list, TracedShape, set, frozenset, deque):
        return any(holds_traced(v, depth - 1) for v in value)
    if depth and isinstance(value, dict):
        return any(holds_traced(v, depth - 1) for v in value.values())
    return kind is slice and any(is_traced(v) for v in (value.start, value.stop, value.step))


def traced_in(value: Any, depth: int = 6) -> Iterator[Any]:
    """The traced arrays and numbers in a value and its plain containers."""
    if type(value) in (TracedArray, TracedScalar, TracedText):
        yield value
    elif depth and type(value) in (tuple, list, TracedShape, set, frozenset, deque):
        for item in value:
            yield from traced_in(item, depth - 1)
    elif depth and isinstance(value, dict):
        yield from traced_in(list(value.values()), depth - 1)


def origins_of(value: Any) -> Origins:
    """Where a value came from: its node, or the origins it carries."""
    if isinstance(value, (Traced, TracedText, TracedRange)) and type(value) is not str:
        return value.origins if value.node is None else value.origins | {value.node}
    if type(value) in (tuple, list, set, TracedShape):
        return frozenset().union(*(origins_of(v) for v in value))
    return NO_ORIGINS


def lift_constant(value: Any, origins: Origins) -> Any:
    """A number that is constant in the graph, with where it came from; other values as they are."""
    if isinstance(value, str) and not isinstance(value, Enum):
        return TracedText.of(value, origins)
    if (isinstance(value, OBJECTS) or libraries.is_object(value)) and not isinstance(value, Traced):
        return TracedScalar(value, None, origins)
    return value


_Source = TypeVar("_Source", bound=type)


def methods_of(kind: type) -> Callable[[_Source], _Source]:
    """Give a traced class the methods that are written in another one, under this decorator."""

    def give(source: _Source) -> _Source:
        for name, member in vars(source).items():
            if callable(member) or isinstance(member, property):
                setattr(kind, name, member)
        return source

    return give
