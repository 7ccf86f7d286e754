"""From the events of a trace to its findings, in the order of the source.

Events of one rule at one range become one finding with a count; what each is, `judging` and `outcomes` say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from types import CodeType
from typing import TYPE_CHECKING, Any

from .events import (
    Cached,
    Decision,
    Drawn,
    Effect,
    Entered,
    Event,
    Iteration,
    Lost,
    Opaque,
    Output,
    RawMemory,
    Read,
    Source,
    Spot,
    Stored,
    Unsupported,
    Written,
    spot_of,
)
from .flow import Flow, written
from .graph import Graph
from .judging import Found, is_target, sources_of, told_of
from .nodes import Kind, Node
from .outcomes import failed, reviewed, told_by_effect, told_by_memory
from .rules import RULES, Severity
from .steps import size_of
from .worker.wire import Finding, Place, Witness

if TYPE_CHECKING:
    from .capture import Capture

_MAKES_CONSTANT = frozenset({
    "NST201", "NST203", "NST204", "NST205", "NST206", "NST207", "NST208", "NST209", "NST401", "NST402", "NST405",
})  # fmt: skip


_IMPURE = frozenset({
    "NST104", "NST204", "NST205", "NST206", "NST207", "NST209", "NST301", "NST302", "NST304", "NST305",
})  # fmt: skip
"""What a function does not do whose author promises that it is pure."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding with what a search for witnesses must know of it."""

    finding: Finding
    sources: tuple[Source, ...]
    conditions: frozenset[str]
    """The texts of the guards that this decision or loop became."""
    spots: frozenset[Spot]
    """Where it happened."""

    def with_witness(self, witness: Witness, *, by_arguments: bool) -> Judged:
        """The finding with its first witness; one on array arguments makes it a warning."""
        if self.finding.witness is not None:
            return self
        raised = Severity.WARNING if not by_arguments and self.finding.severity is Severity.INFORMATION else None
        finding = replace(self.finding, witness=witness, severity=raised or self.finding.severity)
        return replace(self, finding=finding)


def findings_of(captured: Capture, graph: Graph) -> list[Judged]:
    """The findings of one trace, in the order of the source."""
    live = set(graph.nodes) - _only_written(captured, graph)
    found: dict[tuple[Any, ...], Found] = {}
    for event, times in _alike(captured, live):
        for each in told_of(event, captured, live):
            each.sources = each.sources or tuple(sources_of(event, captured))
            key = (each.code, each.at.file.path, each.at.where)
            kept = found.setdefault(key, each)
            if _LOUDNESS.index(_severity(each)) < _LOUDNESS.index(_severity(kept)):
                kept.message, kept.severity = each.message, each.severity
            kept.sources += tuple(s for s in each.sources if s not in kept.sources)
            if isinstance(event, Effect):
                kept.message, kept.stopped = each.message, kept.stopped or each.stopped
            kept.promised |= bool(captured.promised) and _is_in(event, captured.promised)
            where = (event.site.at if event.site is not None else None, _way(event))
            kept.met[where] = kept.met.get(where, 0) + times
            if kept.value != each.value and {kept.value, each.value} == {"True", "False"}:
                kept.message = kept.message.replace(f"was {kept.value}", "was both True and False", 1)
                kept.value = "True and False"
            if kept.dead and each.dead != kept.dead:
                kept.dead = ()
    for each in reviewed(captured, graph):
        if each.code == "NST210" and any(f.code in _MAKES_CONSTANT for f in found.values()):
            continue
        found.setdefault((each.code, each.at.file.path, each.at.where), each)
    if captured.failure is not None:
        for each in failed(captured):
            if not (told_by_memory(each, found.values()) or told_by_effect(each, found.values())):
                found.setdefault((each.code, each.at.file.path, each.at.where), each)
    name = graph.name
    conditions: dict[Any, set[str]] = {}
    for guard, at in captured.decisions:
        conditions.setdefault(at, set()).add(guard.text)
    made = [
        Judged(
            _finding(each, name),
            each.sources,
            frozenset(t for i, _ in each.met for t in conditions.get(i, ())),
            frozenset(spot_of(i) for i, _ in each.met if i is not None),
        )
        for each in _without_repeats(found.values())
    ]
    return sorted(made, key=lambda j: (*_order(j.finding.place), j.finding.code))


