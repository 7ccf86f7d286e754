"""Marks: expectations written under the line of code they speak of, and how they are held against a report.

    if x.mean() > 0:
#      ^^^^^^^^^^^^ NST101

The carets stand under the exact range; `~ NST101` means any range on that line; `NST205?` may be there or not;
`NST101|NST201` is either; `or-right` may be absent where the graph gives the function's own result on the file's
`WITNESS`. A finding without a mark is a false alarm, unless it is a hint.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Report = dict[str, Any]
"""One finding of `nst check --format json`."""

_MARK = re.compile(r"#(\s*)(\^+|~)\s+(NST\d{3}(?:\|NST\d{3})*)(\?)?(\s+or-right)?\s*")


@dataclass(frozen=True, slots=True)
class Mark:
    line: int
    columns: tuple[int, int] | None
    """First column and the one after the last; None for any range."""
    codes: frozenset[str]
    optional: bool = False
    or_right: bool = False

    def means(self, finding: Report) -> bool:
        if finding["code"] not in self.codes or finding["range"]["start"]["line"] != self.line:
            return False
        return self.columns is None or columns(finding) == (self.line, *self.columns)

    def __str__(self) -> str:
        where = f"columns {self.columns[0]}-{self.columns[1]}" if self.columns else "anywhere"
        return f"line {self.line}, {where}: {'|'.join(sorted(self.codes))}"


def columns(finding: Report) -> tuple[int, int, int]:
    """The last line, the first column and the one after the last."""
    start, end = finding["range"]["start"], finding["range"]["end"]
    return end["line"], start["column"], end["column"]


def marks(source: str) -> list[Mark]:
    """The marks of a source; each speaks of the nearest line above it that is none."""
    found, code_line = [], 0
    for number, line in enumerate(source.split("\n"), 1):
        match = _MARK.fullmatch(line)
        if match is None:
            code_line = number
            continue
        gap, sign, codes, optional, right = match.groups()
        start = 2 + len(gap)
        span = None if sign == "~" else (start, start + len(sign))
        found.append(Mark(code_line, span, frozenset(codes.split("|")), bool(optional), bool(right)))
    return found


def problems(expected: Iterable[Mark], findings: Iterable[Report], graph_is_right: Callable[[], bool]) -> list[str]:
    """What does not match, one to one; `graph_is_right` is asked only where a mark says `or-right`."""
    left = list(findings)
    wrong = []
    for mark in sorted(expected, key=lambda mark: mark.columns is None):  # the exact ones choose first
        hit = next((finding for finding in left if mark.means(finding)), None)
        if hit is not None:
            left.remove(hit)
        elif not mark.optional and not (mark.or_right and graph_is_right()):
            wrong.append(f"missing: {mark}")
    wrong += [f"false alarm: {_described(finding)}" for finding in left if finding["severity"] != "hint"]
    return wrong


def problems_by_statement(expected: Iterable[Mark], findings: Sequence[Report]) -> list[str]:
    """What does not match where no columns are known: a finding stands at its statement, one for all alike in it."""
    marked = list(expected)
    wrong = [
        f"missing: {mark}"
        for mark in marked
        if not mark.optional and not mark.or_right and not any(_in(finding, mark) for finding in findings)
    ]
    unmarked = [finding for finding in findings if not any(_in(finding, mark) for mark in marked)]
    return wrong + [f"false alarm: {_described(finding)}" for finding in unmarked if finding["severity"] != "hint"]


def _in(finding: Report, mark: Mark) -> bool:
    lines = finding["range"]
    return finding["code"] in mark.codes and lines["start"]["line"] <= mark.line <= lines["end"]["line"]


def _described(finding: Report) -> str:
    line, start, end = columns(finding)
    return f"line {line}, columns {start}-{end}: {finding['code']} ({finding['severity']}) {finding['message']}"


def with_marks(source: str, findings: Sequence[Report]) -> str:
    """The source with the marks that were got instead of those that were expected."""
    lines = source.split("\n")
    got: dict[int, list[str]] = {}
    for finding in findings:
        last, start, end = columns(finding)
        line = finding["range"]["start"]["line"]
        exact = last == line and start >= 2
        sign = " " * (start - 2) + "^" * (end - start) if exact else "   ~"
        got.setdefault(line, []).append(
            f"#{sign} {finding['code']}{' (hint)' if finding['severity'] == 'hint' else ''}"
        )
    shown = []
    for number, text in enumerate(lines, 1):
        if _MARK.fullmatch(text) is None:
            shown.append(text)
        shown += got.get(number, [])
    return "\n".join(shown)
