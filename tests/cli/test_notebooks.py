"""Notebooks on the command line: findings by cell and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import check_json, nst

CELLS = [
    ("markdown", "An example\n>>> f(x)"),
    ("code", "%matplotlib inline\nimport numpy as np\nbias = 2.0"),
    ("code", "# nst: example(np.ones(3))\ndef f(x):\n    return x * bias\n"),
]


def write(path: Path, cells=CELLS, language: str = "python") -> Path:
    made = [{"cell_type": kind, "source": text.splitlines(keepends=True), "metadata": {}} for kind, text in cells]
    path.write_text(json.dumps({"nbformat": 4, "metadata": {"language_info": {"name": language}}, "cells": made}))
    return path


def test_findings_are_told_by_cell_and_line(tmp_path):
    write(tmp_path / "a b.ipynb")
    (result,) = check_json(".", cwd=tmp_path)["files"]
    (function,), (finding,) = result["functions"], result["findings"]
    assert (function["name"], function["cell"], function["line"]) == ("f", 3, 2)
    start, end = ({"line": 3, "column": column} for column in (16, 20))
    assert (finding["code"], finding["cell"], finding["range"]) == ("NST205", 3, {"start": start, "end": end})
    assert [(one["cell"], one["range"]["start"]["line"]) for one in finding["related"]] == [(2, 3)]
    text = nst("check", ".", cwd=tmp_path).stdout
    assert " --> a b.ipynb:cell 3:3:16  in f\n  |\n3 |     return x * bias\n" in text
    command = nst("check", "--format", "github", ".", cwd=tmp_path).stdout
    assert command.startswith("::notice file=a b.ipynb,line=1,endLine=1,col=1,")
    assert "::cell 3, line 3: the hidden input `bias`" in command


def test_a_notebook_has_graphs_and_comparisons(tmp_path):
    write(tmp_path / "a.ipynb")
    graph = nst("graph", "a.ipynb::f", cwd=tmp_path)
    assert (graph.returncode, graph.stdout.partition("(")[0]) == (0, "def f")
    assert nst("compare", "a.ipynb::f", "np.ones(2)", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("text", ["{", "[]", '{"nbformat": 3, "worksheets": []}'])
def test_what_is_no_notebook_is_told(tmp_path, text):
    (tmp_path / "bad.ipynb").write_text(text)
    (result,) = check_json(".", cwd=tmp_path)["files"]
    assert result["error"].startswith("not a notebook")
    for command in (["graph", "bad.ipynb::f"], ["compare", "bad.ipynb::f", "1"]):
        done = nst(*command, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("nst: bad.ipynb is not a notebook")


def test_a_folder_is_searched_for_notebooks_with_examples_in_python(tmp_path):
    write(tmp_path / "julia.ipynb", language="julia")
    write(tmp_path / "words.ipynb", CELLS[:2])
    write(tmp_path / "named.ipynb")
    (tmp_path / ".ipynb_checkpoints").mkdir()
    write(tmp_path / ".ipynb_checkpoints" / "named-checkpoint.ipynb")
    assert [Path(one["path"]).name for one in check_json(".", cwd=tmp_path)["files"]] == ["named.ipynb"]
