"""What flows where in a recorded trace: which nodes are needed, and what each value came from.

Sources are numbered, and a node's sources are the bits of one integer, so that a pass over a million nodes
is a million `|`.  An in-place write adds the sources of what was written to the memory it went to.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from . import libraries
from .events import Drawn, Entered, Event, Origin, Origins, Read, Source
from .nodes import NESTING, Kind, Node
from .shapes import Size
from .sizes import Names, Sizes
from .steps import size_of
from .trees import Path, spell
from .writers import RESHAPING, writer_of

_CALL = Kind.CALL  # looked up once for each node
_ORDER = {origin: place for place, origin in enumerate(Origin)}
_ALIKE = 16
"""So many sources of one place are told apart."""
_SIZE_FUNCTIONS = frozenset({size_of, len, np.size, np.shape})
_TYPE_FUNCTIONS = frozenset({
    np.ndim, np.iscomplexobj, np.isrealobj, np.isscalar, np.result_type, np.common_type, np.min_scalar_type,
    np.can_cast, np.issubdtype, np.finfo, np.iinfo, np.dtype,
})  # fmt: skip
_TYPE_ATTRIBUTES = frozenset({"dtype", "ndim"})
_SHAPE_ONLY = frozenset({np.zeros_like, np.ones_like, np.empty_like})
_SPECIAL = _SIZE_FUNCTIONS | _TYPE_FUNCTIONS | _SHAPE_ONLY | {getattr}
"""Functions whose result does not follow the contents of what they are given."""


class Flow:
    """Sources of all nodes of one trace."""

    def __init__(self, nodes: list[Node], events: list[Event], names: Names | None = None) -> None:
        self.sizes = Sizes(names, {t for n in nodes if n.writes and n.function in RESHAPING for t in written(n)})
        self._special = _SPECIAL.union(*(lib.size_functions | lib.type_functions for lib in libraries.LIBRARIES))
        self._type_functions = _TYPE_FUNCTIONS.union(*(lib.type_functions for lib in libraries.LIBRARIES))
        self._type_attributes = _TYPE_ATTRIBUTES.union(*(lib.type_attributes for lib in libraries.LIBRARIES))
        self._sources: list[Source] = []
        self._bits: dict[Source, int] = {}
        self._alike: dict[tuple[Origin, int, int], list[Source]] = {}
        self._inputs: dict[tuple[Path, Origin], Source] = {}
        self._masks: dict[Node, int] = {}
        self._memory: dict[Any, int] = {}
        self._read: dict[Node, int] = {}
        self._drawn: dict[Node, int] = {}
        entered: dict[Node, list[Entered]] = {}
        for event in events:
            if isinstance(event, Read):
                self._read[event.node] = self._read.get(event.node, 0) | self._bit(event.source)
            elif isinstance(event, Drawn):
                source = Source(Origin.RANDOM, f"{event.what}()", event.site)
                self._drawn[event.node] = self._drawn.get(event.node, 0) | self._bit(source)
            elif isinstance(event, Entered):
                entered.setdefault(event.node, []).append(event)
        self._follow(nodes, entered)

    def _follow(self, nodes: list[Node], entered: dict[Node, list[Entered]]) -> None:
        """One pass over the nodes in program order: a node's sources are those of its operands and of what entered."""
        masks, memory, special, drawn = self._masks, self._memory, self._special, self._drawn
        for node in nodes:
            if node.kind is not _CALL or node.function in special or node.kwargs:
                mask = self._node(node, entered.get(node, ()))
            else:
                mask = 0
                for arg in node.args:
                    kind = type(arg)
                    if kind is Node:
                        mask |= masks[arg]
                        if memory:
                            mask |= memory.get(arg.base or arg, 0)
                    elif kind in NESTING:
                        mask |= self._nested(arg)
                if entered and node in entered:
                    mask |= self._entering(entered[node])
            if drawn and node in drawn:
                mask |= drawn[node]
            if node.writes and mask:
                for target in written(node):
                    memory[target.owner] = memory.get(target.owner, 0) | mask
            masks[node] = mask

    def sources(self, origins: Origins) -> list[Source]:
        """The sources behind what a value carries, in the order in which they are named."""
        mask, found = self.mask(origins), []
        while mask:
            lowest = mask & -mask
            found.append(self._sources[lowest.bit_length() - 1])
            mask ^= lowest
        return sorted(found, key=lambda s: _ORDER[s.origin])

    def mask(self, origins: Origins) -> int:
        """The sources behind what a value carries, as the bits of one integer."""
        mask = 0
        for origin in origins:
            mask |= self._masks.get(origin, 0) if isinstance(origin, Node) else self._bit(origin)
        return mask

    def depends_on_input(self, node: Node) -> bool:
        """Whether array contents or a size of an input can change the node's result."""
        return any(s.origin in (Origin.CONTENTS, Origin.SIZE, Origin.TYPE) for s in self.sources(frozenset({node})))

    def reached(self, node: Node) -> bool:
        """Whether anything outside the function can change a node's result, writes into its memory included."""
        return bool(self._masks.get(node, 0) | self._memory.get(node.owner, 0))

    def _input(self, path: Path, origin: Origin) -> int:
        """The bit of one facet (contents, size, type) of one input."""
        if (path, origin) not in self._inputs:
            self._inputs[path, origin] = Source(origin, spell(path), path=path)
        return self._bit(self._inputs[path, origin])

    def _bit(self, source: Source) -> int:
        bit = self._bits.get(source)
        if bit is None:
            bit = self._bits[source] = self._shared_bit(source) or 1 << len(self._sources)
            if bit >> len(self._sources):
                self._sources.append(source)
        return bit

    def _shared_bit(self, source: Source) -> int:
        """The bit of an earlier source of the same place, where there are many: a loop that reads a long list."""
        if source.site is None:
            return 0
        at = source.site.at
        alike = self._alike.setdefault((source.origin, id(at.code), at.lasti), [])
        if len(alike) < _ALIKE:
            alike.append(source)
            return 0
        return self._bits[alike[-1]]

    def _node(self, node: Node, entered: Iterable[Entered]) -> int:
        if node.kind is Kind.INPUT:
            return self._input(node.args[0], Origin.CONTENTS)
        if node.kind is Kind.CONSTANT:
            return self._read.get(node, 0)
        if is_size(node):
            return self._size(node)
        if node.function is getattr:
            types = node.args[1] in self._type_attributes
        else:
            types = node.function in self._type_functions
        if types:
            return self._types(node)
        if node.function in _SHAPE_ONLY:
            like = node.args[0] if node.args and isinstance(node.args[0], Node) else None
            return self._facet(like, Origin.SIZE) | self._facet(like, Origin.TYPE)
        return self._operands(node) | self._entering(entered)

    def _entering(self, entered: Iterable[Entered]) -> int:
        """The sources of plain numbers that became operands of one node."""
        mask = 0
        for event in entered:
            mask |= self.mask(event.origins)
        return mask

    def _size(self, node: Node) -> int:
        """The sources of a size: the inputs in its expression, else whatever can change the array it is of."""
        told = self.sizes.told(node)
        paths = self.sizes.inputs(told) if isinstance(told, (int, Size)) else None
        if paths or (paths is not None and node.function is not getattr):  # `x.size` is 1 by the rank of x
            mask = 0
            for path in paths:
                mask |= self._input(path, Origin.SIZE)
            return mask
        array = node.args[0] if isinstance(node.args[0], Node) else None
        return self._facet(array, Origin.SIZE) or self._operands(node)

    def _types(self, node: Node) -> int:
        mask = 0
        for operand in node.operands():
            mask |= self._facet(operand, Origin.TYPE) if operand.shape is not None else self._masks.get(operand, 0)
        return mask

    def _operands(self, node: Node) -> int:
        return self._nested(node.args) | (self._nested(node.kwargs) if node.kwargs else 0)

    def _nested(self, value: Any) -> int:
        """The sources of all nodes in an argument."""
        kind, mask = type(value), 0
        if kind is Node:
            mask = self._masks.get(value, 0)
            return mask | self._memory.get(value.owner, 0) if self._memory else mask
        if kind is slice:
            value = (value.start, value.stop, value.step)
        elif kind is dict:
            value = value.values()
        elif kind not in NESTING:
            return 0
        for item in value:
            if type(item) is Node or type(item) in NESTING:
                mask |= self._nested(item)
        return mask

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


