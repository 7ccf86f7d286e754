"""Inlay hints: dtype and shape behind names, and where a dtype widens, as the last trace saw them.

They are worked out for the text that was traced, and move with the text of now; one whose text has changed since is
left out rather than shown beside something it may not be true of.  There is one hint at a place at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tracer.worker.wire import GraphInfo, NodeInfo, Place, Span

from . import hovers
from .document import Shift
from .markup import Markup
from .nodes import Nodes, owner
from .outline import body_of
from .sites import Kind, Site, sites
from .traced import Function, Outcome, Traced
from .view import View
from .widening import Widened, widened


@dataclass(frozen=True, slots=True)
class Hint:
    line: int
    column: int
    lead: str
    text: str
    kind: Kind
    named: str
    """The text that it stands behind."""
    nodes: tuple[NodeInfo, ...]
    source: Place | None
    """The operation that gave the value, where it stands now."""
    stale: bool

    @property
    def label(self) -> str:
        return self.lead + self.text

    @property
    def spaced(self) -> bool:
        """Whether there is to be room before it."""
        return not self.lead.startswith(":")


def hints(view: View, within: Span) -> list[Hint]:
    """The hints of a document that stand within a span of it, in their order."""
    kinds = [kind for kind in Kind if kind.value in view.settings.inlay_hints]
    found: dict[tuple[int, int], Hint] = {}
    helpers: dict[tuple[int, int], Hint] = {}
    for reading in _readings(view) if kinds else ():
        here = helpers if reading.body is None else found
        for hint in reading.hints(kinds, within):
            at = hint.line, hint.column
            here[at] = _merged(here[at], hint) if at in here else hint
    told = {**helpers, **found}  # a function's own examples say best what it gives
    return [told[at] for at in sorted(told)]


def _merged(one: Hint, other: Hint) -> Hint:
    """What a helper gives to one caller and to another."""
    texts = list(dict.fromkeys([*one.text.split(_OR), *other.text.split(_OR)]))
    whole = [text for text in texts if ", …" not in text and "…, " not in text]
    return replace(one, text=_alternatives(whole or texts), stale=one.stale or other.stale)


def note(hint: Hint, to: Markup) -> str:
    """What more there is to say; apart, as it is asked for one hint of many."""
    return hovers.node_text(hint.named, list(hint.nodes), hint.stale, to)


def _readings(view: View) -> list[_Reading]:
    """The runs that went through this document: of each function in itself, then in its helpers, then of others'."""
    own = [
        _reading(view, view.traced, function, one)
        for function in view.traced.functions
        if (one := view.shown(function))
    ]
    others = ((traced, function) for traced in view.others for function in traced.functions if function.outcomes)
    helped = [replace(reading, nodes=reading.nodes.outside(reading.body), body=None) for reading in own]
    helped += [_reading(view, traced, function, function.outcomes[0]) for traced, function in others]
    return [*(reading for reading in own if reading.body), *(reading for reading in helped if reading.nodes.by_span)]


def _reading(view: View, traced: Traced, function: Function, outcome: Outcome) -> _Reading:
    graph, path = outcome.report.graph, view.document.path
    shift = view.places.shift(path, outcome.basis) or Shift(view.document.text, view.document.text)
    nodes, name = Nodes(path, graph.nodes if graph else ()), owner(function, path, shift.before.source)
    body = body_of(shift.before.source, name) if name else None
    dead = tuple(one for found in outcome.report.findings if found.place.path == path for one in found.dead)
    return _Reading(path, name, shift, nodes, _outputs(graph), dead, body, view.stale(outcome, traced))


