"""Places in notebooks as the command line tells them: by cell, of all cells counted from 1, and the line in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tracer.worker.wire import Finding, Place, Related, Span

from .notebooks import NotebookText
from .sources import Sources


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as people count it; `cell` is the number of a notebook's cell, whose lines then count from 1."""

    cell: int | None
    span: Span

    @property
    def line(self) -> str:
        return str(self.span.line) if self.cell is None else f"cell {self.cell}:{self.span.line}"


Spots = Callable[[Place], Spot]


def in_files(place: Place) -> Spot:
    """Where no file is a notebook."""
    return Spot(None, place.span)


def spot(place: Place, sources: Sources) -> Spot:
    source = sources(place.path)
    found = source.notebook.at(place.span.line) if isinstance(source, NotebookText) else None
    if found is None:
        return Spot(None, place.span)
    number, _, first = found
    span, by = place.span, first - 1
    return Spot(number, Span(span.line - by, span.column, span.end_line - by, span.end_column))


def spelled_out(finding: Finding, sources: Sources) -> Finding:
    """A finding for formats that know lines of files only: the messages say where in a notebook they belong."""
    related = tuple(Related(*_told(one.message, one.place, sources)) for one in finding.related)
    message, place = _told(finding.message, finding.place, sources)
    fixes = finding.fixes if place is finding.place else tuple(replace(fix, edits=()) for fix in finding.fixes)
    return replace(finding, message=message, place=place, related=related, fixes=fixes)


def _told(message: str, place: Place, sources: Sources) -> tuple[str, Place]:
    where = spot(place, sources)
    if where.cell is None:
        return message, place
    return f"cell {where.cell}, line {where.span.line}: {message}", Place(place.path, Span(1, 1, 1, 1))
