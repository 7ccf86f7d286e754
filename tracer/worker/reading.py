"""Which files of the outside a run rests on: those it has read, and modules neither of the workspace nor installed.

A result that is kept for later (`tracer.fingerprints`, `basis`) must not outlive them.  Reads are seen by the audit
hook of `confine`: the `open` event of files that are opened for reading, and that of libraries and databases.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from ..loader import is_installed
from ..recorder import USER_FILES
from .asked import is_lasting

_SEEN: set[str] = set()


def opened(args: tuple[Any, ...]) -> None:
    """Remember a file that is opened for reading; `args` are those of the audit event `open`."""
    path, mode, flags = args
    if isinstance(path, str) and not _writes(mode, flags):
        _SEEN.add(path)


def loaded(args: tuple[Any, ...]) -> None:
    """Remember a library or database that native code opens by its path."""
    path = os.fsdecode(args[0]) if args and isinstance(args[0], (str, bytes)) else ""
    if os.sep in path or os.path.exists(path):
        _SEEN.add(path)


def _writes(mode: Any, flags: Any) -> bool:
    if isinstance(mode, str):
        return not {"w", "a", "x"}.isdisjoint(mode)
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_CREAT | os.O_TRUNC))


def read() -> frozenset[str]:
    """The files that were read so far, without those of Python, of installed packages and of the workspace's code."""
    seen = {os.path.abspath(path) for path in _SEEN if not path.endswith(".pyc") and is_lasting(path)}
    return frozenset(path for path in seen if not is_installed(path) and os.path.realpath(path) not in USER_FILES)


def stamps() -> list[str]:
    """What tells the files that a run rests on so far from later ones of the same names: time and size of each."""
    modules = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    outside = {path for path in modules if path and not is_installed(path) and path not in USER_FILES}
    return [_stamp(path) for path in sorted(read() | outside)]


def _stamp(path: str) -> str:
    try:
        found = os.stat(path)
    except OSError:
        return path
    return f"{path} {found.st_mtime_ns} {found.st_size}"
