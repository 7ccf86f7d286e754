"""`nst check --watch` as people use it: files come, change and go, others write the baseline and the settings."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import NST, nst
from tests.cli.test_check import BRANCH, PURE, folder, write

__all__ = ["folder"]

_PATIENCE = 240.0
"""Seconds after which a test gives up: the process is ended, and with it what the test reads."""


@contextmanager
def watching(cwd: Path, *options: str, stdout: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [NST, "check", "--watch", "--python", sys.executable, *options],
        cwd=cwd,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that an interrupt means it and its workers, as Ctrl-C does, and not the tests
    )
    timer = threading.Timer(_PATIENCE, process.kill)
    timer.start()
    try:
        yield process
    finally:
        timer.cancel()
        process.kill()
        process.communicate()


def until(process: subprocess.Popen[str], wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first report from now on that is as wanted; several may come where several things changed."""
    assert process.stdout
    for line in process.stdout:
        document: dict[str, Any] = json.loads(line)
        if wanted(document):
            return document
    raise AssertionError("nst ended")


def findings(document: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (Path(entry["path"]).name, finding["text"])
        for entry in document["files"]
        for finding in entry["findings"]
        if finding["severity"] != "hint"
    ]


MEAN, MAX = "x.mean() > 0", "x.max() > 0"


def test_files_that_come_change_and_go(folder: Path):
    """A document a line; a file that imports what changed is checked again."""
    write(folder, "ops.py", BRANCH)
    with watching(folder, "--format", "json") as process:
        assert findings(until(process, lambda _: True)) == [("ops.py", MEAN)]
        write(folder, "pkg/new.py", BRANCH)
        until(process, lambda document: findings(document) == [("ops.py", MEAN), ("new.py", MEAN)])
        using = PURE.replace("import numpy as np", "import numpy as np\nimport helper").replace(
            "* 2", "* helper.two(x)"
        )
        write(folder, "ops.py", using)
        write(folder, "helper.py", "def two(x):\n    return 2\n")
        (folder / "pkg" / "new.py").unlink()
        until(process, lambda document: findings(document) == [] and len(document["files"]) == 1)
        write(folder, "helper.py", "def two(x):\n    return 2 if x.max() > 0 else 3\n")
        until(process, lambda document: findings(document) == [("helper.py", MAX)])


def test_the_baseline_and_the_settings_are_read_again(folder: Path):
    write(folder, "ops.py", BRANCH)
    with watching(folder, "--format", "json") as process:
        assert "baseline" not in until(process, lambda _: True)
        assert nst("check", "--write-baseline", cwd=folder).returncode == 0
        document = until(process, lambda document: document.get("baseline", {}).get("known") == 1)
        assert findings(document) == []
        (folder / ".nst-baseline.json").unlink()
        until(process, lambda document: findings(document) == [("ops.py", MEAN)])
        (folder / "pyproject.toml").write_text('[tool.nst]\nignore = ["NST101"]\n')
        until(process, lambda document: findings(document) == [])


def test_an_interrupt_ends_it_quietly(folder: Path):
    write(folder, "ops.py", BRANCH)
    with watching(folder) as process:
        assert process.stdout
        assert process.stderr
        while not re.search(r", \d+\.\d s$", line := process.stdout.readline()):
            assert line, "nst ended"
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait() == 0
        assert (process.stdout.read(), process.stderr.read()) == ("", "")


def test_on_a_terminal_a_report_takes_the_place_of_the_one_before(folder: Path):
    write(folder, "ops.py", BRANCH)
    ours, its = pty.openpty()
    with watching(folder, stdout=its) as process, open(ours, "rb", closefd=True) as screen:
        os.close(its)
        assert "\x1b[2J" not in shown(screen)
        write(folder, "ops.py", PURE)
        after = shown(screen)
        assert "\x1b[2J" in after
        assert "changed: ops.py" in after
        assert "no findings in 1 function" in after
        process.kill()


def shown(screen: Any) -> str:
    """What a terminal is told until it says that nst waits; a terminal that was closed gives an error."""
    told = b""
    with suppress(OSError):
        while b"Ctrl-C ends" not in told:
            told += os.read(screen.fileno(), 4096)
    assert b"Ctrl-C ends" in told, told
    return told.decode()


@pytest.mark.parametrize("style", ["json", "sarif", "github", "text"])
def test_nothing_but_times_differs_from_run_to_run(folder: Path, style: str):
    for number in range(3):
        write(folder, f"pkg/case_{number}.py", BRANCH + f"\nseed_{number} = {number}\n")
    write(folder, "uses.py", PURE.replace("import numpy as np", "import numpy as np\nfrom pkg.case_1 import f as g"))
    write(folder, "broken.py", PURE + "def g(:\n")

    def told(*options: str) -> str:
        done = nst("check", "--format", style, *options, cwd=folder, NST_CACHE_DIR=str(folder / ".cache"))
        return re.sub(r'"milliseconds": [\d.e-]+|\d+\.\d s$', "…", done.stdout, flags=re.MULTILINE)

    first = told("--jobs", "1", "--no-cache")
    assert "NST101" in first
    assert told("--jobs", "3") == first
    assert told("--jobs", "2") == first, "with the results that were kept"
