"""The nodes of a graph, and how one is evaluated."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from enum import Enum
from types import CodeType
from typing import Any

import numpy as np

from . import libraries
from .callstack import Call
from .trees import fetch


class Kind(Enum):
    INPUT = "input"
    CONSTANT = "constant"
    CALL = "call"


class Node:
    """One step of a graph.

    INPUT      an array leaf of the arguments; `args` is `(path,)`, the way to it (`("params", "w")`).
    CONSTANT   an array the function reached but was not given; `args` is `(array,)`, a copy of it.
               Nodes that read the same array hold the same copy, so that aliasing survives.
    CALL       `function(*args, **kwargs)` on the results of other nodes.  Nodes stand in `args` and
               `kwargs` themselves or inside tuples, lists, dicts and slices; all else is literal.
               Operators are `operator.add` and friends, methods the functions of `np.ndarray`,
               attributes `getattr`, an element of a result `operator.getitem`.

    `shape` and `dtype` are those of the result on the example (`shape` is None where the result is
    no array, `dtype` is then its Python type).  `base` is the node in whose memory the result lies
    (itself no view), or None; of constants that share memory, the first.  `writes` says that the call
    changes one of its arguments in place.  `code` and `lasti` are the instruction that made it,
    resolved to a range only when someone asks (`positions`).  `call` is the call of a function of the
    user's in which that happened, None in the traced function itself.
    """

    __slots__ = ("kind", "function", "args", "kwargs", "shape", "dtype", "base", "writes", "code", "lasti", "call")

    def __init__(
        self,
        kind: Kind,
        function: Callable[..., Any] | None,
        args: tuple[Any, ...],
        kwargs: dict[str, Any] | None,
        shape: tuple[int, ...] | None,
        dtype: Any,
        base: Node | None,
        writes: bool,
        code: CodeType | None,
        lasti: int,
        call: Call | None = None,
    ) -> None:
        self.kind = kind
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.shape = shape
        self.dtype = dtype
        self.base = base
        self.writes = writes
        self.code = code
        self.lasti = lasti
        self.call = call

    def __repr__(self) -> str:
        what = getattr(self.function, "__name__", self.kind.value)
        return f"<Node {what} {self.dtype}{list(self.shape) if self.shape is not None else ''}>"

    @property
    def owner(self) -> Node:
        """The node in whose memory this one's result lies (itself where it is no view).

        Two nodes have the same owner if a write into one can change the other.
        """
        return self if self.base is None else self.base

    def operands(self) -> list[Node]:
        """The nodes among the arguments, in order, as often as they occur."""
        found: list[Node] = []
        for arg in self.args:
            kind = type(arg)
            if kind is Node:
                found.append(arg)
            elif kind in NESTING:
                _collect(arg, found)
        if self.kwargs:
            _collect(self.kwargs, found)
        return found


NESTING = frozenset({tuple, list, dict, slice})
"""What nodes may stand in, among the arguments of a node."""


def _collect(value: Any, into: list[Node]) -> None:
    kind = type(value)
    if kind is slice:
        value = (value.start, value.stop, value.step)
    for item in value.values() if kind is dict else value:
        if type(item) is Node:
            into.append(item)
        elif type(item) in NESTING:
            _collect(item, into)


def whole_of(node: Node) -> Node | None:
    """Of a part that is taken out of a result of several arrays, that result."""
    whole = node.args[0] if node.function is operator.getitem else None
    return whole if type(whole) is Node and whole.shape is None else None


def evaluate(node: Node, values: dict[Node, Any], bound: Mapping[str, Any], copies: dict[Any, Any]) -> Any:
    """The result of one node; `copies` holds this run's own copy of each captured array."""
    if node.kind is Kind.CALL:
        assert node.function is not None
        read = values.__getitem__
        args = [values[a] if type(a) is Node else fill(a, read) if type(a) in NESTING else a for a in node.args]
        if node.kwargs:
            return node.function(*args, **{k: fill(v, read) for k, v in node.kwargs.items()})
        return node.function(*args)
    if node.kind is Kind.INPUT:
        return fetch(bound, node.args[0])
    return _own(node.args[0], copies)


def _own(array: Any, copies: dict[Any, Any]) -> Any:
    """This run's copy of a captured array; views of one memory stay views of one copy."""
    library = libraries.of(array)
    if library is not None:
        if id(array) not in copies:
            copies[id(array)] = library.copy(array, copies)
        return copies[id(array)]
    if id(array) not in copies:
        base = array.base
        if isinstance(base, np.ndarray) and base.base is None:
            mine = _own(base, copies)
            if mine.strides == base.strides:
                offset = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
                copies[id(array)] = np.ndarray(array.shape, array.dtype, mine, offset, array.strides)
                return copies[id(array)]
        copies[id(array)] = array.copy(order="K")
    return copies[id(array)]


def fill(value: Any, told: Callable[[Node], Any]) -> Any:
    """`value` with every node in it replaced by what is told of it, such as its result."""
    kind = type(value)
    if kind is Node:
        return told(value)
    if kind is tuple or kind is list:
        return kind(fill(v, told) for v in value)
    if kind is slice:
        return slice(fill(value.start, told), fill(value.stop, told), fill(value.step, told))
    if kind is dict:
        return {k: fill(v, told) for k, v in value.items()}
    return value
