"""What one node does: the bytes it reads and writes, and the operations it takes.

Nodes that are alike in function, operands and result are asked for once: a loop has few that are not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..nodes import NESTING, Kind, Node, fill, whole_of
from ..shapes import Abstract, Dim, Reason, Unknown, smallest
from ..shapes.dims import shape_of
from ..shapes.naming import placed
from ..sizes import EXACT, Sizes, inferred
from ..steps import count_of_range, size_of
from ..views import VIEWS
from . import Rule, Traffic, rules_of
from .counts import Count, count
from .elementwise import EACH
from .operands import UNSAID, size_in_bytes, total


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Bytes read and written, and operations."""

    read: Count
    written: Count
    operations: Count


NOTHING = Work(count(0), count(0), count(0))
_SPREADING: frozenset[Any] = frozenset({
    np.broadcast_to, np.broadcast_arrays, np.lib.stride_tricks.as_strided, np.lib.stride_tricks.sliding_window_view,
})  # fmt: skip
"""Functions whose views have more elements than the memory that they lie in."""
_OF_PYTHON = frozenset({"math", "_operator", "builtins"})


class Telling:
    """Tells what the nodes of a graph do: in numbers, or in the expressions that `sizes` has."""

    def __init__(self, nodes: Iterable[Node], sizes: Sizes | None) -> None:
        self._sizes = sizes
        self._parts: dict[Node, dict[int, Node]] = {}
        """What a graph takes out of results that are several arrays."""
        for node in nodes:
            if (whole := whole_of(node)) is not None and type(node.args[1]) is int:
                self._parts.setdefault(whole, {})[node.args[1]] = node
        self._told: dict[Node, Any] = {}
        self._memory: dict[Node, Dim] = {}
        """The bytes that views with repeated elements lie in."""
        self._rules: dict[int, tuple[Rule | None, Traffic | None]] = {}
        self._marked: dict[Node, int] = {}
        self._numbers: dict[Any, int] = {}
        self._alike: dict[Any, Work | None] = {}

    def work(self, node: Node) -> Work | None:
        """What a node does; None where that is not known."""
        if node.kind is not Kind.CALL or self._is_there(node) or (node.shape is None and self._is_plain(node)):
            return NOTHING
        rule = self._rules.get(id(node.function))  # the graph keeps its functions
        if rule is None:
            rule = self._rules[id(node.function)] = rules_of(node.function)
        try:
            key = self._marks(node) if rule[0] is EACH and not node.kwargs and not node.writes else self._key(node)
            known = key in self._alike
        except TypeError:  # an argument that cannot be hashed
            return self._work(node, *rule)
        if not known:
            self._alike[key] = self._work(node, *rule)
        return self._alike[key]

    # ---- what costs nothing ----------------------------------------------------------------------

    def _is_there(self, node: Node) -> bool:
        """Whether a result lies in memory that is there already: a view, or one of several results."""
        if node.writes:
            return False
        if node.base is not None:
            self._spread(node)
            return True
        if node.shape is None:
            return node.function in VIEWS or node.function is np.broadcast_arrays
        return whole_of(node) is not None

    def _spread(self, view: Node) -> None:
        """Keep in how many bytes a view lies that repeats elements, and views of it."""
        viewed = next(iter(view.operands()), None)
        if viewed is not None and (view.function in _SPREADING or viewed in self._memory):
            self._memory[view] = smallest(size_in_bytes(self.told(view)), self._read(viewed))

    def _is_plain(self, node: Node) -> bool:
        """Whether a node is arithmetic on numbers of Python's."""
        of_python = getattr(node.function, "__module__", None) in _OF_PYTHON or node.function is count_of_range
        return of_python and not any(_holds_array(self.told(operand)) for operand in node.operands())

    # ---- what costs ------------------------------------------------------------------------------

    def _marks(self, node: Node) -> tuple[int, ...]:
        """What nodes have in common that work element by element: their operands, as literals are no matter."""
        marks = [self._mark(node)]
        for arg in node.args:
            if type(arg) is Node:
                marks.append(self._mark(arg))
            elif type(arg) in NESTING:
                raise TypeError("operands in a list")
        if len(marks) == 3 and node.args[0] is node.args[1]:
            marks.append(-1)
        return tuple(marks)

    def _mark(self, node: Node) -> int:
        """A number for what is known of a node's result."""
        mark = self._marked.get(node)
        if mark is None:
            known = (node.shape, node.dtype) if self._sizes is None and node.shape is not None else self.told(node)
            mark = self._marked[node] = self._numbers.setdefault((known, self._memory.get(node)), len(self._numbers))
        return mark

    def _key(self, node: Node) -> Any:
        """What nodes have in common that do the same."""
        order: dict[Node, int] = {}
        parts = tuple([self._part(arg, order) for arg in node.args])
        named = tuple([(name, self._part(value, order)) for name, value in (node.kwargs or {}).items()])
        taken = self._parts[node].values() if node in self._parts else (node,) if node.shape is not None else ()
        return node.function, node.writes, parts, named, tuple([self._mark(each) for each in taken])

    def _part(self, value: Any, order: dict[Node, int]) -> Any:
        kind = type(value)
        if kind is Node:
            return order.setdefault(value, len(order)), self._mark(value)
        if kind is slice:
            return (kind, *(self._part(part, order) for part in (value.start, value.stop, value.step)))
        if kind is dict:
            return tuple((name, self._part(part, order)) for name, part in value.items())
        if kind in NESTING:
            return (kind, *(self._part(part, order) for part in value))
        return kind, value

    def _work(self, node: Node, rule: Rule | None, traffic: Traffic | None) -> Work | None:
        if rule is None:
            return None
        try:
            args, kwargs = fill(node.args, self.told), fill(node.kwargs or {}, self.told)
            if kwargs:
                args, kwargs = placed(node.function, args, kwargs)
            result = self._result(node, args, kwargs)
            if traffic is None:
                read, written = self._all_read(node), size_in_bytes(result)
            else:
                read, written = traffic(result, *args, **kwargs)
            return Work(count(read), count(written), _at_least_none(count(rule(result, *args, **kwargs))))
        except Exception:  # noqa: BLE001  # contents decide, a call outside the rule, a number that only a run tells
            return None

    def _result(self, node: Node, args: Any, kwargs: Any) -> Any:
        """The result as the rules take it: an array, several, or nothing that is counted."""
        assert node.function is not None
        if node.shape is not None:
            return self.told(node)
        if node.writes or not _is_sequence(node):
            return None
        try:
            return inferred(node.function, args, kwargs)
        except Unknown:
            return self._taken(node, args)

    def _taken(self, node: Node, args: tuple[Any, ...]) -> Any:
        """Results that contents shape, as the example has them, where the graph takes out enough to tell all."""
        parts = [self.told(part) for _, part in sorted(self._parts.get(node, {}).items())]
        if parts and node.function in _POSITIONS:
            return parts[:1] * len(shape_of(args[0]))  # one for each axis, and all alike
        if len(parts) != len(getattr(node.dtype, "_fields", ())):
            raise Unknown(Reason.CONTENTS)
        return parts

    def _all_read(self, node: Node) -> Dim:
        """The bytes of all operands, each once, without those that are only written."""
        named = node.kwargs or {}
        inputs = node.function.nin if isinstance(node.function, np.ufunc) else len(node.args)
        written = {*_nodes(named.get("out")), *_nodes(node.args[inputs:])}
        written.difference_update(_nodes(node.args[:inputs]), *(_nodes(named[name]) for name in named if name != "out"))
        return total([self._read(o) for o in dict.fromkeys(node.operands()) if o not in written])

    def _read(self, operand: Node) -> Dim:
        memory = self._memory.get(operand)
        return size_in_bytes(self.told(operand)) if memory is None else memory

    # ---- what is known of a value ----------------------------------------------------------------

    def told(self, node: Node) -> Any:
        """What is known of a node's result, as the rules take it."""
        if node not in self._told:
            self._told[node] = self._tell(node)
        return self._told[node]

    def _tell(self, node: Node) -> Any:
        if self._sizes is not None:
            told = self._sizes.told(node)
            return UNSAID if told is None else told
        if node.shape is not None:
            return Abstract(node.shape, node.dtype, node.shape == ())
        try:
            return self._number(node)
        except Exception:  # noqa: BLE001  # a plain value of which nothing is known
            return UNSAID

    def _number(self, node: Node) -> Any:
        """A number that shapes tell, or several results."""
        assert node.function is not None
        args = fill(node.args, self.told)
        exact = EXACT.get(node.function)
        if exact is not None:
            return exact(*args)
        if node.function not in _ASKED and not _is_sequence(node):
            return UNSAID
        return inferred(node.function, args, fill(node.kwargs or {}, self.told))


_POSITIONS: frozenset[Any] = frozenset({np.nonzero, np.ndarray.nonzero, np.where})
_ASKED: frozenset[Any] = frozenset({size_of, len, getattr, count_of_range, np.shape, np.size, np.ndim})
"""Functions that give plain values which shapes tell."""


def _is_sequence(node: Node) -> bool:
    return isinstance(node.dtype, type) and issubclass(node.dtype, (tuple, list))


def _holds_array(told: Any) -> bool:
    return type(told) is Abstract or (isinstance(told, (tuple, list)) and any(map(_holds_array, told)))


def _nodes(value: Any) -> list[Node]:
    """The nodes among outputs, which may be one or several."""
    return [part for part in (value if isinstance(value, tuple) else (value,)) if type(part) is Node]


def _at_least_none(operations: Count) -> Count:
    """Of arrays without elements n - 1 would be less than nothing."""
    return operations if operations.number >= 0 else count(0)
