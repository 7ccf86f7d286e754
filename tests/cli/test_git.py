"""git is asked for a limited time, and not waited for by those who have given up."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from nst_lsp import git
from nst_lsp.git import GitError
from nst_lsp.history import find_past

DEADLINE = 60


@pytest.fixture
def pid_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git that never answers; the file says which process it is."""
    program, pid = tmp_path / "git", tmp_path / "pid"
    program.write_text(f"#!/bin/sh\necho $$ > {pid}.new\nmv {pid}.new {pid}\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "ops.py").write_text("")
    return pid


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_who_gives_up_leaves_no_process(pid_of_git: Path):
    asked = asyncio.create_task(find_past(str(pid_of_git.with_name("ops.py")), "HEAD", str(pid_of_git.parent)))
    async with asyncio.timeout(DEADLINE):
        while not pid_of_git.exists():
            await asyncio.sleep(0.01)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert not is_alive(int(pid_of_git.read_text()))


async def test_git_that_does_not_answer_is_ended(pid_of_git: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(git, "SECONDS", 0.05)
    with pytest.raises(GitError, match="git rev-parse gave no answer"):
        await find_past(str(pid_of_git.with_name("ops.py")), "HEAD", str(pid_of_git.parent))
    assert not pid_of_git.exists() or not is_alive(int(pid_of_git.read_text()))
