"""`nst graph --joint|…|--export` where there is nothing to ask, and how two tracers are set side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from nst_lsp.compilers.beside import beside
from tests.cli.command import nst
from tracer.rules import Severity
from tracer.worker.wire import ExampleReport, Finding, Guard, Place, Remark, RemarkKind, Span, Status

SOURCE = """\
import numpy as np


# nst: example(np.ones(3))
def scale(x):
    return x * 2
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.py").write_text(SOURCE)
    return tmp_path


def test_without_pytorch_its_tracers_are_refused_with_the_way_out(folder: Path):
    done = nst("graph", "model.py::scale", "--dynamo", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "PyTorch" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("other", [["--format", "dot"], ["--unfold"], ["--diff", "HEAD"]])
def test_other_forms_of_a_graph_do_not_go_with_them(other: list[str], folder: Path):
    done = nst("graph", "model.py::scale", "--backward", *other, cwd=folder)
    assert done.returncode == 2
    assert "--backward goes with" in done.stderr


def test_what_is_said_of_places_in_each_other_is_told_together():
    def place(line: int, start: int, end: int) -> Place:
        return Place("/m.py", Span(line, start, line, end))

    def finding(code: str, at: Place, text: str) -> Finding:
        return Finding(code, Severity.WARNING, "", "f", 0, at, text)

    scale, condition, item, append = place(2, 13, 18), place(3, 8, 22), place(4, 8, 22), place(5, 5, 20)
    remarks = [
        Remark(RemarkKind.BREAK, "", "", item, "h.sum().item()"),
        Remark(RemarkKind.GUARD, "", "SCALE == 3.0", scale, "SCALE"),
        Remark(RemarkKind.GUARD, "", "x.shape[0] > 2", condition, "x.shape[0] > 2"),
        Remark(RemarkKind.GUARD, "", "somewhere"),
    ]
    findings = (
        finding("NST205", scale, "SCALE"),
        finding("NST101", place(4, 8, 26), "h.sum().item() > 3"),
        finding("NST304", append, "log.append(x)"),
    )
    guards = (Guard("x.shape[0] > 2", condition), Guard("h.sum().item() > 3", place(4, 5, 28)))
    report = ExampleReport(0, "", "comment", scale, Status.TRACED, findings, guards=guards)
    rows = beside(remarks, report)
    assert [(row.text, len(row.theirs), [getattr(one, "code", "guard") for one in row.ours]) for row in rows] == [
        ("SCALE", 1, ["NST205"]),
        ("x.shape[0] > 2", 1, ["guard"]),
        ("h.sum().item() > 3", 1, ["NST101"]),
        ("log.append(x)", 0, ["NST304"]),
    ]
