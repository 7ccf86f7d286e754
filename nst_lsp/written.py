"""Files for clients that can show nothing else: in a folder of their own, which goes with the server.

A server that is killed leaves its folder behind; the next one that writes removes it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
from pathlib import Path

_PREFIX = "nst-graphs-"
_OLD = 24 * 60 * 60
"""Seconds after which the folder of a process that is gone is removed; another machine may share the disk."""


class Written:
    """Makes its folder when the first file is written, and removes it with `remove`, or when Python ends."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def write(self, name: str, text: str, about: str = "") -> Path:
        """A file of that name, as far as names may have its characters; another one for whatever else it is about."""
        if self._folder is None:
            _remove_left_behind()
            self._folder = tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-")
        folder = Path(self._folder.name, hashlib.blake2s(about.encode(errors="replace"), digest_size=4).hexdigest())
        folder.mkdir(exist_ok=True)
        file = folder / re.sub(r'[<>:"/\\|?*\0]', "", name)
        file.write_text(text, encoding="utf-8")
        return file

    def remove(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _remove_left_behind() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        number = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if number.isdigit() and _is_old(folder) and not _is_alive(int(number)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_old(folder: Path) -> bool:
    try:
        return time.time() - folder.stat().st_mtime > _OLD
    except OSError:
        return False


def _is_alive(process: int) -> bool:
    """Whether a process is there; where that cannot be asked without ending it (Windows), it is taken to be."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