def _outputs(graph: GraphInfo | None) -> tuple[NodeInfo, ...]:
    """The nodes that a graph returns, one or several beside each other; none where they are in a container."""
    if graph is None:
        return ()
    by_name, told = {node.name: node for node in graph.nodes}, ", ".join(graph.outputs)
    ends = graph.code.rstrip().rpartition("\n")[2].strip()
    plainly = ends in (f"return {told}", f"return ({told})")
    return tuple(by_name[name] for name in graph.outputs if name in by_name) if plainly else ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """One run of a function, and the way from the text that it ran to the text of now."""

    path: str
    function: str | None
    """Whose parameters its inputs are (`nodes.owner`)."""
    shift: Shift
    nodes: Nodes
    outputs: tuple[NodeInfo, ...]
    dead: tuple[Span, ...]
    """What the conditions left out that it decided."""
    body: Span | None
    """What of the text is spoken of; None for all."""
    stale: bool

    def hints(self, kinds: list[Kind], within: Span) -> Iterator[Hint]:
        body = self.shift.now(self.body) if self.body else None
        if body and (body.end_line < within.line or body.line > within.end_line):
            return  # most functions are out of sight
        for site in sites(self.shift.before.source):
            if site.kind in kinds and self._speaks_of(site.reach) and (hint := self._at_site(site, within)):
                yield hint
        if Kind.WIDENING in kinds:
            for one in widened(self.nodes):
                if self._speaks_of(one.span) and (hint := self._at_widening(one, within)):
                    yield hint

    def _speaks_of(self, span: Span) -> bool:
        return self.body is None or self.body.line <= span.line <= self.body.end_line

    def _at_site(self, site: Site, within: Span) -> Hint | None:
        anchor = self._seen(site.anchor, within)
        if anchor is None or not self._was_run(site):
            return None
        parts = [self.nodes.of(sources, self.function) for sources in site.values]
        if site.only_return and self.body is not None and len(self.outputs) == len(parts):
            parts = [[output] for output in self.outputs]
        text = _told([_shapes(part) for part in parts])
        if not text or not self._stands(site.reach):
            return None
        lead = "→ " if site.kind is Kind.RETURNS else "" if site.annotated else ": "
        return self._hint(site.kind, anchor, (lead, text), site.anchor, [node for part in parts for node in part])

    def _was_run(self, site: Site) -> bool:
        """Whether the run came to a site, as far as that can be told."""
        if any(_holds(dead, site.reach) for dead in self.dead):
            return False
        return site.block is None or self.nodes.any_in(site.block)

    def _at_widening(self, one: Widened, within: Span) -> Hint | None:
        now = self._seen(one.span, within)
        if now is None or not self._stands(one.span):
            return None
        return self._hint(Kind.WIDENING, now, ("", f"{one.narrow} → {one.wide}"), one.span, [one.node])

    def _hint(self, kind: Kind, anchor: Span, label: tuple[str, str], named: Span, nodes: list[NodeInfo]) -> Hint:
        place = nodes[0].place
        now = self.shift.now(place.span) if place and place.path == self.path else None
        source = Place(self.path, now) if now else None
        text = self.shift.before.at(named)
        return Hint(anchor.end_line, anchor.end_column, *label, kind, text, tuple(nodes), source, self.stale)

    def _seen(self, span: Span, within: Span) -> Span | None:
        """Where a span stands now, if its end is in sight."""
        now = self.shift.now(span)
        if now and (within.line, within.column) <= (now.end_line, now.end_column) <= (
            within.end_line,
            within.end_column,
        ):
            return now
        return None

    def _stands(self, span: Span) -> bool:
        """Whether the text of a span is as it was."""
        now = self.shift.now(span)
        return now is not None and self.shift.after.at(now) == self.shift.before.at(span)


def _holds(outer: Span, inner: Span) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return begins and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)


_LONGEST = 60


def _told(shapes: list[str]) -> str:
    """The shapes of what a statement returns, `…` for the few that are not arrays, and for what is too long."""
    known = sum(map(bool, shapes))
    text = ", ".join(shape or "…" for shape in shapes) if known and 2 * known >= len(shapes) else ""
    end = text.rfind("], ", 0, _LONGEST)
    return text if len(text) <= _LONGEST or end < 0 else f"{text[: end + 1]}, …"


_SHOWN = 2
"""Different shapes of one name that are told; a loop may give it many."""


def _shapes(nodes: list[NodeInfo]) -> str:
    """Dtype and shape of what some nodes gave; nothing where none is an array."""
    return _alternatives(list(dict.fromkeys(node.shape for node in nodes if node.shape.endswith("]"))))


_OR = " | "


def _alternatives(texts: list[str]) -> str:
    shown = [text for text in texts if text != "…"]
    more = len(shown) > _SHOWN or len(shown) < len(texts)
    return _OR.join([*shown[:_SHOWN], *(["…"] if more else [])])
