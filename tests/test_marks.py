"""The reader of marks itself, and that every mark of the cases stands under something."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.marks import Mark, Report, marks, problems, with_marks

SOURCE = """\
def fn(x):
    if x.mean() > 0:
#      ^^^^^^^^^^^^ NST101
        return x.tolist()
#       ~ NST201|NST202? or-right
    return x
"""


def report(code: str, line: int, start: int, end: int, severity: str = "warning") -> Report:
    span = {"start": {"line": line, "column": start}, "end": {"line": line, "column": end}}
    return {"code": code, "severity": severity, "message": "", "range": span}


def check(*findings: Report, right: bool = False) -> list[str]:
    return [problem.split(":")[0] for problem in problems(marks(SOURCE.replace("?", "")), findings, lambda: right)]


def test_marks_are_read():
    assert marks(SOURCE) == [
        Mark(2, (8, 20), frozenset({"NST101"})),
        Mark(4, None, frozenset({"NST201", "NST202"}), optional=True, or_right=True),
    ]


def test_one_to_one():
    condition, contents = report("NST101", 2, 8, 20), report("NST202", 4, 16, 26)
    assert check(condition, contents) == []
    assert check(condition) == ["missing"]
    assert check(condition, right=True) == []
    assert check(report("NST101", 2, 8, 19), contents) == ["missing", "false alarm"]
    assert check(condition, condition, contents) == ["false alarm"]
    assert check(condition, contents, report("NST506", 1, 1, 4, "hint")) == []


def test_a_source_with_the_marks_it_got():
    got = with_marks(SOURCE, [report("NST102", 2, 8, 10)])
    assert got.splitlines()[1:3] == ["    if x.mean() > 0:", "#      ^^ NST102"]
    assert "NST101" not in got


@pytest.mark.parametrize("path", sorted(Path(__file__).with_name("cases").glob("*.py")), ids=lambda path: path.stem)
def test_every_mark_stands_under_code(path: Path):
    lines = path.read_text(encoding="utf-8").split("\n")
    for mark in marks("\n".join(lines)):
        if mark.columns:
            text = lines[mark.line - 1][mark.columns[0] - 1 : mark.columns[1] - 1]
            assert len(text) == mark.columns[1] - mark.columns[0], f"{mark} reaches past the line"
            assert text == text.strip(), f"{mark} marks {text!r}"
