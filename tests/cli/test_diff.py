"""`nst graph --diff` against real git repositories."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import nst

OPS = """\
import numpy as np
from .tools import norm

gain = 3.0


# nst: example(np.ones((3, 4)))
# nst: example(np.ones((5, 4)))
def f(x):
    h = norm(x) * gain
    for i in range(8):
        h = np.tanh(h) * 2
    return h.sum(axis=0)


# nst: example(np.ones(3))
def g(x):
    return x * 2
"""
TOOLS = """\
import numpy as np


def norm(h):
    return h / np.sum(h)
"""


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A package with one commit."""
    for name, text in (("__init__", ""), ("ops", OPS), ("tools", TOOLS)):
        path = tmp_path / "pkg" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (tmp_path / "pyproject.toml").write_text("[tool.nst]\n")
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    return tmp_path


def commit(repository: Path) -> None:
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "a commit")


def edit(path: Path, *edits: tuple[str, str]) -> None:
    text = path.read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)


def state(repository: Path) -> tuple[str, bytes, dict[str, bytes]]:
    """All that git could have touched."""
    files = {str(path): path.read_bytes() for path in repository.rglob("*.py")}
    return git(repository, "--no-optional-locks", "status", "--porcelain"), index(repository), files


def index(repository: Path) -> bytes:
    return (repository / ".git" / "index").read_bytes()


def diff(repository: Path, *arguments: str, target: str = "pkg/ops.py::f", **environment: str) -> Any:
    return nst("graph", target, *arguments, cwd=repository, **environment)


def diff_json(repository: Path, *arguments: str, target: str = "pkg/ops.py::f") -> dict[str, Any]:
    done = diff(repository, *arguments, "--format", "json", target=target)
    assert done.stdout, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (not answer["equal"])
    return answer


def test_an_edit_is_told_with_its_lines_and_a_diff_of_the_code(repository: Path):
    edit(repository / "pkg" / "ops.py", ("gain = 3.0", "gain = 4.0"), ("range(8)", "range(9)"))
    before = state(repository)
    done = diff(repository, "--diff", "HEAD")
    assert (done.returncode, done.stderr) == (1, "")
    ops = os.path.join("pkg", "ops.py")
    assert (
        done.stdout
        == f"""\
1 loop changed: ×8 → ×9, 1 constant changed: `gain` 3.0 → 4.0
  {ops}:12  runs 9 times, was 8: `np.tanh(h)` and 1 more operation
  {ops}:4   `gain` is 4.0, was 3.0

--- f at HEAD
+++ f
@@ -3,8 +3,8 @@
 def f(x):
     sum_ = np.sum(x)  # float64[]
     truediv = x / sum_  # float64[3, 4]
-    h = truediv * 3.0  # float64[3, 4]
-    for _ in range(8):  # 8 alike iterations
+    h = truediv * 4.0  # float64[3, 4]
+    for _ in range(9):  # 9 alike iterations
         tanh = np.tanh(h)  # float64[3, 4]
         h = tanh * 2  # float64[3, 4]
     sum__1 = h.sum(axis=0)  # float64[4]
"""
    )
    assert state(repository) == before


def test_the_same_graph_prints_nothing_and_is_no_failure(repository: Path):
    edit(repository / "pkg" / "ops.py", ("gain = 3.0\n", "\n# what it is multiplied by\ngain = 3.0\n"))
    done = diff(repository, "--diff", "HEAD")
    assert (done.returncode, done.stdout) == (0, "")
    assert "f has the graph of f at HEAD" in done.stderr


def test_the_diff_is_coloured_on_a_terminal(repository: Path):
    edit(repository / "pkg" / "ops.py", ("gain = 3.0", "gain = 4.0"))
    assert "\x1b[31m-    h = truediv * 3.0" in diff(repository, "--diff", "HEAD", FORCE_COLOR="1").stdout


def test_helpers_are_those_of_then(repository: Path):
    edit(repository / "pkg" / "tools.py", ("np.sum(h)", "np.mean(h)"))
    commit(repository)
    edit(repository / "pkg" / "tools.py", ("np.mean(h)", "np.max(h)"))
    last, first = (diff_json(repository, "--diff", revision) for revision in ("HEAD", "HEAD~1"))
    assert last["summary"] == "1 operation replaced: `np.mean` → `np.max`"
    assert first["summary"] == "1 operation replaced: `np.sum` → `np.max`"
    [reason] = first["reasons"]
    assert (Path(reason["place"]["path"]).name, reason["place"]["range"]["start"]["line"]) == ("tools.py", 5)
    assert (first["before"]["revision"], first["after"]["revision"]) == ("HEAD~1", None)


def test_files_that_were_removed_since_are_there(repository: Path):
    edit(repository / "pkg" / "ops.py", ("from .tools import norm\n", "def norm(h):\n    return h / np.mean(h)\n"))
    (repository / "pkg" / "tools.py").unlink()
    assert diff_json(repository, "--diff", "HEAD")["summary"] == "1 operation replaced: `np.sum` → `np.mean`"


@pytest.mark.parametrize("is_added", [False, True], ids=["untracked", "in the index"])
def test_files_that_were_not_there_yet_cannot_be_imported(repository: Path, is_added: bool):
    choice = "try:\n    from .fast import norm\nexcept ImportError:\n    from .tools import norm\n"
    edit(repository / "pkg" / "ops.py", ("from .tools import norm\n", choice))
    commit(repository)
    (repository / "pkg" / "fast.py").write_text(
        "import numpy as np\n\ndef norm(h):\n    return h / np.linalg.norm(h)\n"
    )
    if is_added:
        git(repository, "add", "pkg/fast.py")
    before = state(repository)
    summary = diff_json(repository, "--diff", "HEAD")["summary"]
    assert summary == "1 operation replaced: `np.sum` → `np.linalg.norm`"
    assert state(repository) == before