def is_size(node: Node) -> bool:
    if node.function is getattr:
        return node.args[1] in ("size", "nbytes")
    return node.function in _SIZE_FUNCTIONS or any(node.function in o.size_functions for o in libraries.LIBRARIES)


def needed(nodes: list[Node], roots: Iterable[Node]) -> set[Node]:
    """The nodes that results (`roots`) or in-place writes need.

    A write is kept if the memory it goes to is an input's, a captured array's or a needed node's.
    """
    keep = set(roots)
    memories = {n.base for n in keep if n.base is not None} if any(n.writes for n in nodes) else None
    for node in reversed(nodes):
        if node not in keep:
            if memories is None or not node.writes or not _is_seen(node, keep, memories):
                continue
            keep.add(node)
        args = node.args if not node.kwargs else node.operands()
        for arg in args:
            kind = type(arg)
            if kind is Node:
                keep.add(arg)
                if memories is not None and arg.base is not None:
                    memories.add(arg.base)
            elif kind in NESTING:
                inside = node.operands()
                keep.update(inside)
                if memories is not None:
                    memories.update(o.base for o in inside if o.base is not None)
    return keep


def _is_seen(write: Node, keep: set[Node], memories: set[Node]) -> bool:
    """Whether what a write changes is seen by the caller or by a needed node."""
    targets = written(write) or write.operands()[:1]
    owners = [t.owner for t in targets]
    return any(owner.kind is Kind.INPUT or owner in keep or owner in memories for owner in owners)


def written(node: Node) -> list[Node]:
    """The nodes whose arrays a node that writes changes in place."""
    found = (node.kwargs or {}).get("out")
    if found is None:
        writer = writer_of(node.function)
        if writer is None and (library := libraries.current()) is not None:
            writer = partial(library.written, node.function)
        found = writer(node.args, node.kwargs or {}) if writer else node.args[0] if node.args else None
    return [one for one in (found if isinstance(found, tuple) else (found,)) if isinstance(one, Node)]
