"""Why a function's graph is another than before: what lenses and hovers say of it, and both graphs to be compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from . import plaintext
from .graphs import title
from .markup import Markup
from .reasons import Reason
from .traced import Function, Outcome
from .view import View

_REASONS = 5
"""Reasons that are shown."""


@dataclass(frozen=True, slots=True)
class Changed:
    title: str
    before: str
    """The graph's code before the save that last changed it."""
    after: str
    told: tuple[str, ...]
    """What changed, and each reason, in plain text."""


def changed(view: View, function: Function, outcome: Outcome) -> Changed | None:
    """A graph as it was and as it is; None where no save has changed it yet."""
    before, after = outcome.before.graph if outcome.before else None, outcome.report.graph
    if before is None or after is None or not outcome.changes:
        return None
    told = told_changes(view, outcome, plaintext)
    return Changed(title(function, outcome), before.code, after.code, tuple(told))


def is_news(outcome: Outcome) -> bool:
    """Whether the last save changed the graph."""
    return outcome.is_news and bool(outcome.changes)


def told_changes(view: View, outcome: Outcome, to: Markup) -> list[str]:
    """What changed when the graph last did, and each reason with its line."""
    changes = outcome.changes
    if not changes:
        return []
    when = "since the last save" if outcome.is_news else "when it last changed"
    told = [f"{to.prose(one.text)} {_where(view, outcome, one)}".rstrip() for one in changes.reasons[:_REASONS]]
    more = len(changes.reasons) - _REASONS
    return [f"{to.strong(when)}: {to.prose(changes.summary)}", *told, *([f"… {more} more"] if more > 0 else [])]


def _where(view: View, outcome: Outcome, reason: Reason) -> str:
    """The line of a reason as it is now; of what went away, the line that it had."""
    if reason.earlier is not None:
        return f"(it was in {_line(view, reason.earlier.path, reason.earlier.span.line)})"
    if reason.place is None:
        return ""
    span = view.places.span(reason.place, outcome.basis)
    return f"({_line(view, reason.place.path, span.line)})" if span else ""


def _line(view: View, path: str, line: int) -> str:
    return f"line {line}" if path == view.document.path else f"{PurePath(path).name}, line {line}"
