"""Interpreters that users really have: of another version, without NumPy, broken, or no interpreters at all."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.editor import editor

SOURCE = """\
import numpy as np


# nst: example(np.ones(3))
def f(x):
    if x.shape[0] > 2:
        return x * 2
    return x
"""
PROGRAM = """
import sys
from importlib.util import find_spec
print(sys.version_info[0], sys.version_info[1], int(bool(find_spec("numpy"))))
"""


def pythons() -> Iterator[str]:
    """Interpreters of this machine, on the PATH and among pyenv's."""
    for minor in range(6, 16):
        if found := shutil.which(f"python3.{minor}"):
            yield found
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    yield from map(str, sorted(pyenv.glob("3.*/bin/python")))


def find(wanted) -> str:
    """An interpreter whose version, and whether it has NumPy, are wanted; the test is skipped where there is none."""
    for python in pythons():
        done = subprocess.run([python, "-c", PROGRAM], capture_output=True, text=True, timeout=60)
        if done.returncode == 0:
            major, minor, numpy = map(int, done.stdout.split())
            if wanted((major, minor), bool(numpy)):
                return python
    pytest.skip("there is no such interpreter here")


@pytest.fixture
def broken(tmp_path):
    """Things that are no interpreters, by what is said of them."""
    crashing = tmp_path / "crashing"
    crashing.write_text("#!/bin/sh\necho 'error while loading shared libraries' >&2\nexit 127\n")
    crashing.chmod(0o755)
    plain = tmp_path / "plain"
    plain.write_text("")
    (tmp_path / "folder").mkdir()
    return {
        str(tmp_path / "missing"): "does not exist",
        str(tmp_path / "folder"): "is a folder with no interpreter",
        str(plain): "is not executable",
        str(crashing): "error while loading shared libraries",
    }


async def test_what_cannot_run_is_named_once_with_the_way_out(broken, tmp_path):
    async with editor(tmp_path, python=next(iter(broken))) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        for number, (python, why) in enumerate(broken.items(), start=1):
            if number > 1:
                async with it.settled():
                    it.configure(python=python)
            async with it.settled():
                it.save("model.py")
            assert len(it.shown()) == number
            message = it.shown()[-1]
            assert python in message
            assert why in message
            assert "Mend the setting `python`" in message
        found = await it.execute("nst.doctor")
        assert "error while loading shared libraries" in found["text"]
        async with it.settled():
            it.configure(python=sys.prefix)  # the folder of an environment means its interpreter
        assert it.told("model.py") == [("NST102", "x.shape[0] > 2")]
        (running,) = it.statuses[-1].interpreters
        assert running.root == tmp_path.as_uri()
        assert running.name == f"Python {platform.python_version()} ({Path(sys.prefix).name})"


async def test_a_version_that_is_too_old_is_refused(tmp_path):
    python = find(lambda version, numpy: version < (3, 10))
    async with editor(tmp_path, python=python) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        (message,) = it.shown()
        assert "3.10 or newer" in message


async def test_another_version_than_the_servers_is_used_and_named(tmp_path):
    python = find(lambda version, numpy: (3, 10) <= version != sys.version_info[:2] and numpy)
    version = subprocess.run([python, "-V"], capture_output=True, text=True).stdout.split()[1]
    async with editor(tmp_path, python=python) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        assert [code for code, _ in it.told("model.py")] == ["NST102"]
        assert version in await it.hover("model.py", "def |f")
        project = (await it.execute("nst.doctor"))["projects"][0]
        assert project["python"] == version


async def test_the_doctor_tells_all_and_no_secret(tmp_path, monkeypatch):
    monkeypatch.setenv("SOME_API_TOKEN", "s3cr3t-value-of-a-token")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.nst]\nmode = "real"\ntimeout = 7\nmoed = 1\nexclude = ["s3cr3t-value-of-a-token"]\n'
    )
    async with editor(tmp_path, trigger="manual", verify=False) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        found = await it.execute("nst.doctor")
        text = found["text"]
        for fact in (
            r"^server$",
            r"nst-lsp: \d",
            r"Landlock: ",
            r"^client$",
            r"positions: utf-16",
            r"abilities: .*configuration",
            rf"folders: {re.escape(str(tmp_path))}",
            rf"^project {re.escape(str(tmp_path))}",
            r"trusted: yes",
            r"interpreter: \S+ \(VIRTUAL_ENV\)",
            r"worker: pid \d+",
            r"its NumPy: \d",
            r"open files: .*model\.py",
            r"setting mode: real \(pyproject\.toml\)",
            r"setting timeout: 7\.0 \(pyproject\.toml\)",
            r"setting trigger: manual \(editor\)",
            r"setting verify: false \(editor\)",
            r"problem: .*unknown setting `moed`",
            r"^log$",
        ):
            assert re.search(fact, text, re.MULTILINE), fact
        assert "setting exclude" in text
        assert "s3cr3t" not in text
