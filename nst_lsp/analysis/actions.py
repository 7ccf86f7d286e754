"""Code actions: what a lens does, for editors without lenses; fixes; comments that silence, and examples to write."""

from __future__ import annotations

import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from tracer.worker.wire import Edit, Finding, Span

from . import offers
from .diagnostics import Diagnostic
from .graphs import position
from .lenses import Call, next_example
from .outline import Definition, definitions
from .silence import comments, tokens
from .text import Text
from .view import View


@dataclass(frozen=True, slots=True)
class Action:
    title: str
    call: Call | None = None
    edits: tuple[Edit, ...] = ()
    mends: Diagnostic | None = None
    """The diagnostic that it is an answer to."""
    preferred: bool = False


def actions(view: View, span: Span, reported: list[Diagnostic]) -> list[Action]:
    """What can be done about the selected text."""
    near = [one for one in reported if one.finding and _overlap(one.span, span)]
    mending = [action for one in near if one.finding for action in _mending(view, one, one.finding)]
    return [*mending, *_of_function(view, span, bool(near)), *_examples(view, span)]


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
    yield Action("Trace this file again", Call("nst.retrace", path))
    if outcome is not None and len(function.outcomes) > 1:
        following = next_example(function, outcome)
        number = (position(function, outcome) + 1) % len(function.outcomes) + 1
        title = f"Show example {number} of {len(function.outcomes)}"
        yield Action(title, Call("nst.switchExample", path, function.name, following))


def _examples(view: View, span: Span) -> Iterator[Action]:
    """At the head of a function: the examples that could be written above it."""
    text = view.document.text
    for definition in _definitions(view):
        if not definition.heads(span.line):
            continue
        for offer in offers.offers(view, definition):
            yield Action(offers.title(offer), edits=(offers.comment(text, definition, offer.arguments),))
        function = view.traced.function(definition.name)
        outcome = view.shown(function) if function else None
        if outcome is not None and outcome.report.origin == "annotation" and not definition.has_example:
            edit = offers.comment(text, definition, outcome.report.source)
            yield Action(f"Write the example of {definition.name} as a comment", edits=(edit,))


def _definitions(view: View) -> tuple[Definition, ...]:
    return definitions(view.document.text.source) or ()


# ---- what answers a finding ------------------------------------------------------------------------


def _mending(view: View, told: Diagnostic, finding: Finding) -> Iterator[Action]:
    if not told.stale:  # the edits of a fix speak of the text that was traced
        for fix in finding.fixes:
            if fix.edits:
                yield Action(fix.title, edits=fix.edits, mends=told, preferred=fix.verified)
    comment = silencing(view.document.text, finding)
    if comment is not None:
        yield Action(f"Silence {finding.code} here", edits=(comment,), mends=told)


def silencing(text: Text, finding: Finding) -> Edit | None:
    """The edit that puts `# nst: ignore[CODE]` where it silences a finding; None where no comment can stand."""
    span = finding.place.span
    for ignore in comments(text.source):
        if ignore.rules and ignore.covers(span):
            return Edit(ignore.span, f"# nst: ignore[{', '.join([*ignore.rules, finding.code])}]")
    line = _comment_line(text, span)
    if line is None:
        return None
    end = len(text.line(line).rstrip()) + 1
    return Edit(Span(line, end, line, len(text.line(line)) + 1), f"  # nst: ignore[{finding.code}]")


def _comment_line(text: Text, span: Span) -> int | None:
    """The first line of a span, or else the last of its statement, at whose end a comment may stand."""
    closed = _lines_within_strings(text)
    candidates: list[int] = [*range(span.line, span.end_line + 1), _statement_end(text, span.end_line)]
    for line in candidates:
        if line not in closed and not text.line(line).rstrip().endswith("\\"):
            return line
    return None


def _statement_end(text: Text, line: int) -> int:
    for token in tokens(text.source):
        number: int = token.start[0]
        if token.type == tokenize.NEWLINE and number >= line:
            return number
    return line


def _lines_within_strings(text: Text) -> set[int]:
    """The lines whose end lies inside a string."""
    within: set[int] = set()
    opened: list[int] = []
    for token in tokens(text.source):
        if token.type == tokenize.STRING:
            within.update(range(token.start[0], token.end[0]))
        elif token.type == _FSTRING_START:
            opened.append(token.start[0])
        elif token.type == _FSTRING_END and opened:
            within.update(range(opened.pop(), token.end[0]))
    return within


_FSTRING_START = getattr(tokenize, "FSTRING_START", None)  # from Python 3.12 on
_FSTRING_END = getattr(tokenize, "FSTRING_END", None)
