"""Code actions: what a lens does, for editors without lenses; fixes; comments that silence, and examples to write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tracer.worker.wire import Edit, Finding, Span

from . import offers
from .calls import Found, own_calls
from .diagnostics import Diagnostic
from .graphs import position
from .lenses import Call, next_example
from .outline import Definition, definitions
from .silencing import silencing
from .statics import making_static
from .studies import can_be_asked
from .view import View
from .witnesses import witness_arguments

QUICK_FIX = "quickfix"
REWRITE = "refactor.rewrite"


@dataclass(frozen=True, slots=True)
class Action:
    title: str
    call: Call | None = None
    edits: tuple[Edit, ...] = ()
    mends: Diagnostic | None = None
    """The diagnostic that it is an answer to."""
    preferred: bool = False
    kind: str = ""
    """As the protocol names it; empty for what is done by a command."""
    deferred: bool = False
    """Its edits are worked out when it is chosen, by clients that can ask then."""


_STUDIES = {
    "backward": "Ask PyTorch for the backward graph of {}",
    "dynamo": "Ask Dynamo where it would break {}, and what it would guard on",
    "export": "Ask torch.export what it would report of {}",
}
"""What is offered at the head of a function in a file with PyTorch; each takes seconds."""


def actions(view: View, span: Span, reported: list[Diagnostic], found: Iterable[Found] = ()) -> list[Action]:
    """What can be done about the selected text; `found` are calls, elsewhere, of the function that it heads."""
    near = [one for one in reported if one.finding and _overlap(one.span, span)]
    mending = [action for one in near if one.finding for action in _mending(view, one, one.finding)]
    witnesses = [action for one in near if one.finding for action in _witness(view, one.finding)]
    offered = [*mending, *witnesses, *_of_function(view, span, bool(near)), *_examples(view, span, found)]
    return list({(one.title, one.edits): one for one in reversed(offered)}.values())[::-1]


def wanting(view: View, line: int) -> Definition | None:
    """The function that a line heads and that has no example: calls of it are worth a search."""
    return next((one for one in _definitions(view) if one.heads(line) and _wants(one)), None)


def _wants(definition: Definition) -> bool:
    return not definition.has_example and "<locals>" not in definition.name


def _overlap(first: Span, second: Span) -> bool:
    starts_before = (first.line, first.column) <= (second.end_line, second.end_column)
    return starts_before and (second.line, second.column) <= (first.end_line, first.end_column)


# ---- what a lens does ------------------------------------------------------------------------------


def _of_function(view: View, span: Span, at_finding: bool) -> Iterator[Action]:
    """At the head of a function and at its findings; elsewhere the light bulb would never go out."""
    path = view.document.path
    found = view.function_at(span.line, span.column)
    if found is None:
        if any((one.has_example or one.is_annotated) and one.heads(span.line) for one in _definitions(view)):
            yield Action("Trace this file", Call("nst.retrace", path))
        return
    function, name = found
    if not at_finding and span.line > name.line:
        return
    outcome = view.shown(function)
    if outcome is not None and outcome.report.graph is not None:
        yield Action(f"Show graph of {function.name}", Call("nst.showGraph", path, function.name, outcome.report.index))
        view_of = f"Open the graph view of {function.name}"
        yield Action(view_of, Call("nst.openPage", path, function.name, outcome.report.index))
    if outcome is not None and span.line <= name.line and can_be_asked(view.document.text.source, outcome):
        for study, title in _STUDIES.items():
            call = Call("nst.showStudy", path, function.name, outcome.report.index, study)
            yield Action(title.format(function.name), call)
    yield Action("Trace this file again", Call("nst.retrace", path))
    if outcome is not None and len(function.outcomes) > 1:
        following = next_example(function, outcome)
        number = (position(function, outcome) + 1) % len(function.outcomes) + 1
        title = f"Show example {number} of {len(function.outcomes)}"
        yield Action(title, Call("nst.switchExample", path, function.name, following))


def _examples(view: View, span: Span, found: Iterable[Found]) -> Iterator[Action]:
    """At the head of a function: the examples that could be written above it."""
    text = view.document.text
    for definition in _definitions(view):
        if not definition.heads(span.line):
            continue
        for offer in offers.offers(view, definition):
            yield _writing(view, definition, offers.title(offer), offer.arguments)
        if _wants(definition):
            own = own_calls(text.source, view.document.path, definition.name)
            for call in own[:_MOST_CALLS]:
                yield _writing(view, definition, _title(call, definition), call.arguments)
            for call in found:
                yield _writing(view, definition, _title(call, definition), call.arguments, deferred=True)
        function = view.traced.function(definition.name)
        outcome = view.shown(function) if function else None
        if outcome is not None and outcome.report.origin == "annotation" and not definition.has_example:
            title = f"Write the example of {definition.name} as a comment"
            yield _writing(view, definition, title, outcome.report.source)


_MOST_CALLS = 3


def _title(call: Found, definition: Definition) -> str:
    name = Path(call.path).name
    where = name if name.endswith(".ipynb") else f"{name}:{call.line}"  # a cell's lines are counted by themselves
    return f"Write an example of {definition.name} from the call in {where}"


def _writing(view: View, definition: Definition, title: str, arguments: str, *, deferred: bool = False) -> Action:
    edit = offers.comment(view.document.text, definition, arguments)
    return Action(title, edits=(edit,), kind=REWRITE, deferred=deferred)


def _definitions(view: View) -> tuple[Definition, ...]:
    return definitions(view.document.text.source) or ()


# ---- what answers a finding ------------------------------------------------------------------------


def _mending(view: View, told: Diagnostic, finding: Finding) -> Iterator[Action]:
    text = view.document.text
    if not told.stale:  # the edits of a fix speak of the text that was traced
        for fix in finding.fixes:
            if fix.edits:
                yield Action(fix.title, edits=fix.edits, mends=told, preferred=fix.verified, kind=QUICK_FIX)
    static = making_static(text, finding)
    if static is not None:
        names, edit = static
        yield Action(f"Make {' and '.join(names)} static", edits=(edit,), mends=told, kind=QUICK_FIX)
    comment = silencing(text, finding)
    if comment is not None:
        yield Action(f"Silence {finding.code} here", edits=(comment,), mends=told, kind=QUICK_FIX)


def _witness(view: View, finding: Finding) -> Iterator[Action]:
    """The arguments for which function and graph differ, as one more example of the function."""
    definition = next((one for one in _definitions(view) if one.name == finding.function), None)
    function = view.traced.function(finding.function)
    arguments = witness_arguments(view.document.text.source, finding)
    if definition is None or function is None or arguments is None:
        return
    reports = [outcome.report for outcome in function.outcomes]
    is_own = any(one.witness == finding.witness for report in reports for one in report.findings)
    if is_own and all(report.source != arguments for report in reports):  # else another file's, of that name
        yield _writing(view, definition, f"Add the witness as an example of {definition.name}", arguments)
