"""A graph as the steps of a program, in the form in which two graphs can be compared.

Alike iterations of a loop share a line of the graph's code, and are one step.  What a step does is told without
names (`{0} * 3.0`), since a variable may be called otherwise and still be the same; what it reads are other steps.
A write changes what is read afterwards: each operand is told with the last write into its memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tracer.worker.wire import GraphInfo, NodeInfo

LEAVES = ("input", "constant")
"""Operations of nodes that read nothing."""


class Operand(NamedTuple):
    step: int
    written: int | None
    """The step that last wrote into its memory by then."""


class Step(NamedTuple):
    node: NodeInfo
    """Of alike iterations, the first."""
    nodes: Sequence[NodeInfo]
    """One for each iteration."""
    operands: Sequence[Operand]
    """What the first of them reads, in the order of its pattern; what is not known of is left out."""
    is_leaf: bool

    @property
    def times(self) -> int:
        return len(self.nodes)

    @property
    def kind(self) -> tuple[str, str]:
        """What steps have in common that do the same to what they read."""
        return self.node.operation, pattern(self.node)


def steps(graph: GraphInfo) -> list[Step]:
    """The steps in program order."""
    gathered = _gathered(graph)
    at = {node.name: number for number, nodes in enumerate(gathered) for node in nodes}
    memory, found = _Memory(), list[Step]()
    for number, nodes in enumerate(gathered):
        node = nodes[0]
        known = [at[name] for name in node.inputs if name in at]
        operands = [Operand(step, memory.written(step)) for step in known]
        found.append(Step(node, nodes, operands, node.operation in LEAVES))
        memory.note(number, node, known)
    return found


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


def pattern(node: NodeInfo) -> str:
    """`h_1 = tanh * 2` as `{0} * 2`, `y[0] = mul` as `{0}[0] = {1}`."""
    if node.operation == "input":
        return ""
    code = node.code.removeprefix(f"{node.name} = ")
    if not node.inputs:
        return code
    slots = {name: f"{{{number}}}" for number, name in enumerate(node.inputs)}
    return _WORD.sub(lambda found: slots.get(found[0], found[0]), code)


_WORD = re.compile(
    r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""  # a string, which stays as it is
    r"|(?<![\w.])[A-Za-z_]\w*(?!\w)(?!=[^=])"  # a name, which is neither an attribute nor a keyword
)


def writes(node: NodeInfo) -> bool:
    """Whether a node changes one of its operands: its code is then no assignment of its own name."""
    return bool(node.inputs) and not node.code.startswith(f"{node.name} = ")


class _Memory:
    """Which step last wrote into which array, as far as the names of operations tell what is a view."""

    def __init__(self) -> None:
        self._owner: dict[int, int] = {}
        self._last: dict[int, int] = {}

    def written(self, step: int) -> int | None:
        return self._last.get(self._owner.get(step, step))

    def note(self, number: int, node: NodeInfo, operands: list[int]) -> None:
        if not operands:
            return
        if writes(node):
            into = operands[_written_operand(node) if len(operands) == len(node.inputs) else 0]
            owner = self._owner[number] = self._owner.get(into, into)
            self._last[owner] = number
        elif node.operation.rpartition(".")[2] in _VIEWS:
            self._owner[number] = self._owner.get(operands[0], operands[0])


def _written_operand(node: NodeInfo) -> int:
    found = re.search(r"\bout=(\w+)", node.code)
    return node.inputs.index(found[1]) if found and found[1] in node.inputs else 0


_VIEWS = frozenset(
    """getitem getattr reshape ravel transpose swapaxes moveaxis rollaxis squeeze view diagonal expand_dims broadcast_to
    atleast_1d atleast_2d atleast_3d asarray ascontiguousarray flip fliplr flipud rot90 split array_split hsplit vsplit
    dsplit""".split()  # noqa: SIM905 - a list would stand in twenty lines
)
"""Operations whose result may lie in the memory of their first operand."""


def consumers(these: Sequence[Step]) -> list[list[tuple[int, int]]]:
    """For each step who reads it, and as which operand."""
    found: list[list[tuple[int, int]]] = [[] for _ in these]
    for number, step in enumerate(these):
        for slot, operand in enumerate(step.operands):
            found[operand.step].append((number, slot))
    return found


def outputs(graph: GraphInfo, these: Sequence[Step]) -> list[int]:
    """The step of each output."""
    wanted = set(graph.outputs)
    at = {node.name: number for number, step in enumerate(these) for node in step.nodes if node.name in wanted}
    return [at[name] for name in graph.outputs if name in at]
