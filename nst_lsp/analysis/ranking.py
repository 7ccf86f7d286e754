"""Which findings weigh more, and which of several for one place is told."""

from __future__ import annotations

from collections.abc import Iterable

from tracer.rules import Severity
from tracer.worker.wire import Finding, Span

RANK = {Severity.HINT: 0, Severity.INFORMATION: 1, Severity.WARNING: 2, Severity.ERROR: 3}
"""How much a severity weighs; `--fail-on` compares by it."""


def once(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each code and range: of the strongest evidence one with fixes, if any; the first among equals."""
    best: dict[tuple[str, Span], Finding] = {}
    for finding in findings:
        key = finding.code, finding.place.span
        if key not in best or _evidence(finding) > _evidence(best[key]):
            best[key] = finding
    return sorted(best.values(), key=lambda finding: (corners(finding.place.span), finding.code))


def _evidence(finding: Finding) -> tuple[int, bool, bool]:
    return RANK[finding.severity], finding.witness is not None, bool(finding.fixes)


def corners(span: Span) -> tuple[int, int, int, int]:
    return span.line, span.column, span.end_line, span.end_column
