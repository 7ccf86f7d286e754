"""What importing the requested file came to: why it failed (NST503), and what it did to the outside on the way."""

from __future__ import annotations

import ast
import traceback
from collections.abc import Iterable
from dataclasses import replace

from ..events import Effect, Instruction
from ..positions import FILES, SourceFile, instruction_range, range_of
from ..rules import RULES, Severity
from .wire import Finding, Place, Span


def failure(path: str, error: BaseException) -> Finding:
    """NST503 on the statement of the file that could not be run."""
    text = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
    if isinstance(error, SyntaxError) and error.filename == path and error.lineno:
        column, end = error.offset or 1, error.end_offset or 0
        end_line = error.end_lineno or error.lineno
        end = end if (end_line, end) > (error.lineno, column) else column + 1
        place = Place(path, Span(error.lineno, max(column, 1), end_line, end))
        return _finding("NST503", f"the module cannot be imported: {text}", place)
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if f.filename == path]
    line = own[-1].lineno if own and own[-1].lineno else 1
    file = FILES.get(path)
    statement = _statement_at(file, line) if file else None
    place = statement or Place(path, Span(line, 1, line, 2))
    return _finding("NST503", f"the module cannot be imported: {text}", place)


def told(path: str, effects: Iterable[Effect], failed: Finding | None = None) -> tuple[Finding, ...]:
    """What importing would have done to the outside: one finding for each statement of the file and rule.

    What the user permits is none: no graph is expected to do what an import does.  A module that could not be
    imported because an effect was stopped has one fault, not two.
    """
    found: dict[tuple[str, Place], Finding] = {}
    ended = False
    for effect in effects:
        place = _place(path, effect)
        if place is None or effect.permitted:
            continue
        fatal = failed is not None and effect.stopped and place == failed.place
        ended |= fatal
        message = effect.message.replace("while tracing", "on import")
        severity = Severity.ERROR if fatal else RULES[effect.code].default
        known = found.get((effect.code, place))
        made = replace(_finding(effect.code, message, place), severity=severity)
        found[effect.code, place] = made if known is None else replace(made, count=known.count + 1)
    return (*found.values(), *([] if failed is None or ended else [failed]))


def _place(path: str, effect: Effect) -> Place | None:
    """The statement of the file that led to an effect, which may have been in a module that it imports."""
    own = next((at for at in (effect.site.at, *effect.site.callers) if at.code.co_filename == path), None)
    return _statement_of(own) if own is not None else None


def _statement_of(at: Instruction) -> Place | None:
    file, where = FILES.get(at.code.co_filename), instruction_range(at)
    return _statement_at(file, where[0]) if file is not None and where is not None else None


def _statement_at(file: SourceFile, line: int) -> Place | None:
    """The innermost statement on a line; of a compound statement its first line."""
    inside = [n for n in file.nodes if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or n.lineno)]
    if not inside:
        return None
    best = max(inside, key=lambda n: (n.lineno, n.col_offset))
    place = file.place(range_of(best))
    if hasattr(best, "body"):
        row = file.lines[place.span.line - 1].rstrip()
        return Place(place.path, Span(place.span.line, place.span.column, place.span.line, len(row) + 1))
    return place


def _finding(code: str, message: str, place: Place) -> Finding:
    return Finding(code, Severity.ERROR, message, "", 0, place, "")
