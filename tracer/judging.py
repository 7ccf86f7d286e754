"""What one event of a trace comes to: under which rule it falls, where exactly, and what is said of it.

Whether a value mattered is asked of the flow: a number that never reached the graph is no finding.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from . import libraries
from .attributes import LAYOUT, LOOK_UP
from .bindings import bindings_of
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
from .flow import written
from .instructions import before_jump
from .narrow import dead_branches, iterable, operand, repeat_count, taken_out, target_statement, whole_pattern
from .nodes import Kind, Node
from .positions import Located, locate
from .printing import describe
from .rules import Severity
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
from .worker.wire import Related, Span

if TYPE_CHECKING:
    from .capture import Capture

_BRANCH = {
    Origin.CONTENTS: "NST101", Origin.SIZE: "NST102", Origin.ARGUMENT: "NST103", Origin.HIDDEN: "NST104",
    Origin.TYPE: "NST105",
}  # fmt: skip
_WHOSE = {
    None: "the random state", Origin.ARGUMENT: "the generator that it is given",
    Origin.HIDDEN: "a generator that it was not given",
}  # fmt: skip
_FEW = 40
"""Characters that what is called may have to stand in a message."""
FROZEN = {Origin.RANDOM: "NST206", Origin.ENVIRONMENT: "NST207"}


@dataclass
class Found:
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
    promised: bool = False
    """Whether it happened in a function whose author promises that it is pure."""
    stopped: bool = False
    """Whether it tells of something that was stopped: what that raised is the same fault."""


def told_of(event: Event, captured: Capture, live: set[Node]) -> Iterator[Found]:
    """What one event comes to: nothing, one finding, or one for each origin that entered."""
    sources = sources_of(event, captured)
    match event:
        case Decision():
            yield from _decision(event, sources)
        case Iteration():
            yield from _iteration(event, [s for s in sources if not _is_parameters_size(s, captured)])
        case Lost():
            if event.how == "tolist" and event.node not in live:
                return  # a list that only something outside the graph saw
            yield from _lost(event, sources)
        case Entered():
            if event.node in live and not (event.node.writes and is_target(event)):
                yield from _entered(event, sources)
        case Read():
            if event.node in live:
                yield from _read(event)
        case Stored():
            yield from _stored(event)
        case Written():
            yield from _written(event)
        case Output():
            yield from _output(event)
        case Drawn():
            drawn = f"{event.what} draws anew in each run of the graph: its results follow {_WHOSE[event.generator]}"
            severity = Severity.WARNING if event.generator is Origin.HIDDEN else Severity.HINT
            yield from (replace(f, severity=severity) for f in simple("NST206", event.site, drawn))
        case RawMemory():
            yield from simple(
                "NST401",
                event.site,
                f"memory of the array is reached past the tracer ({event.what}); the graph does not follow it",
            )
        case Cached():
            yield from simple(
                "NST209",
                event.site,
                f"{event.what} keeps its results: a call may give what an earlier one computed",
            )
        case Opaque():
            if event.node is None or event.node in live:
                yield from simple(
                    "NST402",
                    event.site,
                    f"{event.what} is code the tracer does not see into: one opaque node, which calls it again",
                )
        case Effect():
            yield from _effect(event)
        case Unsupported():
            yield from simple("NST405", event.site, f"the tracer cannot record {event.what}")


def sources_of(event: Event, captured: Capture) -> list[Source]:
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


def simple(code: str, site: Site, message: str) -> Iterator[Found]:
    at = locate(site.at)
    if at is not None:
        yield Found(code, at, message, callers=callers(site))


def _effect(event: Effect) -> Iterator[Found]:
    told = ended(event.site, event.message) if event.code == "NST504" else simple(event.code, event.site, event.message)
    yield from (replace(found, stopped=event.stopped) for found in told)


def ended(site: Site, reason: str) -> Iterator[Found]:
    """Where the run was when it ended: the line in the function's own file, and the one in another that it called."""
    places = [site.at, *site.callers]
    file = places[-1].code.co_filename
    own = next(at for at in places if at.code.co_filename == file)
    at, inner = locate(before_jump(own)), locate(site.at)
    if at is None:
        return
    related: tuple[Related, ...] = ()
    if own is not site.at and inner is not None:
        related = (Related(f"it was in `{site.at.code.co_name}`, called from here", inner.whole_line().place),)
    message = f"the run was stopped here: {reason}"
    yield Found("NST504", at.whole_line(), message, None, Severity.ERROR, related)


# ---- decisions and loops ---------------------------------------------------------------------------


