"""What another tracer remarks and what ours finds, place by place.  Pure: plain data in, plain data out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tracer.worker.wire import ExampleReport, Finding, Guard, Place, Remark

from ..analysis.assumptions import within

Ours = Finding | Guard


@dataclass(frozen=True, slots=True)
class Row:
    """One place, and what is said of it by either."""

    place: Place
    text: str
    theirs: tuple[Remark, ...] = ()
    ours: tuple[Ours, ...] = ()


def beside(remarks: Iterable[Remark], report: ExampleReport | None) -> list[Row]:
    """Rows in the source's order; what is said of places that lie in each other, on one line, shares a row.

    A guard of ours is not told again on a line that a finding is about.  Remarks without a place are in no row.
    """
    rows: list[Row] = []
    for remark in remarks:
        if remark.place is not None:
            _add(rows, Row(remark.place, remark.text, theirs=(remark,)))
    findings = report.findings if report is not None else ()
    for finding in findings:
        _add(rows, Row(finding.place, finding.text, ours=(finding,)))
    told = {(finding.place.path, finding.place.span.line) for finding in findings}
    for guard in report.guards if report is not None else ():
        if guard.place is not None and (guard.place.path, guard.place.span.line) not in told:
            _add(rows, Row(guard.place, guard.text, ours=(guard,)))
    return sorted(rows, key=lambda row: (row.place.path, row.place.span.line, row.place.span.column))


def _add(rows: list[Row], new: Row) -> None:
    for number, row in enumerate(rows):
        if _share(row.place, new.place):
            outer = row if within(new.place, row.place) else new
            both = replace(outer, theirs=row.theirs + new.theirs, ours=row.ours + new.ours)
            rows[number] = both
            return
    rows.append(new)


def _share(one: Place, other: Place) -> bool:
    return one.span.line == other.span.line and (within(one, other) or within(other, one))
