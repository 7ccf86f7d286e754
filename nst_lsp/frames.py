"""Findings as text for a terminal: a headline, the source with the exact range underlined, the evidence.

A finding becomes a list of lines, a line a tuple of pieces of text with the name of a style; nothing here
prints.  Widths are terminal cells: tabs are expanded, wide characters count two, combining ones none, so
that the carets stand under what they mean.  Spans count characters (see `tracer.worker.wire`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from tracer.rules import RULES, Severity
from tracer.worker.wire import Finding, Fix, Place, Related, Span, Witness

from .cells import spot
from .sources import Sources, shown_path

SEVERITY_STYLE = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.INFORMATION: "bold cyan",
    Severity.HINT: "dim",
}
_RAIL = "blue"
_WIDEST = 140
"""Characters of a source line that are shown at most; a longer one is cut around the range."""
_LEAD = 40
"""Characters kept before the range in a line that is cut."""
_TALLEST = 8
"""Lines of a range that are shown at most; a taller one is shown by its first and last lines."""


class Piece(NamedTuple):
    text: str
    style: str = ""


Line = tuple[Piece, ...]


def frame(finding: Finding, sources: Sources) -> list[Line]:
    """One finding as lines, without a blank line after it."""
    style = SEVERITY_STYLE[finding.severity]
    gutter = _gutter([finding.place, *(related.place for related in finding.related)], sources)
    return [
        _headline(finding, style),
        _arrow(finding.place, sources, gutter, f"  in {finding.function}" if finding.function else ""),
        *_snippet(finding.place, sources, gutter, "^", style, _label(finding)),
        *(_witness(finding.witness, gutter) if finding.witness else ()),
        *(_fix(fix, gutter) for fix in finding.fixes),
        *([_help(finding.code, gutter)] if finding.code in RULES else []),
        *(line for related in finding.related for line in _related(related, sources, gutter)),
    ]


def text(lines: Sequence[Line]) -> str:
    """The lines without their styles."""
    return "".join("".join(piece.text for piece in line).rstrip() + "\n" for line in lines)


def _headline(finding: Finding, style: str) -> Line:
    name = f" {RULES[finding.code].name}" if finding.code in RULES else ""
    return (
        Piece(f"{finding.severity.value}[{finding.code}]", style),
        Piece(f"{name}: ", "bold"),
        Piece(_flat(finding.message), "bold"),
    )


def _arrow(place: Place, sources: Sources, gutter: int, more: str = "") -> Line:
    where = f"{shown_path(place.path)}:{spot(place, sources).line}:{place.span.column}"
    return Piece(" " * gutter + "--> ", _RAIL), Piece(where), Piece(more, "dim")


def _label(finding: Finding) -> str:
    value = "" if finding.value is None else _one_line(finding.value)
    times = f"({finding.count} times)" if finding.count > 1 else ""
    return " ".join(part for part in (value, times) if part)


def _related(related: Related, sources: Sources, gutter: int) -> Iterator[Line]:
    yield Piece("note", "bold"), Piece(f": {_flat(related.message)}")
    yield _arrow(related.place, sources, gutter)
    yield from _snippet(related.place, sources, gutter, "-", _RAIL, "")


def _witness(witness: Witness, gutter: int) -> Iterator[Line]:
    """The arguments one a line, then what function and graph give for them."""
    entries = [(f"{name} = ", value) for name, value in witness.arguments.items()]
    entries += [("function: ", witness.function), ("graph:    ", witness.graph)]
    margin = " " * gutter + " = "
    yield Piece(margin, _RAIL), Piece("witness", "bold"), Piece(": function and graph differ for")
    for name, value in entries:
        indent = " " * (len(margin) + 2 + cell_len(name))
        first, *rest = value.split("\n")
        yield Piece(" " * (len(margin) + 2)), Piece(name, "bold"), Piece(_visible(first))
        for line in rest:
            yield (Piece(indent + _visible(line)),)


def _fix(fix: Fix, gutter: int) -> Line:
    checked = " (verified)" if fix.verified else ""
    return Piece(" " * gutter + " = ", _RAIL), Piece("fix", "bold"), Piece(f": {_flat(fix.title)}{checked}")


def _help(code: str, gutter: int) -> Line:
    return Piece(" " * gutter + " = ", _RAIL), Piece("help", "bold"), Piece(f": nst rule {code}")


# ---- source with a range underlined ----------------------------------------------------------------


def _snippet(place: Place, sources: Sources, gutter: int, mark: str, style: str, label: str) -> Iterator[Line]:
    """The place's lines with its range underlined, `label` behind the last mark; nothing if the file is gone."""
    source, span = sources(place.path), place.span
    if source is None or not 1 <= span.line <= span.end_line <= len(source.starts):
        return
    rail, above = Piece(" " * gutter + " |", _RAIL), span.line - spot(place, sources).span.line
    yield (rail,)
    for number in _shown_numbers(span):
        if number is None:
            yield (Piece("." * gutter, _RAIL),)
            continue
        line = source.line(number)
        code, indent, width = _underlined(line, *_columns(span, number, line))
        yield Piece(f"{number - above:>{gutter}} |", _RAIL), Piece(f" {code}")
        last = number == span.end_line
        if width or last:
            marks = mark * max(width, 1) + (f" {label}" if last and label else "")
            yield rail, Piece(" " * (indent + 1)), Piece(marks, style)


def _shown_numbers(span: Span) -> Iterator[int | None]:
    """The span's line numbers; None stands for those left out."""
    numbers = range(span.line, span.end_line + 1)
    if len(numbers) <= _TALLEST:
        yield from numbers
        return
    yield from numbers[: _TALLEST // 2]
    yield None
    yield from numbers[-_TALLEST // 2 :]


def _columns(span: Span, number: int, line: str) -> tuple[int, int]:
    """The part of line `number` that lies in the span, as offsets from 0, end exclusive, without indentation."""
    indentation = len(line) - len(line.lstrip())
    start = span.column - 1 if number == span.line else indentation
    end = span.end_column - 1 if number == span.end_line else len(line.rstrip())
    return min(start, len(line)), max(start, min(end, len(line)))


def _underlined(line: str, start: int, end: int) -> tuple[str, int, int]:
    """The line as shown, and the cells before the range and in it."""
    if len(line) > _WIDEST:
        line, start, end = _cut(line, start, end)
    shown = [_visible(part) for part in (line[:start], line[start:end], line[end:])]
    return "".join(shown).rstrip(), cell_len(shown[0]), cell_len(shown[1])


def _cut(line: str, start: int, end: int) -> tuple[str, int, int]:
    """At most `_WIDEST` characters of the line around the start of the range, with dots where it was cut."""
    first = max(0, min(start - _LEAD, len(line) - _WIDEST))
    last = min(len(line), first + _WIDEST)
    head, tail = "…" if first else "", "…" if last < len(line) else ""
    shift = len(head) - first
    return head + line[first:last] + tail, start + shift, min(end, last) + shift


def _gutter(places: Sequence[Place], sources: Sources) -> int:
    """Digits of the largest line number shown."""
    return max(len(str(place.span.end_line)) for place in places if place is places[0] or sources(place.path))


def _one_line(value: str, limit: int = 60) -> str:
    flat = _flat(value)
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def _flat(text: str) -> str:
    return _visible(" ".join(text.split()))


def _visible(line: str) -> str:
    """Tabs expanded; control characters, which could drive the terminal, as their pictures (U+2400…)."""
    return line.translate(_PICTURES)


_PICTURES = {code: chr(0x2400 + code) for code in range(32)} | {ord("\t"): "    ", 0x7F: "␡"}
