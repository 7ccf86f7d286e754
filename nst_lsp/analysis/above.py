"""Comments that are put above a function: where they stand, and how the lines of the file end."""

from __future__ import annotations

from tracer.worker.wire import Edit, Span

from .outline import Definition
from .text import Text


def above(text: Text, definition: Definition, comment: str) -> Edit:
    """The edit that puts a comment on a line of its own above a function, or above its decorators."""
    row, line = text.line(definition.span.line), definition.first_line
    indentation = row[: len(row) - len(row.lstrip())]
    return Edit(Span(line, 1, line, 1), f"{indentation}{comment}{line_end(text)}")


def line_end(text: Text) -> str:
    """How the lines of a text end, as its first one does."""
    if len(text.starts) < 2:
        return "\n"
    end = text.starts[1]
    return "\r\n" if text.source[:end].endswith("\r\n") else text.source[end - 1]
