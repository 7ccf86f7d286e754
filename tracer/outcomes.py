"""What the end of a trace shows: outputs that are constant, shapes made by contents, runs that failed or stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from .events import (
    Origin,
)
from .graph import Graph
from .halting import Halt
from .hollow import ContentsNeeded, NoContentsError, Why
from .judging import FROZEN, Found, captured_value, ended, frozen_value
from .positions import Located, locate
from .review import OutputNote, class_arguments, constant_outputs, shaped_by_contents, takes_arrays, widened
from .rules import Severity
from .spelling import dtype_text
from .wording import (
    array_text,
    callers,
    in_words,
    value_text,
    where_from,
)

if TYPE_CHECKING:
    from .capture import Capture


def reviewed(captured: Capture, graph: Graph) -> Iterator[Found]:
    """What the graph itself shows (`review`)."""
    for output in constant_outputs(captured):
        yield from _output(output, captured)
    for class_ in class_arguments(captured, graph):
        message = f"the argument `{class_.name}` is the constant {class_.value.__name__} in the graph"
        yield Found("NST202", class_.at, message, class_.value.__name__)
    for note in widened(captured, graph):
        narrow, wide = dtype_text(note.narrow), dtype_text(note.wide)
        yield Found("NST211", note.at, f"a constant of a wider dtype made {narrow} into {wide} here", wide)
    for at in shaped_by_contents(captured, graph):
        yield Found("NST404", at, "the shape of the result depends on array contents", None, Severity.HINT)


def _output(note: OutputNote, captured: Capture) -> Iterator[Found]:
    """A part of the result that is constant: the origins that it would have followed, or none at all."""
    sources = captured.flow.sources(note.origins)
    value = value_text(note.value)
    if not takes_arrays(captured):
        sources = [s for s in sources if s.origin in FROZEN]  # all else is what such a function is for
    elif not sources:
        message = f"this output does not depend on any input: it is {value} whatever the arguments are"
        yield Found("NST210", note.at, message, value)
    for source in sources:
        if source.origin is Origin.ARGUMENT:
            message = f"the argument `{source.label}` is the constant {value} in the graph's result"
            yield Found("NST202", note.at, message, value, sources=(source,))
        elif source.origin is Origin.HIDDEN and source.site is None:
            message = f"an array that the function was not given ({array_text(note.value)}) is an output of the graph"
            yield Found("NST204", note.at, message, value)
        elif source.origin is Origin.HIDDEN:
            yield from (replace(f, sources=(source,)) for f in captured_value(source))
        elif source.origin in FROZEN and (frozen := frozen_value(source)) is not None:
            yield frozen
        elif source.origin in (Origin.CONTENTS, Origin.SIZE) and isinstance(note.value, str):
            code = "NST201" if source.origin is Origin.CONTENTS else "NST203"
            message = f"the text {value} was made from {in_words([source])}, and is a constant in the graph's result"
            yield Found(code, note.at, message, value, sources=(source,))


# ---- failures --------------------------------------------------------------------------------------


def failed(captured: Capture) -> Iterator[Found]:
    failure = captured.failure
    assert failure is not None
    at = locate(failure.site.at) if failure.site else None
    if at is None or failure.site is None:
        return
    name = type(failure.error).__name__
    text = f"{name}: {failure.error}" if str(failure.error) else name
    if isinstance(failure.error, NoContentsError):
        yield from _stopped(captured, failure.error.needed, at)
    elif isinstance(failure.error, Halt):
        if failure.error.reason:
            yield from ended(failure.site, failure.error.reason)
    elif isinstance(failure.error, SystemExit):
        yield from ended(failure.site, text)
    elif isinstance(failure.error, MemoryError):
        yield from ended(failure.site, "memory ran out")
    elif failure.only_traced:
        yield Found(
            "NST405",
            at,
            f"the tracer cannot follow this ({text}); the function itself does not raise here",
            None,
            Severity.ERROR,
            (),
            callers(failure.site),
        )
    else:
        yield Found("NST501", at, f"the function raised {text}", None, Severity.ERROR, (), callers(failure.site))


_NEEDED = {
    Why.CONDITION: "NST101", Why.VALUE: "NST201", Why.SHAPE: "NST404", Why.OPAQUE: "NST402", Why.RULE: "NST405",
}  # fmt: skip


def _stopped(captured: Capture, needed: ContentsNeeded, at: Located) -> Iterator[Found]:
    """Where contents were asked for that the example does not give: the graph ends there."""
    sources = captured.flow.sources(needed.origins)
    names = [f"`{s.label}`" for s in sources if s.origin is Origin.CONTENTS]
    whose = " and ".join(names[:3]) or "an array"
    message = f"{needed.why.value} the contents of {whose}, which the example does not give: the graph ends here"
    called = callers(needed.site) if needed.site is not None else ()
    found = Found(_NEEDED[needed.why], at, message, None, Severity.ERROR, where_from(sources), called)
    found.sources = tuple(sources)
    yield found


def told_by_memory(failure: Found, found: Iterable[Found]) -> bool:
    """Fold a failure of the very expression that reached for raw memory into that finding: one fault, told once."""
    for each in found:
        inside = each.at.file is failure.at.file and _within(each.at.where, failure.at.where)
        if each.code == "NST401" and inside:
            each.message += f"; {failure.message.removeprefix('the ')}"
            each.severity = Severity.ERROR
            return True
    return False


def told_by_effect(failure: Found, found: Iterable[Found]) -> bool:
    """What was raised where an effect was stopped is that finding, and an error: the run ended there."""
    for each in found:
        if each.stopped and each.at.file is failure.at.file and _is_around(failure.at.where, each.at.where):
            each.severity = Severity.ERROR
            return True
    return False


def _is_around(raised: tuple[int, int, int, int], stopped: tuple[int, int, int, int]) -> bool:
    """Whether the expression that raised is the one that was stopped, or a part of it, or has it as its own."""
    return _within(raised, stopped) or _within(stopped, raised)


def _within(inner: tuple[int, int, int, int], outer: tuple[int, int, int, int]) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]
