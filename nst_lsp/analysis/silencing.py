"""Where a comment can stand that silences a finding: it must change nothing else of the program."""

from __future__ import annotations

import tokenize
from dataclasses import dataclass

from tracer.worker.wire import Edit, Finding, Span

from .outline import parse
from .silence import comments, tokens
from .text import Text


def silencing(text: Text, finding: Finding) -> Edit | None:
    """The edit that puts `# nst: ignore[CODE]` where it silences a finding; None where no comment can stand."""
    span = finding.place.span
    for ignore in comments(text.source):
        if ignore.rules and ignore.covers(span):
            return Edit(ignore.span, f"# nst: ignore[{', '.join([*ignore.rules, finding.code])}]")
    line = _comment_line(text, span)
    if line is None:
        return None
    end = len(text.line(line).rstrip()) + 1
    return Edit(Span(line, end, line, len(text.line(line)) + 1), f"  # nst: ignore[{finding.code}]")


def _comment_line(text: Text, span: Span) -> int | None:
    """The first line of a span, or else the last of its statement, at whose end a comment may stand."""
    layout = _layout(text, span)
    ends = (line for line in layout.ends if line >= span.end_line)
    candidates: list[int] = [*range(span.line, span.end_line + 1), next(ends, span.end_line)]
    for line in candidates:
        if line not in layout.within_strings and not text.line(line).rstrip().endswith("\\"):
            return line
    return None


@dataclass(frozen=True, slots=True)
class _Layout:
    within_strings: frozenset[int]
    """The lines whose end lies inside a string."""
    ends: tuple[int, ...]
    """The lines at whose end a statement ends."""


def _layout(text: Text, span: Span) -> _Layout:
    """Of the statement of the module around a span: a long file need not be read for it."""
    tree = parse(text.source)
    around = [one for one in tree.module.body if one.lineno <= span.line <= (one.end_lineno or 0)] if tree else []
    first = around[0].lineno if around else 1
    last = around[-1].end_lineno if around else len(text.starts)
    part = "\n".join(text.line(number) for number in range(first, (last or first) + 1)) + "\n"
    within: set[int] = set()
    ends: list[int] = []
    opened: list[int] = []
    for token in tokens(part):
        start: int = token.start[0] + first - 1
        end: int = token.end[0] + first - 1
        if token.type == tokenize.NEWLINE:
            ends.append(start)
        elif token.type == tokenize.STRING:
            within.update(range(start, end))
        elif token.type == _FSTRING_START:
            opened.append(start)
        elif token.type == _FSTRING_END and opened:
            within.update(range(opened.pop(), end))
    return _Layout(frozenset(within), tuple(ends))


_FSTRING_START = getattr(tokenize, "FSTRING_START", None)  # from Python 3.12 on
_FSTRING_END = getattr(tokenize, "FSTRING_END", None)