def test_renames_are_followed(repository: Path):
    git(repository, "mv", "pkg/ops.py", "pkg/model.py")
    commit(repository)
    git(repository, "mv", "pkg/model.py", "pkg/layers.py")
    edit(repository / "pkg" / "layers.py", ("gain = 3.0", "gain = 4.0"))
    answer = diff_json(repository, "--diff", "HEAD~1", target="pkg/layers.py::f")
    assert answer["summary"] == "1 constant changed: `gain` 3.0 → 4.0"


def test_a_file_in_a_subfolder_that_is_its_own_project(repository: Path):
    (repository / "pkg" / "pyproject.toml").write_text("[tool.nst]\n")
    edit(repository / "pkg" / "tools.py", ("np.sum(h)", "np.mean(h)"))
    assert diff_json(repository, "--diff", "HEAD")["summary"] == "1 operation replaced: `np.sum` → `np.mean`"


def test_texts_are_read_as_python_reads_them(repository: Path):
    path = repository / "pkg" / "ops.py"
    text = f"# -*- coding: latin-1 -*-\nname = 'Käse'\n{OPS}"
    path.write_bytes(text.replace("\n", "\r\n").encode("latin-1"))
    commit(repository)
    path.write_text(text.replace("latin-1", "utf-8").replace("gain = 3.0", "gain = 4.0"))
    assert diff_json(repository, "--diff", "HEAD")["summary"] == "1 constant changed: `gain` 3.0 → 4.0"
    path.write_bytes(b"name = '\xff\xfe'\n")
    commit(repository)
    path.write_text(OPS)
    done = diff(repository, "--diff", "HEAD")
    assert done.returncode == 2
    assert "ops.py at HEAD cannot be read as Python" in done.stderr


def test_with_another_example_and_with_another_function(repository: Path):
    example = diff_json(repository, "--diff-example", "1")
    assert example["summary"] == "another example: `x` float64[5, 4] → float64[3, 4]"
    assert (example["before"]["example"], example["after"]["example"]) == (1, 0)
    other = diff_json(repository, "--diff", "pkg/ops.py::f", target="pkg/ops.py::g")
    assert (other["before"]["function"], other["after"]["function"]) == ("f", "g")
    assert not other["equal"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--diff", "nowhere"), "git knows no revision nowhere"),
        (("--diff", "--output=x"), "git knows no revision --output=x"),
        (("--diff", "HEAD", "--example", "1"), "no example 1 at HEAD; it has 0"),
        (("--diff", "nowhere.py::f"), "there is no file nowhere.py"),
        (("--diff", "HEAD", "--format", "dot"), "--diff goes with --format code and --format json only"),
    ],
)
def test_what_cannot_be_compared_is_said(repository: Path, arguments: tuple[str, ...], words: str):
    edit(repository / "pkg" / "ops.py", ("# nst: example(np.ones((5, 4)))\n", ""))
    commit(repository)
    edit(repository / "pkg" / "ops.py", ("def f(x)", "# nst: example(np.ones((5, 4)))\ndef f(x)"))
    done = diff(repository, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def test_a_function_that_was_not_there_is_said_with_those_that_were(repository: Path):
    edit(repository / "pkg" / "ops.py", ("def g(x)", "def gg(x)"))
    done = diff(repository, "--diff", "HEAD", target="pkg/ops.py::gg")
    assert done.returncode == 2
    assert "no function gg with an example in" in done.stderr
    assert "at HEAD; did you mean g?" in done.stderr


def test_a_file_that_git_does_not_know_is_said(repository: Path, tmp_path_factory: pytest.TempPathFactory):
    (repository / "pkg" / "new.py").write_text(OPS)
    done = diff(repository, "--diff", "HEAD", target="pkg/new.py::f")
    assert (done.returncode, "is not in HEAD; it is in no commit yet" in done.stderr) == (2, True)
    commit(repository)
    done = diff(repository, "--diff", "HEAD~1", target="pkg/new.py::f")
    assert f"its first commit is {git(repository, 'rev-parse', '--short', 'HEAD')}" in done.stderr
    alone = tmp_path_factory.mktemp("alone")
    (alone / "ops.py").write_text(OPS)
    done = diff(alone, "--diff", "HEAD", target="ops.py::f", GIT_CEILING_DIRECTORIES=str(alone.parent))
    assert (done.returncode, "is in no git repository" in done.stderr) == (2, True)


def test_without_git_it_is_said(repository: Path, tmp_path: Path):
    empty = tmp_path / "empty"
    empty.mkdir()
    done = diff(repository, "--diff", "HEAD", PATH=str(empty))
    assert (done.returncode, "git is not installed" in done.stderr) == (2, True)


def test_hooks_and_monitors_of_the_repository_are_not_run(repository: Path):
    ran = repository / "ran"
    program = repository / "monitor"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(program))
    git(repository, "config", "diff.external", str(program))
    ran.unlink(missing_ok=True)
    edit(repository / "pkg" / "ops.py", ("gain = 3.0", "gain = 4.0"))
    assert diff_json(repository, "--diff", "HEAD")["summary"] == "1 constant changed: `gain` 3.0 → 4.0"
    assert not ran.exists()


def test_a_hook_may_ask_for_it(repository: Path):
    """git tells its hooks about its own repository by variables; the file's repository is found all the same."""
    edit(repository / "pkg" / "ops.py", ("gain = 3.0", "gain = 4.0"))
    done = diff(repository, "--diff", "HEAD", GIT_DIR=".git", GIT_INDEX_FILE=".git/index", GIT_PREFIX="pkg/")
    assert (done.returncode, done.stderr) == (1, "")
