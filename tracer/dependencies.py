"""What a node's result rests on: the nodes that it names, and what was written into their memory before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from .flow import written
from .nodes import Kind, Node

Operands = Callable[[Node], Iterable[Node]]


class Dependencies:
    """For each node those whose results it reads; `y[0] = 1` stands between `y` and what reads `y` afterwards.

    A write into another view of the same memory comes beside the array that is named, not in its place.
    """

    def __init__(self, nodes: Sequence[Node], operands: Operands) -> None:
        self._order = {node: place for place, node in enumerate(nodes)}
        self._latest: dict[Node, Node] = {}
        """The last write into the memory of each owner, so far; at the end, of all."""
        self._of: dict[Node, tuple[Node, ...]] = {}
        if any(node.writes for node in nodes):
            for node in nodes:
                self._of[node] = self.now(operands(node))
                for target in written(node) if node.writes else ():
                    self._latest[target.owner] = node
        self._operands = operands

    def of(self, node: Node) -> tuple[Node, ...]:
        """Each once, in the order of the operands."""
        found = self._of.get(node)
        return tuple(dict.fromkeys(self._operands(node))) if found is None else found

    def now(self, nodes: Iterable[Node]) -> tuple[Node, ...]:
        """What it takes to have these nodes' results as they are at the end."""
        return tuple(dict.fromkeys(source for node in nodes for source in self._sources(node)))

    def _sources(self, node: Node) -> Iterator[Node]:
        write = self._latest.get(node.owner)
        if write is None or (node.kind is Kind.CALL and self._order[write] <= self._order[node]):
            yield node
            return
        if _array(node) not in map(_array, written(write)):
            yield node
        yield write


def _array(node: Node) -> object:
    """What is the same for all reads of one captured array."""
    return id(node.args[0]) if node.kind is Kind.CONSTANT else node
