r"""Source text with its lines: between positions (line and column from 1) and offsets (from 0), in characters.

Lines end as they do for Python and for LSP, at `\n`, `\r\n` and `\r`; `str.splitlines` would break at form feeds
and U+2028 too.  Positions outside the text are moved to its nearest place, as LSP asks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from tracer.worker.wire import Span


class Text:
    """A text and where its lines start; compared by its content."""

    first = 1
    """The line that an editor counts as its first: of a notebook, each cell is an editor's document."""

    def __init__(self, source: str) -> None:
        self.source = source

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and (self is other or self.source == other.source)

    def __hash__(self) -> int:
        return hash(self.source)

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line starts; a text that ends with a line end has an empty last line."""
        if "\r" not in self.source:
            starts, at = [0], self.source.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = self.source.find("\n", at + 1)
            return starts
        return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", self.source))]

    @property
    def last(self) -> int:
        """The last line that the editor counts."""
        return len(self.starts)

    def shows(self, line: int) -> bool:
        """Whether what is to be said of a line is said here."""
        return True

    def line(self, number: int) -> str:
        """Line `number` without its end; empty outside the text."""
        if not 1 <= number <= len(self.starts):
            return ""
        start = self.starts[number - 1]
        end = self.starts[number] if number < len(self.starts) else len(self.source)
        return self.source[start:end].rstrip("\r\n")

    def offset(self, line: int, column: int) -> int:
        if line < 1:
            return 0
        if line > len(self.starts):
            return len(self.source)
        return self.starts[line - 1] + min(max(column - 1, 0), len(self.line(line)))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        offset = min(max(offset, 0), len(self.source))
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        return Span(*self.position(start), *self.position(end))

    def offsets(self, span: Span) -> tuple[int, int]:
        start = self.offset(span.line, span.column)
        return start, max(start, self.offset(span.end_line, span.end_column))

    def at(self, span: Span) -> str:
        """The text that a span covers."""
        start, end = self.offsets(span)
        return self.source[start:end]
