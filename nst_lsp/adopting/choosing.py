"""Which of the candidates that trace are proposed: the most telling, and others only where their graph is another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tracer.rules import Severity
from tracer.worker.wire import ExampleReport, Finding, Status, Verdict

from ..analysis.selection import selected
from ..project import Project
from .trying import Tried


def chosen(tried: Sequence[Tried], most: int) -> list[Tried]:
    """At most so many, in the order of the candidates; those with poor sizes come after all others.

    Where some give the function an array, those that give it none are left out: all of their graph is constant.
    """
    reports = [(one, one.report) for one in tried if one.report is not None and _is_usable(one.report)]
    reports.sort(key=lambda pair: _is_poor(pair[1]))
    distinct: dict[str, Tried] = {}
    with_arrays = any(_has_input(report) for _, report in reports)
    for one, report in reports:
        if _has_input(report) or not with_arrays:
            distinct.setdefault(_operations(report), one)
    return list(distinct.values())[:most]


def _is_usable(report: ExampleReport) -> bool:
    """Whether it was traced to the end, and there is something in the graph."""
    return report.status is Status.TRACED and report.graph is not None and report.graph.operations > 0


def _has_input(report: ExampleReport) -> bool:
    return report.graph is not None and any(node.operation == "input" for node in report.graph.nodes)


def _is_poor(report: ExampleReport) -> bool:
    return any(finding.code == "NST506" for finding in report.findings)


def _operations(report: ExampleReport) -> str:
    """The graph's code without shapes and lines: what it does, whatever the sizes."""
    return re.sub(r"  #.*", "", report.graph.code) if report.graph else ""


def result(report: ExampleReport, project: Project) -> str:
    """What came of an example: `5 operations, agrees`, `2 operations, differs: NST101 branch-on-value`."""
    count = report.graph.operations if report.graph else 0
    operations = f"{count} operation{'' if count == 1 else 's'}"
    codes = ", ".join(dict.fromkeys(finding.code for finding in _told(report.findings, project)))
    verdict = "not compared" if report.verdict is Verdict.UNVERIFIED else report.verdict.value
    return f"{operations}, {verdict}{f': {codes}' if codes else ''}"


def _told(findings: Sequence[Finding], project: Project) -> Iterator[Finding]:
    yield from (one for one in selected(findings, project.settings, project.root) if one.severity is not Severity.HINT)


def reason(tried: Sequence[Tried]) -> str:
    """Why no candidate of a function is proposed, in a few words."""
    reports = [one.report for one in tried if one.report is not None]
    for report in reports:
        for finding in report.findings if report.status is not Status.TRACED else ():
            if finding.severity is Severity.ERROR:
                return f"{finding.code}: {finding.message.splitlines()[0]}"
    return "nothing of arrays is in its graph" if reports else "the run came to no end"