def _decision(event: Decision, sources: list[Source]) -> Iterator[Found]:
    at = locate(event.site.at)
    if at is None or not sources:
        return
    at = whole_pattern(at)
    first = sources[0].origin
    if first in FROZEN:
        yield from (f for s in sources if (f := frozen_value(s, "it decides, and the graph has the outcome")))
        return
    loud = [s for s in sources if not s.quiet]
    severity = Severity.INFORMATION if loud else Severity.HINT
    outcome = str(event.outcome)
    if event.asserted:
        message = f"this assert was checked while tracing ({in_words(sources)}); the graph does not check it"
        yield Found("NST107", at, message, outcome, severity, where_from(sources), callers(event.site))
        return
    told = f"was {outcome}" if isinstance(event.outcome, bool) else "was put in order"
    message = f"{told} for the example, decided by {in_words(sources)}; the graph holds only while it stays so"
    related, rebound = about(sources)
    severity = Severity.WARNING if rebound and first is Origin.HIDDEN else severity
    dead = dead_branches(at, event.outcome) if isinstance(event.outcome, bool) else ()
    yield Found(_BRANCH[first], at, message, outcome, severity, related, callers(event.site), dead)


def _is_parameters_size(source: Source, captured: Capture) -> bool:
    """Whether a size is that of a module's parameter, which no example chooses."""
    return source.origin is Origin.SIZE and source.path is not None and source.path not in captured.chosen


def _iteration(event: Iteration, sources: list[Source]) -> Iterator[Found]:
    at = locate(event.site.at)
    if at is None or not sources:
        return
    if sources[0].origin in FROZEN:
        told = f"it decides how often the loop runs, and the graph has the {event.count} times"
        yield from (f for s in sources if (f := frozen_value(s, told)))
        return
    times = f"{event.count} iteration{'' if event.count == 1 else 's'}"
    by_rank = all(s.quiet or s.origin is Origin.TYPE for s in sources)
    severity = Severity.HINT if by_rank else Severity.INFORMATION
    message = f"unrolled to {times}, a number that came from {in_words(sources)}; the graph holds only for that number"
    yield Found("NST106", iterable(at), message, str(event.count), severity, where_from(sources), callers(event.site))


# ---- constants -------------------------------------------------------------------------------------


def _lost(event: Lost, sources: list[Source]) -> Iterator[Found]:
    at = locate(event.site.at)
    if at is None or not sources:
        return
    first, value = sources[0].origin, value_text(event.value)
    if first is Origin.CONTENTS:
        out = taken_out(event.node) or (_key(at) if event.how == LOOK_UP else at)
        related = () if out.where == at.where else (Related("it became a plain value here", at.place),)
        message = (
            f"array contents became a plain value ({value}); the graph does not follow {in_words(sources)} from here on"
        )
        yield Found("NST201", out, message, value, None, related, callers(event.site))
    elif first is Origin.SIZE and event.how != "__hash__":
        at = repeat_count(at) if event.how == "repeat" else at
        at = _key(at) if event.how in (LOOK_UP, "__index__") and isinstance(at.node, ast.Subscript) else at
        message = f"a size became the plain number {value}; the graph does not follow {in_words(sources)} from here on"
        yield Found("NST203", at, message, value, None, (), callers(event.site))
    elif first is Origin.TYPE and event.node is not None and event.how != LOOK_UP:
        severity = Severity.HINT if isinstance(event.value, int) else None  # a number of dimensions
        message = f"{value} is the example's; the graph does not follow {in_words(sources)}"
        yield Found("NST208", at, message, value, severity)
    elif event.how in ("__index__", LOOK_UP):
        yield from _chose(event, sources[0], at)


def _key(at: Located) -> Located:
    """The key of a look-up: what stands in the brackets, or the first argument of `get`."""
    if isinstance(at.node, ast.Subscript):
        return at.at(at.node.slice)
    return at.at(at.node.args[0]) if isinstance(at.node, ast.Call) and at.node.args else at


def _chose(event: Lost, source: Source, at: Located) -> Iterator[Found]:
    """An argument, hidden input or type that chose an item of a container."""
    if source.origin in FROZEN:
        frozen = frozen_value(source, "it chose an item, and the graph has that one")
        yield from () if frozen is None else (frozen,)
    if not isinstance(at.node, (ast.Subscript, ast.Call)):
        return
    value, key = value_text(event.value), _key(at)
    if source.origin is Origin.ARGUMENT or source.path is not None:
        message = f"{in_words([source])} chose an item while tracing: it is the constant {value} in the graph"
        code = (
            "NST202" if source.origin is Origin.ARGUMENT else "NST205" if source.origin is Origin.HIDDEN else "NST208"
        )
        yield Found(code, key, message, value, None, (), callers(event.site))
    elif source.origin is Origin.HIDDEN:
        yield from captured_value(source)
    elif source.origin is Origin.TYPE:
        yield Found(
            "NST208", key, f"a type chose an item while tracing: it is the constant {value} in the graph", value
        )


def _entered(event: Entered, sources: list[Source]) -> Iterator[Found]:
    if libraries.is_array(event.value) and not any(s.site for s in sources):
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
                yield Found(
                    "NST202", operand(at, event), message, value, None, where_from([source]), callers(event.site)
                )
        elif source.origin is Origin.HIDDEN:
            yield from captured_value(source)
        elif source.origin in FROZEN:
            frozen = frozen_value(source)
            if frozen is not None:
                yield frozen
        elif source.origin in (Origin.CONTENTS, Origin.SIZE):
            yield from _converted(event, source)
        elif source.label == LAYOUT and source.site is not None:
            message = f"{LAYOUT} is the example's: {value_text(event.value)} is a constant in the graph"
            yield from simple("NST208", source.site, message)


