"""`nst graph --diff`: why a graph is another than at a revision, of another function, or with another example."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from .common import misuse, print_json, with_worker

if TYPE_CHECKING:
    from tracer.worker.wire import ExampleReport, Place

    from ..analysis.changes import Changes
    from ..frames import Line
    from ..graphs import Shown, Target
    from ..project import Project, Wishes
    from ..workers import Workers


@dataclass(frozen=True, slots=True)
class Side:
    """What is compared: an example of a function, as it is or as it was."""

    target: Target
    example: int
    revision: str | None = None

    @property
    def title(self) -> str:
        example = f" · example {self.example}" if self.example else ""
        return self.target.function + example + (f" at {self.revision}" if self.revision else "")


def diff(before: Side, after: Side, style: str, wishes: Wishes) -> int:
    """Print what `after` has that `before` had not, and the other way round; the exit code."""
    from ..git import GitError
    from ..graphs import NotFoundError

    async def both(project: Project, workers: Workers) -> tuple[Shown, Shown]:
        return await _traced(before, project, workers), await _traced(after, project, workers)

    try:
        old, new = with_worker(after.target, wishes, both)
    except (NotFoundError, GitError) as error:
        misuse(str(error))
    return _print(before, after, _report(old, before), _report(new, after), style)


async def _traced(side: Side, project: Project, workers: Workers) -> Shown:
    from ..graphs import graph
    from ..history import graph_at

    if side.revision is None:
        return await graph(side.target, side.example, (), project, workers)
    return await graph_at(side.revision, side.target, side.example, (), project, workers)


def _report(shown: Shown, side: Side) -> ExampleReport:
    if shown.report is None:
        why = shown.error or next((finding.message for finding in shown.findings), "it was not traced")
        misuse(f"{side.title} cannot be compared: {why}")
    return shown.report


def _print(before: Side, after: Side, old: ExampleReport, new: ExampleReport, style: str) -> int:
    from ..analysis.changes import compare
    from ..analysis.codediff import code_diff
    from ..console import show

    changes = compare(old, new)
    lines: list[str] = []
    if changes and old.graph is not None and new.graph is not None:
        lines = code_diff(old.graph, new.graph, dict(changes.names), (before.title, after.title))
    if style == "json":
        print_json(_json(before, after, changes, lines))
    elif changes:
        show([*_summary(changes, before), *_coloured(lines)], sys.stdout)
    else:
        click.echo(f"nst: {after.title} has the graph of {before.title}", err=True)
    return int(bool(changes))


# ---- text ------------------------------------------------------------------------------------------


def _summary(changes: Changes, before: Side) -> list[Line]:
    from ..frames import Piece

    then = before.revision or before.title
    places = [
        _spot(reason.earlier, f" of {then}") if reason.earlier else _spot(reason.place) for reason in changes.reasons
    ]
    width = max(map(len, places), default=0)
    reasons = [
        (Piece(f"  {place:<{width}}  ", "blue"), Piece(reason.text))
        for place, reason in zip(places, changes.reasons, strict=True)
    ]
    return [(Piece(changes.summary, "bold"),), *reasons]


def _spot(place: Place | None, more: str = "") -> str:
    from ..sources import shown_path

    return f"{shown_path(place.path)}:{place.span.line}{more}" if place else ""


def _coloured(lines: list[str]) -> list[Line]:
    from ..frames import Piece

    styles = {"+++": "bold", "---": "bold", "@@ ": "cyan"}
    signs = {"+": "green", "-": "red"}
    told: list[Line] = [(Piece(line, styles.get(line[:3]) or signs.get(line[:1], "")),) for line in lines]
    return [(Piece(""),), *told] if told else []


# ---- JSON ------------------------------------------------------------------------------------------


def _json(before: Side, after: Side, changes: Changes, lines: list[str]) -> dict[str, Any]:
    return {
        "schema": 1,
        "before": _side(before),
        "after": _side(after),
        "equal": not changes,
        "summary": changes.summary,
        "added": list(changes.added),
        "removed": [{"name": one.name, "code": one.code, "after": one.after} for one in changes.removed],
        "changed": [{"name": one.name, "before": one.before, "after": one.after} for one in changes.changed],
        "reasons": [
            {"text": one.text, "place": _place(one.place), "earlier": _place(one.earlier)} for one in changes.reasons
        ],
        "diff": lines,
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "path": side.target.path,
        "function": side.target.function,
        "example": side.example,
        "revision": side.revision,
    }


def _place(place: Place | None) -> dict[str, Any] | None:
    if place is None:
        return None
    span = place.span
    return {
        "path": place.path,
        "range": {
            "start": {"line": span.line, "column": span.column},
            "end": {"line": span.end_line, "column": span.end_column},
        },
    }
