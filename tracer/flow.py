"""What flows where in a recorded trace: which nodes are needed, and what each value came from.

Sources are numbered, and a node's sources are the bits of one integer, so that a pass over a million nodes
is a million `|`.  An in-place write adds the sources of what was written to the memory it went to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .events import Entered, Event, Origin, Origins, Read, Source
from .nodes import Kind, Node
from .sizes import literal_axis
from .steps import size_of
from .trees import Path, spell

_SIZE_FUNCTIONS = frozenset({size_of, len, np.size, np.shape})
_TYPE_FUNCTIONS = frozenset({
    np.ndim, np.iscomplexobj, np.isrealobj, np.isscalar, np.result_type, np.common_type, np.min_scalar_type,
    np.can_cast, np.issubdtype, np.finfo, np.iinfo, np.dtype,
})  # fmt: skip
_SHAPE_ONLY = frozenset({np.zeros_like, np.ones_like, np.empty_like})


class Flow:
    """Sources of all nodes of one trace."""

    def __init__(self, nodes: list[Node], events: list[Event]) -> None:
        self._sources: list[Source] = []
        self._bits: dict[Source, int] = {}
        self._inputs: dict[tuple[Path, Origin], Source] = {}
        self._masks: dict[Node, int] = {}
        self._memory: dict[Any, int] = {}
        self._entered: dict[Node, int] = {}
        self._read: dict[Node, int] = {}
        self._pending = [e for e in events if isinstance(e, Entered)]
        for event in events:
            if isinstance(event, Read):
                self._read[event.node] = self._read.get(event.node, 0) | self._bit(event.source)
        entered: dict[Node, list[Entered]] = {}
        for event in self._pending:
            entered.setdefault(event.node, []).append(event)
        for node in nodes:
            self._masks[node] = self._node(node, entered.get(node, ()))

    def sources(self, origins: Origins) -> list[Source]:
        """The sources behind what a value carries, in the order in which they are named."""
        mask = 0
        for origin in origins:
            mask |= self._masks.get(origin, 0) if isinstance(origin, Node) else self._bit(origin)
        found = [s for i, s in enumerate(self._sources) if mask >> i & 1]
        order = list(Origin)
        return sorted(found, key=lambda s: order.index(s.origin))

    def depends_on_input(self, node: Node) -> bool:
        """Whether array contents or a size of an input can change the node's result."""
        return any(s.origin in (Origin.CONTENTS, Origin.SIZE, Origin.TYPE) for s in self.sources(frozenset({node})))

    def reached(self, node: Node) -> bool:
        """Whether anything outside the function can change a node's result, writes into its memory included."""
        return bool(self._masks.get(node, 0) | self._memory.get(node.memory, 0))

    def _input(self, path: Path, origin: Origin) -> int:
        """The bit of one facet (contents, size, type) of one input."""
        if (path, origin) not in self._inputs:
            self._inputs[path, origin] = Source(origin, spell(path), path=path)
        return self._bit(self._inputs[path, origin])

    def _bit(self, source: Source) -> int:
        if source not in self._bits:
            self._bits[source] = 1 << len(self._sources)
            self._sources.append(source)
        return self._bits[source]

    def _node(self, node: Node, entered: Iterable[Entered]) -> int:
        if node.kind is Kind.INPUT:
            return self._input(node.args[0], Origin.CONTENTS)
        if node.kind is Kind.CONSTANT:
            return self._read.get(node, 0)
        if node.function is size_of and isinstance(node.args[0], Node) and literal_axis(*node.args):
            return 0
        if node.function is len and isinstance(node.args[0], Node) and literal_axis(node.args[0], 0):
            return 0
        if _is_size(node):
            return self._facet(node.args[0] if isinstance(node.args[0], Node) else None, Origin.SIZE) or self._operands(
                node
            )
        if node.function in _TYPE_FUNCTIONS or (node.function is getattr and node.args[1] in ("dtype", "ndim")):
            return self._types(node)
        if node.function in _SHAPE_ONLY:
            like = node.args[0] if node.args and isinstance(node.args[0], Node) else None
            return self._facet(like, Origin.SIZE) | self._facet(like, Origin.TYPE)
        mask = self._operands(node)
        for event in entered:
            for origin in event.origins:
                mask |= self._masks.get(origin, 0) if isinstance(origin, Node) else self._bit(origin)
        if node.writes:
            for target in self._targets(node):
                self._memory[target.memory] = self._memory.get(target.memory, 0) | mask
        return mask

    def _types(self, node: Node) -> int:
        mask = 0
        for operand in node.operands():
            mask |= self._facet(operand, Origin.TYPE) if operand.shape is not None else self._masks.get(operand, 0)
        return mask

    def _operands(self, node: Node) -> int:
        mask = 0
        for operand in node.operands():
            mask |= self._masks.get(operand, 0)
            if self._memory:
                mask |= self._memory.get(operand.memory, 0)
        return mask

    def _targets(self, node: Node) -> list[Node]:
        return [n for n in node.operands() if n.shape is not None]

    def _facet(self, array: Node | None, origin: Origin) -> int:
        """The size or type behind an array: that of an input where the array is one or comes from some."""
        if array is None:
            return 0
        if array.kind is Kind.INPUT:
            return self._input(array.args[0], origin)
        mask = others = 0
        for i, source in enumerate(list(self._sources)):
            if self._masks.get(array, 0) >> i & 1:
                if source.origin is Origin.CONTENTS and source.path is not None:
                    mask |= self._input(source.path, origin)
                elif source.origin not in (Origin.SIZE, Origin.TYPE) or source.origin is origin:
                    others |= 1 << i
        return mask if mask and origin is Origin.TYPE else mask | others


def _is_size(node: Node) -> bool:
    return node.function in _SIZE_FUNCTIONS or (node.function is getattr and node.args[1] in ("size", "nbytes"))


def needed(nodes: list[Node], roots: Iterable[Node]) -> set[Node]:
    """The nodes that results (`roots`) or in-place writes need.

    A write is kept if the memory it goes to is an input's, a captured array's or a needed node's.
    """
    keep = set(roots)
    memories = {n.memory for n in keep}
    for node in reversed(nodes):
        if node not in keep and node.writes:
            target = next((o for o in node.operands()), None)
            targets = written(node)
            if any(t.owner.kind is Kind.INPUT or t.memory in memories for t in targets or ([target] if target else [])):
                keep.add(node)
        if node in keep:
            for operand in node.operands():
                keep.add(operand)
                memories.add(operand.memory)
    return keep


def written(node: Node) -> list[Node]:
    out = (node.kwargs or {}).get("out")
    if isinstance(out, Node):
        return [out]
    if isinstance(out, tuple):
        return [o for o in out if isinstance(o, Node)]
    if isinstance(node.function, np.ufunc):
        return [a for a in node.args[node.function.nin :] if isinstance(a, Node)]
    first = node.args[0] if node.args else None
    return [first] if isinstance(first, Node) else []
