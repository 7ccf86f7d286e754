"""How a long check goes: findings as they come, in one order; a bar on a terminal; nothing ends it but its end."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from nst_lsp.checking.shares import Answer, known_by
from nst_lsp.cli.progress import Quiet
from nst_lsp.cli.stream import Stream, named
from nst_lsp.project import Wishes, projects
from nst_lsp.sources import disk
from tests.cli.checking import Heard, Project, statements
from tests.cli.command import NST, nst
from tests.cli.samples import finding, scale_report
from tracer.worker.wire import ExampleDone, FileDone, ModuleLoaded

BRANCH = """\
import numpy as np


# nst: example(np.array([1.0, 2.0]))
def f(x):
    if x.mean() > 0:
        return x * 2
    return -x
"""
PURE = "import numpy as np\n\n\n# nst: example(np.ones(3))\ndef f(x):\n    return x * 2\n"
SLOW = "import os, time\nwhile not os.path.exists({until!r}):\n    time.sleep(0.01)\n" + BRANCH


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path / "project", tmp_path / "cache")
    made.write("pyproject.toml", "[tool.nst]\n")
    return made


# ---- findings as they come -------------------------------------------------------------------------


def traced(path: Path, *names: str):
    """A file with a finding in each of the files of these names."""
    function = scale_report(*(finding(path=str(path.with_name(name))) for name in names))
    answer = Answer((ModuleLoaded(1, (), (function,)), ExampleDone(1, "scale", function.examples[0]), FileDone(1)))
    return known_by(str(path), answer)


def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return re.findall(r"--> (\w+\.py)", capsys.readouterr().out)


def test_a_file_is_told_when_all_before_it_are_done(
    project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(project.root)
    paths = [project.write(f"{name}.py", BRANCH) for name in ("aa", "bb", "cc")]
    stream = Stream([str(path) for path in paths], projects(Wishes()), disk(), list, Quiet())
    a, b, c = (traced(path, path.name) for path in paths)
    stream.ended(b, cached=False)
    assert told(capsys) == []
    stream.ended(a, cached=True)
    assert told(capsys) == ["aa.py", "bb.py"]
    stream.ended(c, cached=False)
    assert told(capsys) == ["cc.py"]


def test_files_that_others_name_may_be_imported(project: Project):
    helper, package = project.write("helper.py", PURE), project.write("package/__init__.py", "")
    user, other = project.write("user.py", "from package import helper\n"), project.write("other.py", "other = 1\n")
    files = [str(path) for path in (helper, package, user, other)]
    assert named(files, disk()) == {str(helper), str(package)}


def test_all_is_told_once_whatever_is_done_first(project: Project):
    """The order of text is that of files, those last that others import; and it says what the other formats say."""
    project.write("a_helper.py", BRANCH.replace("def f", "def g"))
    for number in range(6):
        text = BRANCH.replace("f(x)", f"f{number}(x)").replace("import numpy", "from a_helper import g\nimport numpy")
        project.write(f"module_{number}.py", text.replace("return x * 2", "return g(x) * 2"))
    outputs = [nst("check", "--no-cache", "--jobs", jobs, cwd=project.root).stdout for jobs in ("1", "4")]
    plain = [re.sub(r", \d+\.\d s\n", "", output) for output in outputs]
    assert plain[0] == plain[1]
    places = re.findall(r"--> (\S+):\d+:\d+  in", plain[0])
    assert [place for place in places if place.startswith("module")] == [f"module_{number}.py" for number in range(6)]
    assert places[-1] == "a_helper.py"
    assert len(places) == len(list(project.check().findings))


def test_the_first_file_is_told_while_others_are_traced(project: Project):
    project.write("aa.py", BRANCH)
    project.write("bb.py", SLOW.format(until="never"))
    project.write("pyproject.toml", "[tool.nst]\ntimeout = 900\n")
    running = subprocess.Popen(
        [NST, "check", "--jobs", "2", "--python", sys.executable], cwd=project.root, stdout=subprocess.PIPE, text=True
    )
    try:
        assert running.stdout is not None
        assert any("--> aa.py" in line for line in running.stdout)
    finally:
        running.terminate()
        running.wait()


# ---- the bar ---------------------------------------------------------------------------------------


def test_a_terminal_shows_how_far_it_is(project: Project):
    """The bar comes and goes on stderr, and what is written to stdout stays as it is."""
    project.write("aa.py", BRANCH)
    project.write("pyproject.toml", "[tool.nst]\ntimeout = 120\n")
    seen = project.root / "seen"
    project.write("slow.py", SLOW.format(until=str(seen)).replace("def f", "def slow"))
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "160", "LINES": "40"}
    done = subprocess.Popen(
        [NST, "check", "--no-cache", "--jobs", "2", "--fail-on", "never", "--python", sys.executable],
        cwd=project.root, env=environment, stdout=subprocess.PIPE, stderr=theirs, text=True,
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
            if "1/2 files, 1 functions" in as_read(shown):
                seen.touch()
    except OSError:  # Linux says so that the other side is closed
        pass
    os.close(ours)
    assert done.stdout is not None
    output = done.stdout.read()
    assert done.wait() == 0
    assert seen.exists(), as_read(shown)
    assert "0:00:0" in as_read(shown)
    assert "aa.py::f" in as_read(shown) or "slow.py::slow" in as_read(shown)
    assert output.count("-->") == 2
    assert "\x1b" not in output


def as_read(shown: bytes) -> str:
    """What a terminal was sent, without colours and movements."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode("utf-8", "ignore"))


# ---- nothing ends it -------------------------------------------------------------------------------

ENDS_ITS_WORKER = """\
import os
import signal

os.kill(os.getppid(), signal.SIGKILL)
"""


def test_a_file_that_ends_its_worker_is_told_and_no_other(project: Project):
    project.write("pyproject.toml", '[tool.nst]\nallow = ["signal"]\n')
    project.write("bad.py", ENDS_ITS_WORKER + PURE)
    for number in range(4):
        project.write(f"good_{number}.py", PURE)
    results = project.check().results
    assert [bool(result.error) for result in results] == [True, False, False, False, False]
    assert "the worker ended unexpectedly (SIGKILL)" in (results[0].error or "")


def test_a_project_without_an_interpreter_does_not_end_the_check_of_another(project: Project):
    project.write("here/pyproject.toml", "")
    project.write("here/good.py", PURE)
    project.write("there/pyproject.toml", '[tool.nst]\npython = "/nowhere/python"\n')
    project.write("there/bad.py", PURE)
    done = nst("check", cwd=project.root)
    assert done.returncode == 1
    assert "bad.py could not be checked: the Python interpreter /nowhere/python does not exist" in done.stdout
    assert "no findings in 1 function" in done.stdout


def test_a_notebook_that_is_none_does_not_end_a_check(project: Project):
    project.write("bad.ipynb", "no notebook, nst: example")
    project.write("good.py", PURE)
    heard = Heard()
    checked = project.check(listener=heard)
    assert [bool(result.error) for result in checked.results] == [True, False]
    assert sorted(heard.traced + heard.cached) == ["bad.ipynb", "good.py"]


def test_examples_of_one_file_are_traced_as_many_at_a_time_as_there_are_jobs(project: Project):
    project.write("many.py", PURE + "".join(PURE.replace("f(x)", f"f{number}(x)") for number in range(4)))
    one, four = (nst("check", "--jobs", jobs, "--format", "json", cwd=project.root).stdout for jobs in ("1", "4"))
    assert re.sub(r'"milliseconds": [\d.]+', "", one) == re.sub(r'"milliseconds": [\d.]+', "", four)
    assert len(statements(project.check())) > 5