def _alike(captured: Capture, live: set[Node]) -> Iterator[tuple[Event, int]]:
    """The events of a trace, those that say the same only once, with their number: a loop makes many."""
    groups: dict[Any, list[Any]] = {}
    for event in captured.events:
        key = _likeness(event, captured.flow, live)
        known = groups.get(key)
        if known is None:
            groups[key] = [event, 1]
        else:
            known[1] += 1
    for event, times in groups.values():
        yield event, times


def _way(event: Event) -> Any:
    """What tells apart events of one instruction that is met once: `x[1:] += 1` writes twice, `ndindex` has axes."""
    if isinstance(event, Iteration):
        return event.node.args[1:] if event.node is not None and event.node.function is size_of else None
    if isinstance(event, Effect):
        return event.message
    return event.node.function if isinstance(event, Written) else None


def _likeness(event: Event, flow: Flow, live: set[Node]) -> Any:
    """What two events share if the same findings come of them; by identity, since hashing code reads all of it."""
    at = event.site.at if event.site is not None else None
    where = (type(event), id(at.code), at.lasti) if at is not None else (type(event),)
    match event:
        case Decision():
            return *where, event.outcome, event.asserted, flow.mask(event.origins)
        case Iteration():
            return *where, event.count, flow.mask(event.origins)
        case Lost(node=None):
            return *where, event.how, flow.mask(event.origins)
        case Lost(node=node):
            assert node is not None
            return *where, event.how, node in live, id(node.code), node.lasti, flow.mask(frozenset({node}))
        case Entered():
            written_to = event.node.writes and is_target(event)
            return *where, event.where, event.node in live, written_to, flow.mask(event.origins)
        case Read():
            return *where, event.node in live, flow.mask(frozenset({event.source}))
        case Written():
            return *where, event.target.owner, event.node.function
        case Output() | Drawn() | RawMemory() | Cached() | Unsupported():
            return *where, event.what
        case Effect():
            return *where, event.message
        case Opaque():
            return *where, event.what, event.node is None or event.node in live
        case Stored():
            return *where, id(event.news[0]) if event.news else None, event.traced, event.argument


def _only_written(captured: Capture, graph: Graph) -> set[Node]:
    """Captured arrays that are read only to be written: the write is told, not the read."""
    constants = {n for n in graph.nodes if n.kind is Kind.CONSTANT}
    if not constants or not any(n.writes for n in graph.nodes):
        return set()
    read = set(graph.results())
    for node in graph.nodes:
        targets = written(node) if node.writes else []
        read.update(o for o in node.operands() if not any(o is t for t in targets))
    return constants - read


def _order(place: Place) -> tuple[str, int, int]:
    return place.path, place.span.line, place.span.column


def _is_in(event: Event, codes: frozenset[CodeType]) -> bool:
    """Whether something happened in one of some functions, or in what it called."""
    return event.site is not None and any(at.code in codes for at in (event.site.at, *event.site.callers))


_LOUDNESS = (Severity.ERROR, Severity.WARNING, Severity.INFORMATION, Severity.HINT)


def _severity(found: Found) -> Severity:
    return found.severity or RULES[found.code].default


def _finding(found: Found, function: str) -> Finding:
    severity = _severity(found)
    broken = found.promised and found.code in _IMPURE and severity is not Severity.ERROR
    return Finding(
        code=found.code,
        severity=Severity.WARNING if broken else severity,
        message=f"{found.message}; that breaks the promise of nonstrict_trace" if broken else found.message,
        function=found.at.file.function(found.at.node) if found.at.node is not None else function,
        example=0,
        place=found.at.place,
        text=found.at.text,
        value=found.value,
        count=max(found.met.values(), default=1),
        related=found.related + found.callers,
        dead=found.dead,
    )


_IMPLIED = {"NST304": "NST305", "NST203": "NST106"}
"""A leaked value implies a changed state; a loop as long as an input, that its length was asked for."""


def _without_repeats(found: Iterable[Found]) -> list[Found]:
    """The findings, less those that another at the same place implies."""
    kept = list(found)
    told = {(f.code, f.at.file.path, f.at.where) for f in kept}
    return [f for f in kept if (_IMPLIED.get(f.code), f.at.file.path, f.at.where) not in told]
