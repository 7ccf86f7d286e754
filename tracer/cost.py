"""What a run of a graph costs, told from shapes and dtypes alone: nothing is run, and no contents are needed.

`Costs` has it for each node and for several together: bytes read and written, scalar operations counted (`costs` has
the formulas), and the bytes that are alive meanwhile (`liveness`).  A view costs nothing, an operand that is used twice
is read once, and numbers of Python's own are free.  Where sizes are symbolic, amounts are expressions in the inputs'
sizes, too; these hold for arrays that are not empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

from .costs.counts import Count, Sum
from .costs.nodes import Telling, Work
from .graph import Graph
from .liveness import live_bytes
from .nodes import Node
from .worker.wire import Amount, Cost, GraphCost

SYMBOLIC = 2000
"""The costs of graphs of more nodes are told in numbers only."""
_LONGEST = 240
"""Longer expressions are not worth reading."""


class Costs:
    """The costs of a graph's nodes; `symbolic` says that they are told as expressions, too."""

    def __init__(self, graph: Graph, *, symbolic: bool = True) -> None:
        self._graph = graph
        self._symbolic = symbolic and len(graph.nodes) <= SYMBOLIC
        self._amounts: dict[Work, tuple[Amount, Amount, Amount]] = {}

    @cached_property
    def work(self) -> Mapping[Node, Work | None]:
        """What each node does; None where that is not known."""
        telling = Telling(self._graph.nodes, self._graph.sizes if self._symbolic else None)
        return {node: telling.work(node) for node in self._graph.nodes}

    @cached_property
    def live(self) -> Mapping[Node, int]:
        """The bytes that are alive while each node runs."""
        nodes = self._graph.nodes
        several = [node for node in nodes if node.shape is None and not node.writes]
        made = {node: work.written.number for node in several if (work := self.work[node]) is not None}
        return dict(zip(nodes, live_bytes(nodes, set(self._graph.results()), made), strict=True))

    def of(self, node: Node) -> Cost | None:
        """What one node costs; None where that is not known."""
        work = self.work[node]
        return None if work is None else Cost(*self._told(work), live=self.live[node])

    def together(self, nodes: Iterable[Node]) -> Work:
        """What several nodes do together, as far as it is known."""
        return _sum(work for node in nodes if (work := self.work[node]) is not None)

    def unknown(self, nodes: Iterable[Node]) -> int:
        """How many of these nodes there are of which it is not known."""
        return sum(self.work[node] is None for node in nodes)

    def total(self, names: Mapping[Node, str]) -> GraphCost:
        """What all of the graph costs; `names` are those of its nodes."""
        nodes = self._graph.nodes
        peak = max(nodes, key=self.live.__getitem__, default=None)
        read, written, operations = self._told(self.together(nodes))
        return GraphCost(
            read, written, operations, self.live[peak] if peak is not None else 0,
            names[peak] if peak is not None else "", self.unknown(nodes),
        )  # fmt: skip

    def _told(self, work: Work) -> tuple[Amount, Amount, Amount]:
        if work not in self._amounts:
            self._amounts[work] = (amount(work.read), amount(work.written), amount(work.operations))
        return self._amounts[work]


def amount(told: Count) -> Amount:
    """A polynomial as number and words."""
    words = told.words
    return Amount(told.number, words if words is not None and len(words) <= _LONGEST else None)


def _sum(works: Iterable[Work]) -> Work:
    """The sum of what nodes do; alike ones share theirs, and it is multiplied."""
    read, written, operations = Sum(), Sum(), Sum()
    for work, times in Counter(works).items():
        read.add(work.read, times)
        written.add(work.written, times)
        operations.add(work.operations, times)
    return Work(read.count, written.count, operations.count)