def is_target(event: Entered) -> bool:
    """Whether what entered is the array that an operation writes."""
    targets = written(event.node)
    position = event.where[0]
    return isinstance(position, int) and any(event.node.args[position] is t for t in targets)


def _converted(event: Entered, source: Source) -> Iterator[Found]:
    """A constant that text or another conversion made of contents or a size."""
    at = locate(event.site.at)
    if at is not None:
        code = "NST201" if source.origin is Origin.CONTENTS else "NST203"
        message = f"{value_text(event.value)} was made from {in_words([source])}, and is a constant in the graph"
        yield Found(code, operand(at, event), message, value_text(event.value), None, (), callers(event.site))


def _default(event: Entered, source: Source) -> Iterator[Found]:
    """A default argument that the example does not give."""
    at = locate(event.site.at)
    if at is not None:
        value, where = value_text(event.value), operand(at, event)
        if where.text == source.label:
            message = f"the default of `{source.label}` is the constant {value} in the graph"
        else:
            message = f"this is the constant {value} in the graph, made from the default of `{source.label}`"
        yield Found("NST205", where, f"{message}; the example does not give it", value, None, (), callers(event.site))


def _untracked(event: Entered) -> Iterator[Found]:
    at = locate(event.site.at)
    if at is not None:
        array = event.value
        message = f"an array that the function was not given ({array_text(array)}) is baked into the graph"
        yield Found("NST204", operand(at, event), message, value_text(array), None, (), callers(event.site))


def captured_value(source: Source) -> Iterator[Found]:
    at = locate(source.site.at) if source.site else None
    if at is None or source.site is None:
        return
    found = bindings_of(at, source)
    value = value_text(source.value)
    message = f"the hidden input `{source.label}` is the constant {value} in the graph{rebound_words(found)}"
    yield Found(
        "NST205",
        at,
        message,
        value,
        hidden_severity(source, found),
        binding_places(source, found),
        callers(source.site),
    )


def _read(event: Read) -> Iterator[Found]:
    source = event.source
    if source.origin in FROZEN:
        frozen = frozen_value(source)
        if frozen is not None:
            yield frozen
        return
    at = locate(source.site.at) if source.site else None
    if at is None or source.site is None:
        return
    found = bindings_of(at, source)
    array = source.value
    alias = ", a view of a larger array" if getattr(array, "base", None) is not None else ""
    message = (
        f"the hidden input `{source.label}` ({array_text(array)}{alias}) is baked into the graph as a copy"
        f"{rebound_words(found)}"
    )
    yield Found(
        "NST204",
        at,
        message,
        value_text(array),
        hidden_severity(source, found),
        binding_places(source, found),
        callers(source.site),
    )


def frozen_value(source: Source, fate: str = "the graph has that value") -> Found | None:
    """A random draw, or something read from outside, that is constant in the graph, or has another `fate` there."""
    at = locate(source.site.at) if source.site else None
    if at is None or source.site is None:
        return None
    what = "drawn" if source.origin is Origin.RANDOM else "read"
    severity = Severity.INFORMATION if source.quiet else Severity.WARNING
    called = _callee(at)
    label = source.label if called is None else f"{called}()"
    message = f"{label} was {what} while tracing; {fate} frozen in"
    return Found(FROZEN[source.origin], at, message, None, severity, (), callers(source.site))


def _output(event: Output) -> Iterator[Found]:
    at = locate(event.site.at)
    if at is not None:
        message = f"{_callee(at) or event.what} ran while tracing; the graph does not do it"
        yield Found("NST301", at, message, callers=callers(event.site))


def _callee(at: Located) -> str | None:
    """What a call calls, in the words of the user's, where these are few: `log.info`."""
    if not isinstance(at.node, ast.Call):
        return None
    text = at.at(at.node.func).text
    return text if len(text) <= _FEW and "\n" not in text else None


# ---- changes of state ------------------------------------------------------------------------------


def _stored(event: Stored) -> Iterator[Found]:
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
    yield Found(code, at, message, after, Severity.WARNING, (), callers(event.site))


def _written(event: Written) -> Iterator[Found]:
    owner = event.target.owner
    at = locate(event.site.at)
    if at is None or owner.kind is Kind.CALL:
        return
    at = target_statement(at)
    name = spell(owner.args[0]) if owner.kind is Kind.INPUT else describe(owner)
    if event.by_library:
        message = (
            f"`{name}` is updated in place here; the graph updates that of the module it is given, or its own copy"
        )
        yield Found("NST303", at, message, None, Severity.HINT, (), callers(event.site))
    elif owner.kind is Kind.INPUT:
        message = f"the input array `{name}` is written in place; the graph does so too, to the array it is given"
        yield Found("NST303", at, message, None, None, (), callers(event.site))
    else:
        message = (
            f"a captured array ({describe(owner)}) is written in place; "
            "the graph writes its own copy, and the live array keeps its contents"
        )
        yield Found("NST304", at, message, None, Severity.WARNING, (), callers(event.site))
