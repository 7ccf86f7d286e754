"""`nst` on a terminal: a real pseudo-terminal, whose user waits for a question before it answers."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.cli.command import NST


def converse(arguments: Sequence[str], cwd: Path, answers: Sequence[tuple[str, str]]) -> tuple[int, str]:
    """Run `nst`, give each answer once its question has been asked, and return the exit code and all that was said."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [NST, *arguments], cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "NO_COLOR": "1"}
    )
    os.close(theirs)
    said, seen = "", 0
    try:
        for question, answer in answers:
            while question not in said[seen:]:
                said += _read(ours)
            seen = len(said)
            os.write(ours, f"{answer}\n".encode())
        while more := _read(ours, ended=True):
            said += more
        return process.wait(timeout=60), said.replace("\r\n", "\n")
    finally:
        os.close(ours)
        process.kill()


def _read(terminal: int, *, ended: bool = False) -> str:
    """What comes next; Linux tells the end of it as an error."""
    try:
        return os.read(terminal, 4096).decode("utf-8", "replace")
    except OSError:
        if ended:
            return ""
        raise
