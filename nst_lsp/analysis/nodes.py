"""The nodes of a graph that come from one file, found by where they come from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from tracer.worker.wire import GroupInfo, GroupKind, NodeInfo, Span

from .outline import body_of
from .traced import Function
from .values import Source


class Nodes:
    """A graph's nodes by their spans in the file at `path`; `known` are those of other places too."""

    def __init__(self, path: str, known: Sequence[NodeInfo]) -> None:
        self.path = path
        self.known = known
        self.by_span: dict[Span, list[NodeInfo]] = {}
        for node in known:
            if node.place is not None and node.place.path == path:
                self.by_span.setdefault(node.place.span, []).append(node)

    def outside(self, body: Span | None) -> Nodes:
        """Those that come from elsewhere in the file."""
        if body is None:
            return self
        found = Nodes(self.path, ())
        found.known = self.known
        found.by_span = {
            span: nodes for span, nodes in self.by_span.items() if not body.line <= span.line <= body.end_line
        }
        return found

    def any_in(self, span: Span) -> bool:
        """Whether any of them comes from lines of a span."""
        return any(span.line <= one.line <= span.end_line for one in self.by_span)

    def inputs(self, parameter: str) -> list[NodeInfo]:
        """The inputs that a parameter of the traced function brought: itself, or its parts (`params["w"]`)."""
        return [node for node in self.known if node.operation == "input" and _belongs(node, parameter)]

    def of(self, sources: Sequence[Source], function: str | None) -> list[NodeInfo]:
        """The nodes of the first source that left any.

        `function` is the traced function: no other's parameters are its inputs.  None where it has no `def` of its own.
        """
        found = ([source, *source.later] for source in sources if self._at(source, function))
        return [node for source in next(found, []) for node in self._at(source, function)]

    def _at(self, source: Source, function: str | None) -> list[NodeInfo]:
        if source.parameter is not None:
            return self.inputs(source.parameter) if function in (None, source.function) else []
        here = self.by_span.get(source.span, [])
        items = _items(here)
        if source.iterated:
            return items
        if source.item is not None:
            return [node for node in items if _number(node) == source.item]
        return [node for node in here if source.picks or node not in items]


def module_of(node: NodeInfo, groups: Sequence[GroupInfo]) -> str | None:
    """The innermost module that a node lies in: `self.encoder.layers[0].linear1: Linear(8, 16)`."""
    at = node.group
    while at is not None:
        group = groups[at]
        if group.kind is GroupKind.MODULE:
            return f"{group.path}: {group.label.partition(': ')[2]}" if group.path else group.label
        at = group.parent
    return None


def becomes(node: NodeInfo) -> list[str]:
    """The operations of the library's own that a node becomes, without their overloads; those in a row once."""
    names = (one.operation for one in node.becomes)
    short = (name.rpartition(".")[0] if name.count(".") > 1 else name for name in names)
    counted = ((name, len(list(alike))) for name, alike in groupby(short))
    return [name if count == 1 else f"{name} ×{count}" for name, count in counted]


def owner(function: Function, path: str, source: str) -> str | None:
    """Whose parameters the inputs of a traced function are, in a file: its own, or none of that file's (``).

    None where the function has no `def` (`norm = partial(scale, 2)`), so that it may be anybody's.
    """
    if function.place.path != path:
        return ""
    return function.name if body_of(source, function.name) else None


def _belongs(node: NodeInfo, parameter: str) -> bool:
    return node.name == parameter or any(
        text.startswith((f"{parameter}[", f"{parameter}.")) for text in (node.name, node.code)
    )


def _items(nodes: list[NodeInfo]) -> list[NodeInfo]:
    """The items that were taken out when the value was unpacked; what was unpacked may itself be an item (`x[0]`)."""
    here = {node.name for node in nodes}
    taken = [node for node in nodes if node.operation == "operator.getitem"]
    return [node for node in taken if here.intersection(node.inputs)] or taken


def _number(node: NodeInfo) -> int | None:
    found = re.search(r"\[(\d+)\]$", node.code)
    return int(found[1]) if found else None
