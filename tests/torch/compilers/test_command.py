"""The same through the command, the worker and its confinement."""

from __future__ import annotations

import json
from pathlib import Path

from nst_lsp.page import bundle
from tests.cli.command import nst

SOURCE = """\
import torch

SCALE = 3.0


# nst: example(torch.ones(4, 3))
def scaled(x):
    open("left_behind.txt", "w").close()
    h = x * SCALE
    if h.sum().item() > 3:
        h = h + 1
    return h


# nst: example(torch.ones(2))
def endless(x):
    while True:
        x = x + 1
"""


def test_dynamo_beside_our_trace_from_a_confined_child(tmp_path: Path):
    (tmp_path / "model.py").write_text(SOURCE)
    done = nst("graph", "model.py::scaled", "--dynamo", "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["function"], told["study"], told["error"]) == ("scaled", "dynamo", None)
    rows = {row["text"]: row for row in told["beside"]}
    assert [one["condition"] for one in rows["SCALE"]["theirs"]] == ["SCALE == 3.0"]
    assert [one["code"] for one in rows["SCALE"]["ours"]] == ["NST205"]
    assert rows["SCALE"]["range"]["start"] == {"line": 9, "column": 13}
    assert "break" in [
        one["kind"] for row in told["beside"] if row["range"]["start"]["line"] == 10 for one in row["theirs"]
    ]
    assert not (tmp_path / "left_behind.txt").exists()


def test_a_printed_backward_is_python_and_one_that_does_not_end_is_stopped(tmp_path: Path):
    (tmp_path / "model.py").write_text(SOURCE)
    done = nst("graph", "model.py::scaled", "--backward", "-o", "backward.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "backward.py").read_text()
    compile(text, "backward.py", "exec")
    assert "# line 9: x * SCALE" in text
    if bundle.is_built():
        done = nst("graph", "model.py::scaled", "--backward", "--format", "html", "-o", "backward.html", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        page = (tmp_path / "backward.html").read_text()
        assert '"study": {"kind": "backward"' in page
        assert str(tmp_path) not in page
    (tmp_path / "pyproject.toml").write_text("[tool.nst]\ntimeout = 2\n")
    stopped = nst("graph", "model.py::endless", "--joint", cwd=tmp_path)
    assert stopped.returncode == 1
    assert "still running" in stopped.stderr
