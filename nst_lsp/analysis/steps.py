"""A graph as the steps of a program, in the form in which two graphs can be compared.

Alike iterations of a loop share a line of the graph's code, and are one step.  What a step does is told without
names (`{0} * 3.0`), since a variable may be called otherwise and still be the same.  Which steps it reads is told
twice: those that its code names, and those that its result rests on, writes in place among them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tracer.worker.wire import GraphInfo, NodeInfo

LEAVES = ("input", "constant")
"""Operations of nodes that read nothing."""


class Step(NamedTuple):
    node: NodeInfo
    """Of alike iterations, the first."""
    nodes: Sequence[NodeInfo]
    """One for each iteration."""
    reads: Sequence[int]
    """The steps that the first of them rests on."""
    is_leaf: bool

    @property
    def times(self) -> int:
        return len(self.nodes)


class Spelling(NamedTuple):
    """What a step's code says."""

    pattern: str
    """Its expression, with the steps that it names as `{0}`, `{1}`."""
    named: Sequence[int]
    """These steps, in the order of the pattern."""


class Steps:
    """The steps of a graph in program order."""

    def __init__(self, graph: GraphInfo) -> None:
        gathered = _gathered(graph)
        self._at = {node.name: number for number, nodes in enumerate(gathered) for node in nodes}
        self.all = [
            Step(nodes[0], nodes, self._known(nodes[0].inputs), nodes[0].operation in LEAVES) for nodes in gathered
        ]
        self.outputs = self._known(graph.outputs)

    def _known(self, names: Sequence[str]) -> list[int]:
        return [self._at[name] for name in names if name in self._at]

    def spelling(self, node: NodeInfo) -> Spelling:
        """`h_1 = tanh * 2` as `{0} * 2`, `y[0] = mul` as `{0}[0] = {1}`."""
        if node.operation == "input":
            return Spelling("", ())
        slots: dict[str, int] = {}
        at = self._at

        def slot(found: re.Match[str]) -> str:
            name = found[0]
            return f"{{{slots.setdefault(name, len(slots))}}}" if name in at else name

        pattern = _WORD.sub(slot, node.code.removeprefix(f"{node.name} = "))
        return Spelling(pattern, [at[name] for name in slots])


_WORD = re.compile(
    r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""  # a string, which stays as it is
    r"|(?<![\w.])[A-Za-z_]\w*(?!\w)(?!=[^=])"  # a name, which is neither an attribute nor a keyword
)


def _gathered(graph: GraphInfo) -> list[list[NodeInfo]]:
    """The nodes of each step.  An array that is captured twice is one; so are nodes in one line of the code."""
    by_line: dict[tuple[int | None, str], list[NodeInfo]] = {}
    found: list[list[NodeInfo]] = []
    seen: set[str] = set()
    for node in graph.nodes:
        if node.name in seen:
            continue
        seen.add(node.name)
        key = node.line, node.operation
        if node.line is None or node.operation in LEAVES or key not in by_line:
            found.append([])
            by_line[key] = found[-1]
        by_line[key].append(node)
    return found


def contents(node: NodeInfo) -> str:
    """Of a captured array its contents as they are written, of an input nothing: the example has them."""
    return "" if node.operation == "input" else node.code.partition(" = ")[2]


def readers(these: Sequence[Step]) -> list[list[tuple[int, int]]]:
    """For each step who reads it, and as which of its operands."""
    found: list[list[tuple[int, int]]] = [[] for _ in these]
    for number, step in enumerate(these):
        for slot, read in enumerate(step.reads):
            found[read].append((number, slot))
    return found
