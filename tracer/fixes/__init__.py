"""Fixes: changes of the user's text that answer a finding, each tried before it is offered.

proposals    who proposes what for which rule: `choices`, `conversions`, `inputs`, `state`
trying       runs and traces the changed text in copies of the process; `objections` says what speaks against it

Nothing that was not tried is offered.  Where there is no `fork`, there are no fixes; with Python 3.10, which keeps no
columns, there are hardly any.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace

from ..examples import Example
from ..positions import FILES
from ..rules import Severity
from ..worker.wire import ExampleReport, Finding, Fix, TraceFile
from .candidate import Candidate
from .proposals import proposed
from .running import Bench
from .text import Text
from .trying import holding

_MOST = 12
"""Candidates that are tried for one example, at most."""
_ORDER = [Severity.ERROR, Severity.WARNING, Severity.INFORMATION]
"""Whose findings are tried first; hints need no fix."""


def mended(
    report: ExampleReport,
    example: Example,
    path: str | None,
    request: TraceFile | None,
    seconds: float,
    wait: Callable[[], object],
) -> ExampleReport:
    """The report of a trace with the fixes of its findings; the same report where there are none.

    `path` is the file that the request had loaded, `seconds` the time that all trials may take, counted from when
    `wait` has returned, which is called if there is anything to try.
    """
    file = FILES.get(path or "")
    if file is None or request is None or not hasattr(os, "fork") or os.environ.get("NST_NO_FORK"):
        return report
    text = Text(file)
    pairs = _candidates(text, report)
    if not pairs:
        return report
    wait()
    until = time.monotonic() + seconds
    bench = Bench(file.path, file.text, request, example, report.findings, report.verdict)
    kept = [pairs[number] for number in holding(bench, pairs, until)]
    if time.monotonic() > until:
        report = replace(report, cut_short=True)
    if not kept:
        return report
    return replace(report, findings=tuple(replace(f, fixes=_fixes(text, f, kept)) for f in report.findings))


def _candidates(text: Text, report: ExampleReport) -> list[tuple[Finding, Candidate]]:
    """What is to be tried, the most severe findings first."""
    ordered = sorted((f for f in report.findings if f.severity in _ORDER), key=lambda f: _ORDER.index(f.severity))
    return [(finding, candidate) for finding in ordered for candidate in proposed(text, finding)][:_MOST]


def _fixes(text: Text, finding: Finding, kept: list[tuple[Finding, Candidate]]) -> tuple[Fix, ...]:
    return tuple(candidate.fix(text) for mended_, candidate in kept if mended_ is finding)


__all__ = ["mended"]
