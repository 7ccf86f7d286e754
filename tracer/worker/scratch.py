"""Scratch folders: each run gets one of its own, and none is left, whoever dies.

A worker owns a folder with a lock that ends with the worker, and makes those of its runs inside.  The next worker
that starts removes what is left of dead ones.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import descriptors

if sys.platform != "win32":
    import fcntl

PREFIX = "nst-lsp-"
_LOCK = "lock"
_YOUNG = 60.0
"""Seconds that a worker may take from making its folder to locking it."""


class Scratch:
    """The folder of one worker; remove it with `close`."""

    def __init__(self) -> None:
        sweep()
        self._folder = tempfile.mkdtemp(prefix=PREFIX)
        self._lock = os.open(os.path.join(self._folder, _LOCK), os.O_RDWR | os.O_CREAT, 0o600)
        if sys.platform != "win32":
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            opened, self._lock = self._lock, descriptors.lift(self._lock)  # forked children let go of it
            os.close(opened)
        self._runs = 0

    def new(self) -> str:
        """A new folder for one run."""
        self._runs += 1
        folder = os.path.join(self._folder, str(self._runs))
        os.mkdir(folder, 0o700)
        return folder

    def close(self) -> None:
        descriptors.close(self._lock)
        remove(self._folder)


def remove(folder: str) -> None:
    """Remove a folder whatever is in it, also what its owner may not enter."""
    if sys.version_info >= (3, 12):
        shutil.rmtree(folder, onexc=_once_more)
    else:
        shutil.rmtree(folder, onerror=_once_more)


def sweep() -> None:
    """Remove the folders of workers that are dead."""
    for folder in Path(tempfile.gettempdir()).glob(PREFIX + "*"):
        with contextlib.suppress(OSError):
            status = folder.lstat()
            if stat.S_ISDIR(status.st_mode) and _is_mine(status) and _is_abandoned(folder, status):
                remove(str(folder))


def _is_mine(status: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or status.st_uid == os.getuid()


def _is_abandoned(folder: Path, status: os.stat_result) -> bool:
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR)
    except FileNotFoundError:
        return time.time() - status.st_mtime > _YOUNG
    try:
        if sys.platform == "win32":
            os.close(lock)
            os.unlink(folder / _LOCK)  # not while its owner has it open
            return True
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        if sys.platform != "win32":
            os.close(lock)
    return True


def _once_more(function: Callable[..., Any], path: str, _: Any) -> None:
    """User code may have taken away the permission to look into a folder, or to change it."""
    with contextlib.suppress(OSError):
        os.chmod(os.path.dirname(path), stat.S_IRWXU)
        os.chmod(path, stat.S_IRWXU)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
