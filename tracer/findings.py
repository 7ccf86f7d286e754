"""From events to findings: which rule each event falls under, where exactly, and what is said about it.

Events of one rule at one range become one finding with a count.  Whether a value mattered is asked of the
flow: a number that never reached the graph is no finding.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .attributes import LAYOUT, LOOK_UP
from .bindings import bindings_of
from .events import (
    Cached,
    Decision,
    Entered,
    Event,
    Iteration,
    Lost,
    Opaque,
    Origin,
    Output,
    RawMemory,
    Read,
    Site,
    Source,
    Stored,
    Unsupported,
    Written,
)
from .flow import Flow, written
from .graph import Graph
from .guards import decided
from .hollow import ContentsNeeded, NoContentsError, Why
from .narrow import dead_branch, iterable, operand, repeat_count, taken_out, target_statement, whole_pattern
from .nodes import Kind, Node
from .positions import Located, locate
from .printing import describe
from .review import OutputNote, class_arguments, constant_outputs, shaped_by_contents, takes_arrays, widened
from .rules import RULES, Severity
from .steps import size_of
from .trees import spell
from .wording import (
    about,
    array_text,
    binding_places,
    callers,
    hidden_severity,
    in_words,
    rebound_words,
    value_text,
    where_from,
)
from .worker.wire import Finding, Place, Related, Span, Witness

if TYPE_CHECKING:
    from .capture import Capture

_BRANCH = {
    Origin.CONTENTS: "NST101", Origin.SIZE: "NST102", Origin.ARGUMENT: "NST103", Origin.HIDDEN: "NST104",
    Origin.TYPE: "NST105",
}  # fmt: skip
_MAKES_CONSTANT = frozenset({
    "NST201", "NST203", "NST204", "NST205", "NST206", "NST207", "NST208", "NST209", "NST401", "NST402", "NST405",
})  # fmt: skip
_FROZEN = {Origin.RANDOM: "NST206", Origin.ENVIRONMENT: "NST207"}


@dataclass
class _Found:
    """One finding under way: what is said of one range, and how often it was met."""

    code: str
    at: Located
    message: str
    value: str | None = None
    severity: Severity | None = None
    related: tuple[Related, ...] = ()
    callers: tuple[Related, ...] = ()
    dead: tuple[Span, ...] = ()
    sources: tuple[Source, ...] = ()
    met: dict[Any, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding with what a search for witnesses must know of it."""

    finding: Finding
    sources: tuple[Source, ...]
    conditions: frozenset[str]
    """The texts of the guards that this decision or loop became."""

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
    found: dict[tuple[Any, ...], _Found] = {}
    for event, times in _alike(captured, live):
        for each in _findings(event, captured, live):
            each.sources = each.sources or tuple(_sources(event, captured))
            key = (each.code, each.at.file.path, each.at.where)
            kept = found.setdefault(key, each)
            kept.sources += tuple(s for s in each.sources if s not in kept.sources)
            where = (event.site.at if event.site is not None else None, _way(event))
            kept.met[where] = kept.met.get(where, 0) + times
            if kept.value != each.value and {kept.value, each.value} == {"True", "False"}:
                kept.message = kept.message.replace(f"was {kept.value}", "was both True and False", 1)
                kept.value = "True and False"
            if kept.dead and each.dead != kept.dead:
                kept.dead = ()
    for each in _reviewed(captured, graph):
        if each.code == "NST210" and any(f.code in _MAKES_CONSTANT for f in found.values()):
            continue
        found.setdefault((each.code, each.at.file.path, each.at.where), each)
    if captured.failure is not None:
        for each in _failure(captured):
            if not _told_by_memory(each, found.values()):
                found.setdefault((each.code, each.at.file.path, each.at.where), each)
    name = graph.name
    conditions: dict[Any, set[str]] = {}
    for guard, at in decided(captured.events, captured.flow, captured.sized):
        conditions.setdefault(at, set()).add(guard.text)
    made = [
        Judged(_finding(each, name), each.sources, frozenset(t for i, _ in each.met for t in conditions.get(i, ())))
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
            written_to = event.node.writes and _is_target(event)
            return *where, event.where, event.node in live, written_to, flow.mask(event.origins)
        case Read():
            return *where, event.node in live, flow.mask(frozenset({event.source}))
        case Written():
            return *where, event.target.owner, event.node.function
        case Output() | RawMemory() | Cached() | Unsupported():
            return *where, event.what
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


def _finding(found: _Found, function: str) -> Finding:
    return Finding(
        code=found.code,
        severity=found.severity or RULES[found.code].default,
        message=found.message,
        function=found.at.file.function(found.at.node) if found.at.node is not None else function,
        example=0,
        place=found.at.place,
        text=found.at.text,
        value=found.value,
        count=max(found.met.values(), default=1),
        related=found.related + found.callers,
        dead=found.dead,
    )


def _without_repeats(found: Iterable[_Found]) -> list[_Found]:
    """A leaked value implies a changed state: NST304 is not repeated beside NST305."""
    kept = list(found)
    leaked = {(f.at.file.path, f.at.where) for f in kept if f.code == "NST305"}
    return [f for f in kept if f.code != "NST304" or (f.at.file.path, f.at.where) not in leaked]


def _findings(event: Event, captured: Capture, live: set[Node]) -> Iterator[_Found]:
    """What one event comes to: nothing, one finding, or one for each origin that entered."""
    sources = _sources(event, captured)
    match event:
        case Decision():
            yield from _decision(event, sources)
        case Iteration():
            yield from _iteration(event, sources)
        case Lost():
            if event.how == "tolist" and event.node not in live:
                return  # a list that only something outside the graph saw
            yield from _lost(event, sources)
        case Entered():
            if event.node in live and not (event.node.writes and _is_target(event)):
                yield from _entered(event, sources)
        case Read():
            if event.node in live:
                yield from _read(event)
        case Stored():
            yield from _stored(event)
        case Written():
            yield from _written(event)
        case Output():
            yield from _simple("NST301", event.site, f"{event.what} ran while tracing; the graph does not do it")
        case RawMemory():
            yield from _simple(
                "NST401",
                event.site,
                f"memory of the array is reached past the tracer ({event.what}); the graph does not follow it",
            )
        case Cached():
            yield from _simple(
                "NST209",
                event.site,
                f"{event.what} keeps its results: a call may give what an earlier one computed",
            )
        case Opaque():
            if event.node is None or event.node in live:
                yield from _simple(
                    "NST402",
                    event.site,
                    f"{event.what} is code the tracer does not see into: one opaque node, which calls it again",
                )
        case Unsupported():
            yield from _simple("NST405", event.site, f"the tracer cannot record {event.what}")


def _sources(event: Event, captured: Capture) -> list[Source]:
    """The sources an event is about."""
    match event:
        case Decision() | Iteration() | Entered():
            return captured.flow.sources(event.origins)
        case Lost():
            return captured.flow.sources(event.origins if event.node is None else frozenset({event.node}))
        case Read():
            return [event.source]
        case _:
            return []


def _simple(code: str, site: Site, message: str) -> Iterator[_Found]:
    at = locate(site.at)
    if at is not None:
        yield _Found(code, at, message, callers=callers(site))


# ---- decisions and loops ---------------------------------------------------------------------------


def _decision(event: Decision, sources: list[Source]) -> Iterator[_Found]:
    at = locate(event.site.at)
    if at is None or not sources:
        return
    at = whole_pattern(at)
    first = sources[0].origin
    if first in _FROZEN:
        yield from (f for s in sources if (f := _frozen(s)) is not None)
        return
    loud = [s for s in sources if not s.quiet]
    severity = Severity.INFORMATION if loud else Severity.HINT
    outcome = str(event.outcome)
    if event.asserted:
        message = f"this assert was checked while tracing ({in_words(sources)}); the graph does not check it"
        yield _Found("NST107", at, message, outcome, severity, where_from(sources), callers(event.site))
        return
    told = f"was {outcome}" if isinstance(event.outcome, bool) else "was put in order"
    message = f"{told} for the example, decided by {in_words(sources)}; the graph holds only while it stays so"
    related, rebound = about(sources)
    severity = Severity.WARNING if rebound and first is Origin.HIDDEN else severity
    dead = dead_branch(at, event.outcome) if isinstance(event.outcome, bool) else None
    yield _Found(_BRANCH[first], at, message, outcome, severity, related, callers(event.site), (dead,) if dead else ())


def _iteration(event: Iteration, sources: list[Source]) -> Iterator[_Found]:
    at = locate(event.site.at)
    if at is None or not sources:
        return
    times = f"{event.count} iteration{'' if event.count == 1 else 's'}"
    by_rank = all(s.quiet or s.origin is Origin.TYPE for s in sources)
    severity = Severity.HINT if by_rank else Severity.INFORMATION
    message = f"unrolled to {times}, a number that came from {in_words(sources)}; the graph holds only for that number"
    yield _Found("NST106", iterable(at), message, str(event.count), severity, where_from(sources), callers(event.site))


# ---- constants -------------------------------------------------------------------------------------


def _lost(event: Lost, sources: list[Source]) -> Iterator[_Found]:
    at = locate(event.site.at)
    if at is None or not sources:
        return
    first, value = sources[0].origin, value_text(event.value)
    if first is Origin.CONTENTS:
        out = taken_out(event.node) or at
        related = () if out.where == at.where else (Related("it became a plain value here", at.place),)
        message = (
            f"array contents became a plain value ({value}); the graph does not follow {in_words(sources)} from here on"
        )
        yield _Found("NST201", out, message, value, None, related, callers(event.site))
    elif first is Origin.SIZE and event.how != "__hash__":
        at = repeat_count(at) if event.how == "repeat" else at
        if event.how in (LOOK_UP, "__index__") and isinstance(at.node, ast.Subscript):
            at = at.at(at.node.slice)
        message = f"a size became the plain number {value}; the graph does not follow {in_words(sources)} from here on"
        yield _Found("NST203", at, message, value, None, (), callers(event.site))
    elif first is Origin.TYPE and event.node is not None and event.how != LOOK_UP:
        severity = Severity.HINT if isinstance(event.value, int) else None  # a number of dimensions
        message = f"{value} is the example's; the graph does not follow {in_words(sources)}"
        yield _Found("NST208", at, message, value, severity)
    elif event.how in ("__index__", LOOK_UP):
        yield from _chose(event, sources[0], at)


def _chose(event: Lost, source: Source, at: Located) -> Iterator[_Found]:
    """An argument, hidden input or type that chose an item of a container."""
    if not isinstance(at.node, (ast.Subscript, ast.Call)):
        return
    value = value_text(event.value)
    key = at.at(at.node.slice) if isinstance(at.node, ast.Subscript) else at.at(at.node.args[0]) if at.node.args else at
    if source.origin is Origin.ARGUMENT or source.path is not None:
        message = f"{in_words([source])} chose an item while tracing: it is the constant {value} in the graph"
        code = (
            "NST202" if source.origin is Origin.ARGUMENT else "NST205" if source.origin is Origin.HIDDEN else "NST208"
        )
        yield _Found(code, key, message, value, None, (), callers(event.site))
    elif source.origin is Origin.HIDDEN:
        yield from _captured_value(source)
    elif source.origin is Origin.TYPE:
        yield _Found(
            "NST208", key, f"a type chose an item while tracing: it is the constant {value} in the graph", value
        )


def _entered(event: Entered, sources: list[Source]) -> Iterator[_Found]:
    if isinstance(event.value, np.ndarray) and not any(s.site for s in sources):
        yield from _untracked(event)
        return
    for source in sources:
        if source.origin is Origin.HIDDEN and source.site is None and source.path is not None:
            yield from _default(event, source)
        elif source.origin is Origin.ARGUMENT:
            at = locate(event.site.at)
            if at is not None:
                value = value_text(event.value)
                what = f"the argument `{source.label}` is the constant {value} in the graph"
                message = f"{what}; another value gives another graph"
                yield _Found(
                    "NST202", operand(at, event), message, value, None, where_from([source]), callers(event.site)
                )
        elif source.origin is Origin.HIDDEN:
            yield from _captured_value(source)
        elif source.origin in _FROZEN:
            frozen = _frozen(source)
            if frozen is not None:
                yield frozen
        elif source.origin in (Origin.CONTENTS, Origin.SIZE):
            yield from _converted(event, source)
        elif source.label == LAYOUT and source.site is not None:
            message = f"{LAYOUT} is the example's: {value_text(event.value)} is a constant in the graph"
            yield from _simple("NST208", source.site, message)


def _is_target(event: Entered) -> bool:
    """Whether what entered is the array that an operation writes."""
    targets = written(event.node)
    position = event.where[0]
    return isinstance(position, int) and any(event.node.args[position] is t for t in targets)


def _converted(event: Entered, source: Source) -> Iterator[_Found]:
    """A constant that text or another conversion made of contents or a size."""
    at = locate(event.site.at)
    if at is not None:
        code = "NST201" if source.origin is Origin.CONTENTS else "NST203"
        message = f"{value_text(event.value)} was made from {in_words([source])}, and is a constant in the graph"
        yield _Found(code, operand(at, event), message, value_text(event.value), None, (), callers(event.site))


def _default(event: Entered, source: Source) -> Iterator[_Found]:
    """A default argument that the example does not give."""
    at = locate(event.site.at)
    if at is not None:
        value = value_text(event.value)
        message = f"the default of `{source.label}` is the constant {value} in the graph; the example does not give it"
        yield _Found("NST205", operand(at, event), message, value, None, (), callers(event.site))


def _untracked(event: Entered) -> Iterator[_Found]:
    at = locate(event.site.at)
    if at is not None:
        array = event.value
        message = f"an array that the function was not given ({array_text(array)}) is baked into the graph"
        yield _Found("NST204", operand(at, event), message, value_text(array), None, (), callers(event.site))


def _captured_value(source: Source) -> Iterator[_Found]:
    at = locate(source.site.at) if source.site else None
    if at is None or source.site is None:
        return
    found = bindings_of(at, source)
    value = value_text(source.value)
    message = f"the hidden input `{source.label}` is the constant {value} in the graph{rebound_words(found)}"
    yield _Found(
        "NST205",
        at,
        message,
        value,
        hidden_severity(source, found),
        binding_places(source, found),
        callers(source.site),
    )


def _read(event: Read) -> Iterator[_Found]:
    source = event.source
    if source.origin in _FROZEN:
        frozen = _frozen(source)
        if frozen is not None:
            yield frozen
        return
    at = locate(source.site.at) if source.site else None
    if at is None or source.site is None:
        return
    found = bindings_of(at, source)
    array = source.value
    alias = ", a view of a larger array" if array.base is not None else ""
    message = (
        f"the hidden input `{source.label}` ({array_text(array)}{alias}) is baked into the graph as a copy"
        f"{rebound_words(found)}"
    )
    yield _Found(
        "NST204",
        at,
        message,
        value_text(array),
        hidden_severity(source, found),
        binding_places(source, found),
        callers(source.site),
    )


def _frozen(source: Source) -> _Found | None:
    """A random draw, or something read from outside, that is constant in the graph."""
    at = locate(source.site.at) if source.site else None
    if at is None or source.site is None:
        return None
    what = "drawn" if source.origin is Origin.RANDOM else "read"
    severity = Severity.INFORMATION if source.quiet else Severity.WARNING
    message = f"{source.label} was {what} while tracing; the graph has that value frozen in"
    return _Found(_FROZEN[source.origin], at, message, None, severity, (), callers(source.site))


# ---- changes of state ------------------------------------------------------------------------------


def _stored(event: Stored) -> Iterator[_Found]:
    news = event.news[0] if event.news else None
    at = locate(event.site.at)
    if news is None or at is None:
        return
    before, after = news.before, news.after
    traced = news.traced and event.traced is not False
    at = target_statement(at)
    code = "NST302" if event.argument else "NST305" if traced else "NST304"
    what = {"NST302": "the argument", "NST304": "state outside the call", "NST305": "state outside the call"}[code]
    name = f"{event.label}.{event.key}" if event.change.value == "attribute" else event.label
    leak = ", and holds a traced value" if traced else ""
    message = f"{what} `{name}` was changed while tracing ({before} → {after}{leak}); {news.later}"
    yield _Found(code, at, message, after, Severity.WARNING, (), callers(event.site))


def _written(event: Written) -> Iterator[_Found]:
    owner = event.target.owner
    at = locate(event.site.at)
    if at is None or owner.kind is Kind.CALL:
        return
    at = target_statement(at)
    if owner.kind is Kind.INPUT:
        name = spell(owner.args[0])
        message = f"the input array `{name}` is written in place; the graph does so too, to the array it is given"
        yield _Found("NST303", at, message, None, None, (), callers(event.site))
    else:
        message = (
            f"a captured array ({describe(owner)}) is written in place; "
            "the graph writes its own copy, and the live array keeps its contents"
        )
        yield _Found("NST304", at, message, None, Severity.WARNING, (), callers(event.site))


# ---- the finished graph ----------------------------------------------------------------------------


def _reviewed(captured: Capture, graph: Graph) -> Iterator[_Found]:
    """What the graph itself shows (`review`)."""
    for output in constant_outputs(captured):
        yield from _output(output, captured)
    for class_ in class_arguments(captured, graph):
        message = f"the argument `{class_.name}` is the constant {class_.value.__name__} in the graph"
        yield _Found("NST202", class_.at, message, class_.value.__name__)
    for note in widened(captured, graph):
        message = f"a constant of a wider dtype made {note.narrow} into {note.wide} here"
        yield _Found("NST211", note.at, message, str(note.wide))
    for at in shaped_by_contents(captured, graph):
        yield _Found("NST404", at, "the shape of the result depends on array contents", None, Severity.HINT)


def _output(note: OutputNote, captured: Capture) -> Iterator[_Found]:
    """A part of the result that is constant: the origins that it would have followed, or none at all."""
    sources = captured.flow.sources(note.origins)
    value = value_text(note.value)
    if not takes_arrays(captured):
        sources = [s for s in sources if s.origin in _FROZEN]  # all else is what such a function is for
    elif not sources:
        message = f"this output does not depend on any input: it is {value} whatever the arguments are"
        yield _Found("NST210", note.at, message, value)
    for source in sources:
        if source.origin is Origin.ARGUMENT:
            message = f"the argument `{source.label}` is the constant {value} in the graph's result"
            yield _Found("NST202", note.at, message, value, sources=(source,))
        elif source.origin is Origin.HIDDEN and source.site is None:
            message = f"an array that the function was not given ({array_text(note.value)}) is an output of the graph"
            yield _Found("NST204", note.at, message, value)
        elif source.origin is Origin.HIDDEN:
            yield from (replace(f, sources=(source,)) for f in _captured_value(source))
        elif source.origin in _FROZEN and (frozen := _frozen(source)) is not None:
            yield frozen
        elif source.origin in (Origin.CONTENTS, Origin.SIZE) and isinstance(note.value, str):
            code = "NST201" if source.origin is Origin.CONTENTS else "NST203"
            message = f"the text {value} was made from {in_words([source])}, and is a constant in the graph's result"
            yield _Found(code, note.at, message, value, sources=(source,))


# ---- failures --------------------------------------------------------------------------------------


def _failure(captured: Capture) -> Iterator[_Found]:
    failure = captured.failure
    assert failure is not None
    at = locate(failure.site.at) if failure.site else None
    if at is None or failure.site is None:
        return
    name = type(failure.error).__name__
    text = f"{name}: {failure.error}" if str(failure.error) else name
    if isinstance(failure.error, NoContentsError):
        yield from _stopped(captured, failure.error.needed, at)
    elif isinstance(failure.error, MemoryError):
        message = "the run was stopped here: memory ran out"
        yield _Found("NST504", at, message, None, Severity.ERROR, (), callers(failure.site))
    elif failure.only_traced:
        yield _Found(
            "NST405",
            at,
            f"the tracer cannot follow this ({text}); the function itself does not raise here",
            None,
            Severity.ERROR,
            (),
            callers(failure.site),
        )
    else:
        yield _Found("NST501", at, f"the function raised {text}", None, Severity.ERROR, (), callers(failure.site))


_NEEDED = {
    Why.CONDITION: "NST101", Why.VALUE: "NST201", Why.SHAPE: "NST404", Why.OPAQUE: "NST402", Why.RULE: "NST405",
}  # fmt: skip


def _stopped(captured: Capture, needed: ContentsNeeded, at: Located) -> Iterator[_Found]:
    """Where contents were asked for that the example does not give: the graph ends there."""
    sources = captured.flow.sources(needed.origins)
    names = [f"`{s.label}`" for s in sources if s.origin is Origin.CONTENTS]
    whose = " and ".join(names[:3]) or "an array"
    message = f"{needed.why.value} the contents of {whose}, which the example does not give: the graph ends here"
    called = callers(needed.site) if needed.site is not None else ()
    found = _Found(_NEEDED[needed.why], at, message, None, Severity.ERROR, where_from(sources), called)
    found.sources = tuple(sources)
    yield found


def _told_by_memory(failure: _Found, found: Iterable[_Found]) -> bool:
    """Fold a failure of the very expression that reached for raw memory into that finding: one fault, told once."""
    for each in found:
        inside = each.at.file is failure.at.file and _within(each.at.where, failure.at.where)
        if each.code == "NST401" and inside:
            each.message += f"; {failure.message.removeprefix('the ')}"
            each.severity = Severity.ERROR
            return True
    return False


def _within(inner: tuple[int, int, int, int], outer: tuple[int, int, int, int]) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]
