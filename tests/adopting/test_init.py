"""`nst init` on small projects: what it proposes, writes and leaves alone."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from nst_lsp.adopting.pyproject import NotWrittenError, with_settings
from tests.adopting.terminal import converse
from tests.cli.command import check_json, nst

MODEL = '''\
"""A model."""

import numpy as np
from numpy.typing import NDArray


def annotated(x: NDArray[np.float32]):
    return x + 1


@np.vectorize
def decorated(x):
    return x


class Layer:
    def documented(self, x):
        """Scale.

        Parameters
        ----------
        x : ndarray, shape (n, 3)
        """
        return x * np.ones(3)

    @property
    def size(self):
        return np.ones(3)


def called(x, k):
    return x * k


def defaulted(x=np.ones(4)):
    return x.sum()


# nst: example(np.ones(3))
def has_one(x):
    return x


def raising(x: NDArray[np.float64]):
    raise ValueError("never")


def writing(x: NDArray[np.float64]):
    open("written.txt", "w").close()
    return x * 2


def steps(x: NDArray[np.float64]):
    yield x


def of_text(name):
    return name
'''
TEST = "import numpy as np\nfrom model import called\n\ndef test_it():\n    called(np.ones((2, 2)), 3)\n"
EXPECTED = """\
# nst: example(spec(3, "float32"))
def annotated(
    # nst: example(Layer(), spec((5, 3)))
    def documented(
# nst: example(np.ones((2, 2)), 3)
def called(
# nst: example(np.ones(4))
def defaulted(
# nst: example(np.ones(3))
def has_one(
# nst: example(spec(3))
def writing(
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "model"  # a comment\nversion = "1"')
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_model.py").write_text(TEST)
    return tmp_path


def examples(path: Path) -> str:
    """The example comments of a file, each with the head of its function."""
    lines = path.read_text().splitlines()
    found = []
    for number, line in enumerate(lines):
        if "# nst: example" in line:
            head = next(one for one in lines[number:] if "def " in one)
            found += [line, head.partition("(")[0] + "("]
    return "\n".join(found) + "\n"


def test_what_traces_is_written_and_all_else_stays(project: Path):
    done = nst("init", "--yes", cwd=project)
    assert done.returncode == 0, done.stderr
    assert (project / "pyproject.toml").read_text() == (
        '[project]\nname = "model"  # a comment\nversion = "1"\n\n[tool.nst]\nexclude = ["tests"]\n'
    )
    assert examples(project / "model.py") == EXPECTED
    kept = [line for line in (project / "model.py").read_text().splitlines() if "# nst: example" not in line]
    assert kept == [line for line in MODEL.splitlines() if "# nst: example" not in line]
    assert not (project / "written.txt").exists()
    assert f"nst init runs functions of {project}" in done.stdout
    assert "  raising: nothing that traces (NST501: " in done.stdout
    assert "  called(np.ones((2, 2)), 3)\n      1 operation, " in done.stdout
    assert "# called in tests/test_model.py:5\n" in done.stdout
    assert done.stdout.endswith("5 examples written, of 5 functions that trace\nnext: nst check\n")
    statuses = {
        function["name"]: [example["status"] for example in function["examples"]]
        for function in check_json(cwd=project)["files"][0]["functions"]
    }
    assert set(map(tuple, statuses.values())) == {("traced",)}
    assert len(statuses) == 6


def test_again_nothing_changes(project: Path):
    nst("init", "--yes", cwd=project)
    before = {path: path.read_bytes() for path in project.rglob("*.*") if path.is_file()}
    done = nst("init", "--yes", cwd=project)
    assert "pyproject.toml has [tool.nst]: left as it is" in done.stdout
    assert {path: path.read_bytes() for path in project.rglob("*.*") if path.is_file()} == before


def test_a_dry_run_is_a_patch(project: Path):
    done = nst("init", "--dry-run", cwd=project)
    assert (project / "model.py").read_text() == MODEL
    assert "nst init runs functions" in done.stderr
    patched = subprocess.run(["git", "apply", "-"], input=done.stdout, cwd=project, text=True, capture_output=True)
    assert patched.returncode == 0, patched.stderr + done.stdout
    assert examples(project / "model.py") == EXPECTED
    assert tomllib.loads((project / "pyproject.toml").read_text())["tool"]["nst"] == {"exclude": ["tests"]}


def test_without_a_terminal_it_asks_for_a_yes(project: Path):
    done = nst("init", cwd=project)
    assert done.returncode == 2
    assert "say --yes or --dry-run" in done.stderr
    assert (project / "model.py").read_text() == MODEL


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_on_a_terminal_each_is_asked_about(project: Path):
    answers = [
        ("Write this?", "n"),
        ("Run them?", "y"),
        ('annotated(spec(3, "float32")): write it?', "n"),
        ("documented(Layer(), spec((5, 3))): write it?", "y"),
        ("called(np.ones((2, 2)), 3): write it?", "a"),
    ]
    code, said = converse(["init", "--python", sys.executable], project, answers)
    assert code == 0, said
    assert "4 examples written" in said
    assert examples(project / "model.py") == EXPECTED.partition("\n")[2].partition("\n")[2]
    assert "tool.nst" not in (project / "pyproject.toml").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_nothing_is_run_without_leave(project: Path):
    (project / "model.py").write_text("raise SystemExit('it ran')\n" + MODEL)
    code, said = converse(["init", "--python", sys.executable], project, [("Write this?", "y"), ("Run them?", "")])
    assert code == 0
    assert "in processes of its own" in said
    assert "# nst: example(spec" not in (project / "model.py").read_text()


def test_a_file_that_does_not_load_is_told(project: Path):
    (project / "model.py").write_text("import nowhere\n" + MODEL)
    done = nst("init", "--yes", cwd=project)
    assert "  not tried: the module cannot be imported: ModuleNotFoundError" in done.stdout
    assert "# nst: example(spec" not in (project / "model.py").read_text()


def test_one_file_alone(project: Path):
    (project / "other.py").write_text("import numpy as np\n\ndef f(x=np.ones(3)):\n    return x + 1\n")
    nst("init", "--yes", "other.py", cwd=project)
    assert "# nst: example(np.ones(3))\ndef f" in (project / "other.py").read_text()
    assert (project / "model.py").read_text() == MODEL


def test_encodings_and_line_ends_are_kept(project: Path):
    head = "# -*- coding: latin-1 -*-\r\nimport numpy as np\r\n\r\n"
    text = f"{head}def f(x=np.ones(3), größe=2):\r\n    return x * größe\r\n"
    (project / "model.py").write_bytes(text.encode("latin-1"))
    nst("init", "--yes", cwd=project)
    expected = text.replace("def f", "# nst: example(np.ones(3), 2)\r\ndef f")
    assert (project / "model.py").read_bytes() == expected.encode("latin-1")


# ---- settings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[tool.nst]\n"),
        ("# only a comment", "# only a comment\n\n[tool.nst]\n"),
        ("[tool.ruff]\nline-length = 9\n", "[tool.ruff]\nline-length = 9\n\n[tool.nst]\n"),
        ("[tool.ruff]\r\n", "[tool.ruff]\r\n\r\n[tool.nst]\r\n"),
        ("[tool.nst]\nmode = 'real'\n", "[tool.nst]\nmode = 'real'\n"),
        ("tool.nst.mode = 'real'\n", "tool.nst.mode = 'real'\n"),
    ],
)
def test_settings_stand_at_the_end(tmp_path: Path, before: str, after: str):
    assert with_settings(before, tmp_path) == after
    assert with_settings(after, tmp_path) == after


@pytest.mark.parametrize("text", ["[tool", "tool = {ruff = {}}\n"])
def test_settings_that_do_not_fit_are_not_written(tmp_path: Path, text: str):
    with pytest.raises(NotWrittenError):
        with_settings(text, tmp_path)
