"""A report whose places have moved with the text: what an unchanged function was found to do, told of the text of now.

The function itself is as it was, but what stands around it may have been edited, and so its report speaks of other
lines.  Where one of its places is gone, there is no such report, and the function is traced again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from tracer.worker.wire import Edit, ExampleReport, Finding, GraphInfo, GroupInfo, NodeInfo, Place, Span

from .document import Shift
from .places import Places
from .traced import Basis, Outcome


class _LostError(Exception):
    """A place that the report speaks of is gone."""


def moved(outcome: Outcome, function: str, path: str, places: Places) -> ExampleReport | None:
    """An outcome's report in terms of the texts of now, or None; `path` is the file of its function."""
    shift = places.shift(path, outcome.basis)
    if shift is None or not shift.edits:  # other files' places stand still as long as their texts do
        return outcome.report
    if any(finding.fixes for finding in outcome.report.findings) and _is_called_otherwise(function, shift):
        return None
    try:
        report: ExampleReport = _moved(outcome.report, _Move(path, places, outcome.basis))
    except _LostError:
        return None
    return report


def _is_called_otherwise(function: str, shift: Shift) -> bool:
    """Whether a function is named more or less often than before: a fix may change all of its calls."""
    name = re.compile(rf"\b{re.escape(function.rpartition('.')[2])}\b")
    return len(name.findall(shift.before.source)) != len(name.findall(shift.after.source))


@dataclass(frozen=True, slots=True)
class _Move:
    path: str
    places: Places
    basis: Basis
    _known: dict[Place, Place] = field(default_factory=dict)
    """Places that were asked for: a loop's nodes and groups share a few."""

    def place(self, place: Place) -> Place:
        if place not in self._known:
            self._known[place] = replace(place, span=self.span(place.path, place.span))
        return self._known[place]

    def span(self, path: str, span: Span) -> Span:
        found = self.places.span(Place(path, span), self.basis)
        if found is None:
            raise _LostError
        return found

    def line(self, number: int) -> int:
        """Where a line of the function's file stands now, by the first word on it."""
        shift = self.places.shift(self.path, self.basis)
        if shift is None:
            return number
        line = shift.before.line(number)
        start = len(line) - len(line.lstrip()) + 1
        return self.span(self.path, Span(number, start, number, start + 1)).line


def _moved(value: Any, move: _Move) -> Any:
    """The same value with every place in it moved."""
    match value:
        case Place():
            return move.place(value)
        case NodeInfo() | GroupInfo():  # there may be tens of thousands
            return value if value.place is None else replace(value, place=move.place(value.place))
        case Finding():
            return _moved_finding(value, move)
        case GraphInfo():
            return replace(_fields(value, move), code=_moved_code(value, move))
        case tuple():
            return tuple(_moved(item, move) for item in value)
    return _fields(value, move) if is_dataclass(value) else value


def _fields(value: Any, move: _Move) -> Any:
    old = {each.name: getattr(value, each.name) for each in fields(value)}
    new = {name: _moved(item, move) for name, item in old.items() if isinstance(item, tuple) or is_dataclass(item)}
    return replace(value, **new)


def _moved_finding(finding: Finding, move: _Move) -> Finding:
    path = finding.place.path
    fixes = tuple(
        replace(fix, edits=tuple(Edit(move.span(path, edit.span), edit.text) for edit in fix.edits))
        for fix in finding.fixes
    )
    moved: Finding = _fields(replace(finding, fixes=()), move)
    dead = tuple(move.span(path, span) for span in finding.dead)
    return replace(moved, message=_moved_message(finding, moved), dead=dead, fixes=fixes)


def _moved_message(before: Finding, after: Finding) -> str:
    """A message names the line of one of its related places."""
    lines = {old.place.span.line: new.place.span.line for old, new in zip(before.related, after.related, strict=True)}
    return _NAMED_LINE.sub(lambda match: f"(line {lines.get(int(match[1]), int(match[1]))})", before.message)


_NAMED_LINE = re.compile(r"\(line (\d+)\)")
_COMMENTED_LINE = re.compile(r"(#.*\bline )(\d+)$")


def _moved_code(graph: GraphInfo, move: _Move) -> str:
    """The graph's code with the lines of the source that its comments name."""
    elsewhere = {node.line for node in graph.nodes if node.place is not None and node.place.path != move.path}
    if graph.rendered or (elsewhere and _LOOP in graph.code):
        raise _LostError  # a loop does not say of which file its line is

    def comment(match: re.Match[str]) -> str:
        return match[1] + str(move.line(int(match[2])))

    return "\n".join(
        line if number in elsewhere else _COMMENTED_LINE.sub(comment, line)
        for number, line in enumerate(graph.code.split("\n"))
    )


_LOOP = "alike iterations"
