"""The functions of a file that have examples, and what became of these: what an editor lists and lets choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tracer.worker.wire import ExampleReport, Span, Status, Verdict

from .graphs import operations
from .traced import Function
from .view import View
from .witnesses import witness_arguments


@dataclass(frozen=True, slots=True)
class Example:
    index: int
    source: str
    """The arguments as written."""
    origin: str
    status: Status
    verdict: Verdict
    operations: int | None
    """Of its graph; None where there is none."""
    valid_for: str


@dataclass(frozen=True, slots=True)
class Tried:
    """Arguments that verification tried, and for which function and graph differ."""

    code: str
    """The rule of the finding."""
    arguments: str


@dataclass(frozen=True, slots=True)
class Listed:
    name: str
    span: Span
    """Its name in the document, as that is now."""
    example: int
    """The one that is shown."""
    examples: tuple[Example, ...]
    witnesses: tuple[Tried, ...]
    """Of its findings, as far as they can be written as arguments."""


def listed(view: View, only: Function | None = None) -> list[Listed]:
    """The functions that were traced, or one of them alone, as they stand in the file."""
    found = []
    for function, span in view.names():
        outcome = view.shown(function)
        if outcome is not None and (only is None or function.name == only.name):
            examples = tuple(_example(one.report) for one in function.outcomes)
            witnesses = tuple(dict.fromkeys(_witnesses(view, function)))
            found.append(Listed(function.name, span, outcome.report.index, examples, witnesses))
    return sorted(found, key=lambda one: (one.span.line, one.span.column))


def _witnesses(view: View, function: Function) -> Iterator[Tried]:
    source = view.document.text.source
    for outcome in function.outcomes:
        for finding in outcome.report.findings:
            arguments = witness_arguments(source, finding) if finding.function == function.name else None
            if arguments is not None:
                yield Tried(finding.code, arguments)


def _example(report: ExampleReport) -> Example:
    return Example(
        index=report.index,
        source=report.source,
        origin=report.origin,
        status=report.status,
        verdict=report.verdict,
        operations=operations(report.graph) if report.graph else None,
        valid_for=report.valid_for,
    )
