"""Code lenses above each function with examples: its graph, its findings, which example is shown.

They stand where the functions stand now, so they do not jump while one types; a result of an earlier text says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tracer.worker.wire import ExampleReport, Finding, Span, Status, Verdict

from .diagnostics import Diagnostic
from .graphs import operations, position
from .outline import definitions
from .traced import Function, Outcome
from .view import View


@dataclass(frozen=True, slots=True)
class Call:
    """A command with what it is about."""

    command: str
    path: str
    function: str | None = None
    example: int | None = None


@dataclass(frozen=True, slots=True)
class Lens:
    span: Span
    title: str
    call: Call


def lenses(view: View, reported: list[Diagnostic]) -> list[Lens]:
    """The lenses of a document; `reported` are its diagnostics, which are counted."""
    if not view.settings.code_lens:
        return []
    traced = [lens for function, span in view.names() for lens in _of(view, function, span, reported)]
    return [*traced, *_waiting(view)]


def _of(view: View, function: Function, span: Span, reported: list[Diagnostic]) -> Iterator[Lens]:
    outcome = view.shown(function)
    if outcome is None:
        yield Lens(span, "trace …", Call("nst.retrace", view.document.path, function.name))
        return
    stale = " (stale)" if view.stale(outcome) else ""
    show = Call("nst.showGraph", view.document.path, function.name, outcome.report.index)
    yield Lens(span, summary(outcome.report) + stale, show)
    count = _findings(function, reported)
    if count:
        yield Lens(span, f"{count} finding{'s' if count > 1 else ''}", show)
    if len(function.outcomes) > 1:
        number = position(function, outcome)
        title = f"example {number + 1} of {len(function.outcomes)}"
        yield Lens(span, title, _switch(view, function, outcome))


def _switch(view: View, function: Function, outcome: Outcome) -> Call:
    return Call("nst.switchExample", view.document.path, function.name, next_example(function, outcome))


def next_example(function: Function, outcome: Outcome) -> int:
    """The example after the one shown, in a circle."""
    return function.outcomes[(position(function, outcome) + 1) % len(function.outcomes)].report.index


def summary(report: ExampleReport) -> str:
    """`graph: 5 ops · valid for x.shape[0] > 2`, in one line."""
    if report.graph is None or report.status is Status.FAILED:
        return "graph: not traced"
    count = operations(report.graph)
    parts = [f"graph: {count} op{'' if count == 1 else 's'}"]
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
    """Before the first trace: functions that look as if they had examples."""
    if view.traced.functions:
        return
    for definition in definitions(view.document.text.source) or ():
        if definition.has_example or definition.is_annotated:
            yield Lens(definition.name_span, "trace …", Call("nst.retrace", view.document.path, definition.name))
