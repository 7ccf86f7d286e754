"""`nst graph` and `nst compare` against a real worker."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import nst

SOURCE = """\
import numpy as np

WITNESS = (np.array([1.0, -4.0]),)


# nst: example(np.array([1.0, 2.0]))
# nst: example(np.array([[1.0, 2.0]]))
def absolute(x):
    if x.sum() > 0:
        return x * 1.5
    return -x


class Layer:
    # nst: example(Layer(), np.ones(3))
    def forward(self, x):
        return np.tanh(x) + x


# nst: example(np.ones(3))
def broken(x):
    y = x * 2
    return y[7]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.nst]\n")
    (tmp_path / "ops.py").write_text(SOURCE)
    return tmp_path


def test_the_code_of_a_graph_runs(folder: Path):
    done = nst("graph", "ops.py::Layer.forward", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    names: dict[str, object] = {}
    exec(done.stdout, names)  # the oracle: graph code is executable Python
    [function] = [value for name, value in names.items() if callable(value) and not name.startswith("__")]
    x = np.array([0.25, -1.0, 3.0])
    assert np.array_equal(function(None, x), np.tanh(x) + x)


def test_code_is_highlighted_on_a_terminal(folder: Path):
    coloured = nst("graph", "ops.py::absolute", cwd=folder, FORCE_COLOR="1").stdout
    assert "\x1b[" in coloured


@pytest.mark.parametrize("style", ["table", "json", "dot", "mermaid", "model-explorer"])
def test_other_renderings(style: str, folder: Path):
    done = nst("graph", "ops.py::Layer.forward", "--format", style, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "tanh" in done.stdout
    if style in {"json", "model-explorer"}:
        json.loads(done.stdout)


def test_the_table_tells_costs_by_node_and_by_line(folder: Path):
    (folder / "dense.py").write_text(
        "import numpy as np\n\n\n# nst: example(np.ones((8, 4)), np.ones((4, 3)))\ndef dense(x, w):\n"
        "    y = x @ w\n    return np.tanh(y) + y.mean(axis=0)\n"
    )
    nodes, total, lines = nst("graph", "dense.py::dense", "--format", "table", cwd=folder).stdout.split("\n\n")
    head, _, *rows = [line.split() for line in nodes.splitlines()]
    assert head == ["name", "operation", "result", "inputs", "line", "read", "written", "flop", "live"]
    [product] = [row for row in rows if row[0] == "y"]
    assert product[-9:] == ["w", "6", "352", "B", "192", "B", "192", "544", "B"]  # 2*8*4*3 operations
    told = total.splitlines()
    assert told[0] == "264 flop · reads 952 B · writes 600 B · peak 760 B at mean"
    assert told[1].split(" = ") == ["flop   ", "2*w.shape[1]*x.shape[0]*x.shape[1] + 3*w.shape[1]*x.shape[0]"]
    first, second = (line.split("  ") for line in lines.splitlines()[2:])
    assert [cell.strip() for cell in first if cell] == [
        "6", "y = x @ w", "352 B", "192 B", "192", "2*w.shape[1]*x.shape[0]*x.shape[1]",
    ]  # fmt: skip
    assert [cell.strip() for cell in second if cell] == [
        "7", "return np.tanh(y) + y.mean(axis=0)", "600 B", "408 B", "72", "3*w.shape[1]*x.shape[0]",
    ]  # fmt: skip


def test_json_has_costs_as_numbers(folder: Path):
    told = json.loads(nst("graph", "ops.py::Layer.forward", "--format", "json", cwd=folder).stdout)
    costs = {node["name"]: node["cost"] for node in told["nodes"]}
    assert costs["tanh"] == {"read": 24, "written": 24, "operations": 3, "live": 48}
    assert told["cost"] == {"read": 72, "written": 48, "operations": 6, "peak": 72, "peak_at": "add", "unknown": 0}


def test_another_example(folder: Path):
    first, second = (nst("graph", "ops.py::absolute", "--example", n, cwd=folder).stdout for n in ("0", "1"))
    assert first
    assert second
    assert first != second
    done = nst("graph", "ops.py::absolute", "--example", "2", cwd=folder)
    assert done.returncode == 2
    assert "absolute has no example 2; it has 0, 1" in done.stderr


def test_an_unknown_function_is_met_with_those_there_are(folder: Path):
    done = nst("graph", "ops.py::Layer.foward", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean Layer.forward?" in done.stderr
    there_are = [f"ops.py::{name}" for name in ("Layer.forward", "absolute", "broken")]  # the near miss first
    assert [line.strip() for line in done.stderr.splitlines()[2:]] == there_are
    done = nst("graph", "ops.py", cwd=folder)
    assert "such as ops.py::absolute, ops.py::Layer.forward, ops.py::broken" in " ".join(done.stderr.split())


def test_a_partial_graph_says_why(folder: Path):
    done = nst("graph", "ops.py::broken", cwd=folder)
    assert done.returncode == 1
    assert "y = x * " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("    # the trace ends at line 23: the function raised IndexError")
    assert "error[NST501]" in done.stderr


def test_a_file_that_cannot_be_imported_says_why(folder: Path):
    (folder / "ops.py").write_text("import nobody_has_this\n" + SOURCE)
    done = nst("graph", "ops.py::absolute", cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert "error[NST503]" in done.stderr


# ---- compare ---------------------------------------------------------------------------------------


def test_function_and_graph_agree(folder: Path):
    done = nst("compare", "ops.py::absolute", "np.array([3.0, 4.0])", "--format", "json", cwd=folder)
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert list(answer) == ["equal", "function", "graph", "guards_failed", "partial", "raised"]
    assert answer["equal"] is True
    assert answer["function"] == answer["graph"] == "array([4.5, 6. ])"


def test_function_and_graph_differ(folder: Path):
    done = nst("compare", "ops.py::absolute", "*WITNESS", "--format", "json", cwd=folder)
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert (answer["equal"], answer["function"], answer["graph"]) == (False, "array([-1.,  4.])", "array([ 1.5, -6. ])")
    assert len(answer["guards_failed"]) == 1
    assert "x.sum() > 0" in answer["guards_failed"][0]


def test_compare_as_text(folder: Path):
    done = nst("compare", "ops.py::absolute", "*WITNESS", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.splitlines()[:3] == [
        "function and graph differ",
        "  function  array([-1.,  4.])",
        "  graph     array([ 1.5, -6. ])",
    ]


def test_compare_says_that_a_graph_is_partial_and_that_both_raise(folder: Path):
    done = nst("compare", "ops.py::broken", "np.ones(8)", cwd=folder)
    assert done.returncode == 1
    [graph] = [line for line in done.stdout.splitlines() if "  graph  " in line]
    assert graph.startswith("  graph     partial: the trace ends at line 23: the function raised IndexError")
    both = nst("compare", "ops.py::Layer.forward", "None, None", cwd=folder)
    assert (both.returncode, both.stdout.splitlines()[0]) == (0, "both raise TypeError"), both.stdout


def test_compare_names_the_attribute_of_an_argument_that_decided(folder: Path):
    (folder / "scaled.py").write_text(
        "import numpy as np\n\n\nclass Scaled:\n    def __init__(self, doubles=True):\n"
        "        self.doubles, self.calls = doubles, 0\n\n    # nst: example(Scaled(), np.ones(3))\n"
        "    def forward(self, x):\n        self.calls += 1\n        if self.calls > 0 and self.doubles:\n"
        "            return x * 2\n        return x\n"
    )
    done = nst("compare", "scaled.py::Scaled.forward", "Scaled(False), np.ones(3)", "--format", "json", cwd=folder)
    assert json.loads(done.stdout)["guards_failed"] == ["self.doubles == True"], done.stderr


@pytest.mark.parametrize(
    ("target", "arguments", "message"),
    [
        ("ops.py::nothing", "1", "  ops.py::absolute\n"),
        ("ops.py::absolute", "unknown_name", "the text of the arguments cannot be evaluated: NameError"),
        ("ops.py::absolute", "np.ones(", "the text of the arguments is not valid Python"),
        ("ops.py::absolute", "1, 2", "absolute(x) does not take these arguments: too many"),
    ],
)
def test_misuse_of_compare(target: str, arguments: str, message: str, folder: Path):
    done = nst("compare", target, arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


# ---- doctor ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "told"), [("2.5.1", "2.5.1: too old, 2.6 or later is needed"), ("2.13.0", "2.13.0")]
)
def test_doctor_tells_pytorch_by_its_metadata(version: str, told: str, folder: Path):
    metadata = folder / "installed" / f"torch-{version}.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text(f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n")
    done = nst("doctor", cwd=folder, PYTHONPATH=str(folder / "installed"))
    assert f"its PyTorch      {told}\n" in done.stdout


def test_doctor_names_what_runs_where(folder: Path):
    (folder / "pyproject.toml").write_text("[tool.nst]\nmoode = 1\n")
    done = nst("doctor", cwd=folder)
    assert done.returncode == 0
    facts = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if not line.startswith("its "))
    assert facts["project"] == str(folder)
    assert "VIRTUAL_ENV" in facts["interpreter"]
    assert "moode" in facts["settings"]
    assert f"its NumPy        {np.__version__}" in done.stdout


def test_doctor_with_an_interpreter_that_does_not_exist(folder: Path):
    done = nst("doctor", "--python", "/nowhere/python", cwd=folder)
    assert done.returncode == 2
    assert "/nowhere/python" in done.stdout
    assert "/nowhere/python" in done.stderr


def test_loops_are_folded_unless_asked_otherwise(folder: Path):
    (folder / "loop.py").write_text(
        "import numpy as np\n\n\n# nst: example(np.ones(3))\ndef halve(x):\n"
        "    for _ in range(50):\n        x = x * 0.5\n    return x\n"
    )
    folded = nst("graph", "loop.py::halve", cwd=folder).stdout
    unfolded = nst("graph", "loop.py::halve", "--unfold", cwd=folder).stdout
    assert (folded.count("* 0.5"), unfolded.count("* 0.5")) == (1, 50)
    for text in (folded, unfolded):
        names: dict[str, object] = {}
        exec(text, names)
        halve = names["halve"]
        assert callable(halve)
        assert halve(np.full(2, 2.0**50)).tolist() == [1.0, 1.0]


def test_unfolding_is_about_code(folder: Path):
    done = nst("graph", "ops.py::absolute", "--unfold", "--format", "dot", cwd=folder)
    assert done.returncode == 2
    assert "--unfold" in done.stderr
