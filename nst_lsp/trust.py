"""Whether the code of a workspace may run, where the editor says no and has no way of its own to ask.

A folder that the user trusts is remembered: whoever was asked once does not expect the question at the next start.  It
stands, a folder a line, in a file of the user's state, outside of every workspace, and taking the line out forgets it.
Other answers hold for the session.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

UNTRUSTED = "nothing is run in a workspace that is not trusted"
ALWAYS = "Trust this folder"
SESSION = "Only now"
NEVER = "No"


def question(folder: str) -> str:
    return f"nst runs the code of this workspace to trace it. Do you trust what is in {folder}?"


def state_file(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where the trusted folders are remembered."""
    home = Path.home()
    if platform == "win32":
        base = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state")
    return base / "nst-lsp" / "trusted"


class Trust:
    """The user's answers, by folder."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or state_file()
        self._asked: set[str] = set()
        self._granted: set[str] = set()

    def granted(self, folder: str) -> bool:
        """Whether a folder, or one around it, is trusted."""
        here = Path(os.path.realpath(folder))
        trusted = self._granted | self._remembered()
        return any(str(one) in trusted for one in (here, *here.parents))

    def is_due(self, folder: str) -> bool:
        """Whether the question is due: once for each folder."""
        due = folder not in self._asked
        self._asked.add(folder)
        return due

    def answer(self, folder: str, choice: str | None) -> bool:
        """Take the user's answer, and say whether the folder is trusted by it."""
        if choice not in (ALWAYS, SESSION):
            return False
        real = os.path.realpath(folder)
        self._granted.add(real)
        if choice == ALWAYS and real not in self._remembered() and real.isprintable():
            self._remember(real)
        return True

    def _remembered(self) -> set[str]:
        try:
            return set(self._file.read_text(encoding="utf-8").splitlines()) - {""}
        except (OSError, ValueError):
            return set()

    def _remember(self, folder: str) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._file.open("a", encoding="utf-8") as stream:
                stream.write(f"{folder}\n")
        except OSError:  # it holds for the session
            return
