"""Code lenses above each function with examples: its graph, its findings, which example is shown.

They stand where the functions stand now, so they do not jump while one types; a result of an earlier text says so.
The list is cheap and asked for with every keystroke; what a lens says is asked for when it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from tracer.worker.wire import ExampleReport, Finding, Span, Status, Study, Verdict

from . import answers, plaintext
from .diagnostics import Diagnostic
from .graphs import operations, position
from .hovers import facts
from .news import is_news, told_changes
from .outline import definitions, heads_of_examples
from .studies import Question, can_be_asked
from .traced import Function, Outcome
from .view import View


@dataclass(frozen=True, slots=True)
class Call:
    """A command with what it is about."""

    command: str
    path: str
    function: str | None = None
    example: int | None = None
    study: str | None = None
    """Which of PyTorch's own tracers is asked."""


class What(Enum):
    """What a lens tells and does."""

    TRACE = "trace"
    GRAPH = "graph"
    FINDINGS = "findings"
    EXAMPLE = "example"
    DYNAMO = "dynamo"
    EXPORT = "export"


@dataclass(frozen=True, slots=True)
class Lens:
    """Where a lens stands; what it says is asked for apart (`titled`)."""

    span: Span
    what: What
    function: str


@dataclass(frozen=True, slots=True)
class Titled:
    title: str
    call: Call
    note: str = ""
    """More of it, in plain text."""


def lenses(view: View, reported: list[Diagnostic]) -> list[Lens]:
    """The lenses of a document; `reported` are its diagnostics, which are counted."""
    wanted = view.settings.code_lens
    if not wanted:
        return []
    traced = [
        Lens(span, what, function.name)
        for function, span in view.names()
        for what in _kinds(view, function, view.shown(function), reported)
        if _SETTING[what] in wanted
    ]
    return [*traced, *(_waiting(view) if _SETTING[What.TRACE] in wanted else ())]


def _kinds(view: View, function: Function, outcome: Outcome | None, reported: list[Diagnostic]) -> Iterator[What]:
    if outcome is None:
        yield What.TRACE
        return
    yield What.GRAPH
    if _findings(function, reported):
        yield What.FINDINGS
    if len(function.outcomes) > 1:
        yield What.EXAMPLE
    if can_be_asked(view.document.text.source, outcome):
        yield What.DYNAMO
    export = Question(function.name, outcome.report.index, Study.EXPORT)
    if export in view.answers or export in view.asking:  # it is asked for by an action; one offer is enough
        yield What.EXPORT


_SETTING = {
    What.TRACE: "graph",
    What.GRAPH: "graph",
    What.FINDINGS: "findings",
    What.EXAMPLE: "example",
    What.DYNAMO: "dynamo",
    What.EXPORT: "dynamo",
}
"""What the setting `codeLens` calls them."""
_STUDIES = {What.DYNAMO: Study.DYNAMO, What.EXPORT: Study.EXPORT}


def titled(view: View, what: What, name: str, reported: list[Diagnostic]) -> Titled:
    """What a lens says and does, by what is known now."""
    function = view.traced.function(name)
    outcome = view.shown(function) if function else None
    if what is What.TRACE or function is None or outcome is None:
        title = "trace …" if view.settings.trusted else "not run until this workspace is trusted"
        return Titled(title, Call("nst.retrace", view.document.path, name))
    show = Call("nst.showGraph", view.document.path, name, outcome.report.index)
    note = "\n".join(facts(outcome.report, view.traced, plaintext))
    match what:
        case What.GRAPH:
            news = [*told_changes(view, outcome, plaintext), ""] if is_news(outcome) else []
            return Titled(_graph(view, outcome), show, "\n".join([*news, note]))
        case What.FINDINGS:
            count = _findings(function, reported)
            return Titled(f"{count or 'no'} finding{'' if count == 1 else 's'}", show, note)
        case What.EXAMPLE:
            title = f"example {position(function, outcome) + 1} of {len(function.outcomes)}"
            switch = Call("nst.switchExample", view.document.path, name, next_example(function, outcome))
            return Titled(title, switch, outcome.report.source)
        case What.DYNAMO | What.EXPORT:
            question = Question(name, outcome.report.index, _STUDIES[what])
            ask = Call("nst.showStudy", view.document.path, name, outcome.report.index, question.study.value)
            return Titled(answers.title(view, question), ask, answers.note(view, question))


def _graph(view: View, outcome: Outcome) -> str:
    """What the graph is, and what the last save changed of it: that is news until the next save."""
    headline = outcome.changes.headline.replace("`", "") if is_news(outcome) else ""
    parts = [summary(outcome.report), *([headline] if headline else [])]
    return " · ".join(parts) + (" (stale)" if view.stale(outcome) else "")


def next_example(function: Function, outcome: Outcome) -> int:
    """The example after the one shown, in a circle."""
    return function.outcomes[(position(function, outcome) + 1) % len(function.outcomes)].report.index


def summary(report: ExampleReport) -> str:
    """`graph: 5 operations · valid for x.shape[0] > 2`, in one line."""
    if report.graph is None or report.status is Status.FAILED:
        return "graph: not traced"
    count = operations(report.graph)
    parts = [f"graph: {count} operation{'' if count == 1 else 's'}"]
    if report.status is Status.PARTIAL:
        parts.append("partial")
    if report.valid_for:
        parts.append(f"valid for {report.valid_for}")
    if report.verdict is Verdict.DIFFERS:
        parts.append("differs from the function")
    return " · ".join(parts)


def _findings(function: Function, reported: list[Diagnostic]) -> int:
    return sum(diagnostic.finding is not None and _about(diagnostic.finding, function) for diagnostic in reported)


def _about(finding: Finding, function: Function) -> bool:
    return finding.function == function.name


def _waiting(view: View) -> Iterator[Lens]:
    """Before the first trace: functions that look as if they had examples, also while the text does not parse."""
    if view.traced.functions:
        return
    source = view.document.text.source
    known = definitions(source)
    if known is None:
        yield from (Lens(span, What.TRACE, name) for name, span in heads_of_examples(source))
    for one in known or ():
        if one.has_example or one.is_annotated:
            yield Lens(one.name_span, What.TRACE, one.name)
