"""Annotated code on the command line: checked, printed and compared without an example line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import check_json, nst

SOURCE = '''\
"""Nothing in here is an example but the annotations."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy.typing import NDArray


@dataclass
class Layer:
    weights: Float[np.ndarray, "m n"]

    def forward(self, x: Float[np.ndarray, "b m"]):
        return x @ self.weights


def halves(x: Float[np.ndarray, "n 4"]):
    if x.shape[0] > 2:
        return x / 2
    return x


def positive(x: Float[np.ndarray, "n"]):
    if (x > 0).all():
        return x
    return -x


def blurred(image: NDArray[np.float32], kernel: np.ndarray):
    return image @ kernel


def repeated(x: Float[np.ndarray, "n"], times: int):
    return x * times
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.nst]\n")
    (tmp_path / "model.py").write_text(SOURCE)
    return tmp_path


def examples(document: dict[str, Any]) -> dict[str, str]:
    (entry,) = document["files"]
    found = {}
    for function in entry["functions"]:
        (example,) = function["examples"]
        assert example["origin"] == "annotation"
        assert example["status"] == "traced"
        found[function["name"]] = example["source"]
    return found


def test_told_shapes_are_checked(folder: Path):
    document = check_json(cwd=folder)
    assert examples(document) == {
        "Layer.forward": 'Layer(weights=spec("m n", m=3, n=5)), spec("b m", b=7, m=3)',
        "halves": 'spec("n 4", n=3)',
        "positive": "np.random.default_rng(0).random(3)",
    }
    found = [(one["code"], one["text"], one["function"]) for one in document["files"][0]["findings"]]
    assert found == [("NST102", "x.shape[0] > 2", "halves"), ("NST101", "(x > 0).all()", "positive")]


def test_witnesses_can_be_run(folder: Path):
    for finding in check_json(cwd=folder)["files"][0]["findings"]:
        arguments = ", ".join(finding["witness"]["arguments"].values())
        assert "spec" not in arguments
        function = f"model.py::{finding['function']}"
        compared = json.loads(nst("compare", function, arguments, "--format", "json", cwd=folder).stdout)
        assert not compared["equal"]
        said = finding["witness"]
        for side in ("function", "graph"):
            assert compared[side].replace(" ", "") == said[side].replace(" ", "")


def test_ranks_are_told_by_the_project(folder: Path):
    (folder / "pyproject.toml").write_text('[tool.nst]\nranks = { "*" = 1, "image" = 3, blurred.kernel = 2 }\n')
    found = examples(check_json(cwd=folder))
    assert found["blurred"] == 'spec((3, 5, 7), "float32"), spec((7, 11))'  # the first for which it does not raise


def test_wrong_ranks_are_said_by_name_and_nothing_else_is_lost(folder: Path):
    (folder / "pyproject.toml").write_text('[tool.nst]\nranks = { "image" = "two" }\n')
    done = nst("check", "--format", "json", cwd=folder)
    assert "`ranks` must be a table" in done.stderr
    assert "`image` is 'two'" in done.stderr
    assert len(examples(json.loads(done.stdout))) == 3


def test_annotations_of_another_file_are_found(folder: Path):
    (folder / "model.py").unlink()
    (folder / "shapes.py").write_text("import numpy as np\nfrom jaxtyping import Float\nRow = Float[np.ndarray, 'n']\n")
    (folder / "rows.py").write_text("from shapes import Row\n\ndef total(row: Row):\n    return row.sum()\n")
    (folder / "other.py").write_text("import shapes\n\ndef total(row):\n    return row.sum()\n")
    files = {Path(entry["path"]).name: entry for entry in check_json(cwd=folder)["files"]}
    assert sorted(files) == ["rows.py", "shapes.py"]
    assert examples({"files": [files["rows.py"]]}) == {"total": 'spec("n", n=3)'}


def test_a_graph_is_printed(folder: Path):
    done = nst("graph", "model.py::Layer.forward", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "x @ weights" in done.stdout
