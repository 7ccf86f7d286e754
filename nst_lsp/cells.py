"""Places in notebooks as the command line tells them: by cell, of all cells counted from 1, and the line in it."""

from __future__ import annotations

from dataclasses import replace

from tracer.worker.wire import Finding, Place, Related, Span

from .notebooks import NotebookText
from .report import FileResult, Spot
from .sources import Sources


def spot(place: Place, sources: Sources) -> Spot:
    source = sources(place.path)
    found = source.notebook.at(place.span.line) if isinstance(source, NotebookText) else None
    if found is None:
        return Spot(None, place.span)
    number, _, first = found
    span, by = place.span, first - 1
    return Spot(number, Span(span.line - by, span.column, span.end_line - by, span.end_column))


def spelled_out(result: FileResult, sources: Sources) -> FileResult:
    """A result for formats that know lines of files only: the messages say where in a notebook they belong."""
    findings, known = (
        tuple(_spelled_out(finding, sources) for finding in some) for some in (result.findings, result.known)
    )
    return replace(result, findings=findings, known=known)


def _spelled_out(finding: Finding, sources: Sources) -> Finding:
    related = tuple(Related(*_told(one.message, one.place, sources)) for one in finding.related)
    message, place = _told(finding.message, finding.place, sources)
    fixes = finding.fixes if place is finding.place else tuple(replace(fix, edits=()) for fix in finding.fixes)
    return replace(finding, message=message, place=place, related=related, fixes=fixes)


def _told(message: str, place: Place, sources: Sources) -> tuple[str, Place]:
    where = spot(place, sources)
    if where.cell is None:
        return message, place
    return f"cell {where.cell}, line {where.span.line}: {message}", Place(place.path, Span(1, 1, 1, 1))
