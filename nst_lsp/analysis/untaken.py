"""Code that no run went through, as the conditions say that were decided: editors show it faded.

A condition may have gone one way in one example and the other way in another, and a helper may be called twice; what
anything of a graph comes from is not faded, whatever one finding says.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from tracer.worker.wire import Finding, Span

from .document import Shift
from .places import Places
from .traced import Traced

_Position = tuple[int, int]


def untaken(path: str, findings: Iterable[Finding], tracings: Iterable[Traced], places: Places) -> set[Span]:
    """The spans of a file that all findings agree upon; `findings` and the answer stand as the text is now."""
    by_condition: dict[Span, set[tuple[Span, ...]]] = {}
    for finding in findings:
        if finding.code in _CONDITIONS:
            by_condition.setdefault(finding.place.span, set()).add(finding.dead)
    left = {span for ways in by_condition.values() if len(ways) == 1 for dead in ways for span in dead}
    for shift, starts in _origins(path, tracings, places) if left else ():
        left = {span for span in left if not _holds_one(span, shift, starts)}
    return left


_CONDITIONS = frozenset({"NST101", "NST102", "NST103", "NST104", "NST105"})


def _origins(path: str, tracings: Iterable[Traced], places: Places) -> Iterator[tuple[Shift | None, list[_Position]]]:
    """Where the nodes of each graph come from in the file, as its text was, and the way from there to now."""
    for traced in tracings:
        for function in traced.functions:
            for outcome in function.outcomes:
                nodes = outcome.report.graph.nodes if outcome.report.graph else ()
                spans = (node.place.span for node in nodes if node.place and node.place.path == path)
                yield places.shift(path, outcome.basis), sorted((span.line, span.column) for span in spans)


def _holds_one(span: Span, shift: Shift | None, starts: list[_Position]) -> bool:
    first: _Position | None = (span.line, span.column)
    last: _Position | None = (span.end_line, span.end_column - 1)
    if shift is not None:
        first, last = shift.then(span.line, span.column), shift.then(span.end_line, span.end_column - 1)
    if first is None or last is None:
        return False
    at = bisect_left(starts, first)
    return at < len(starts) and starts[at] <= last
