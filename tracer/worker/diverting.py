"""Files that a confined process writes outside of its scratch folder are written inside instead.

`install` puts a passage in the place of each function of `io` and `os` that opens, makes, moves or looks at files;
it must come before other modules are loaded, which keep what they import.  Then an `Overlay` guides them: what was
diverted is found again under its own name, by this process and those it forks.  What cannot be diverted goes
on to the original function, where the audit hook (`confine`) stops it.
"""

from __future__ import annotations

import builtins
import io
import os
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..passages import Passage
from . import asked

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LARGEST = 64 * 2**20
"""Bytes of a file that are copied where a program goes on writing in it."""
_OPEN, _STAT, _MKDIR, _OS_OPEN = io.open, os.stat, os.mkdir, os.open
_FOUND = ("stat", "lstat", "access", "listdir", "scandir", "chmod", "utime", "truncate", "remove", "unlink", "rmdir")
"""Functions of `os` that are led to where their path was diverted, if it was."""
_PASSAGES: dict[str, Passage] = {}


def install() -> None:
    """Put passages in the place of the functions; until there is an overlay, they change nothing."""
    _PASSAGES["io.open"] = io.open = builtins.open = Passage(io.open, "io")
    for name in ("open", "mkdir", "rename", "replace", *_FOUND):
        function = getattr(os, name)
        _PASSAGES[name] = passage = Passage(function, "os")
        setattr(os, name, passage)
        for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks, os.supports_effective_ids):
            if function in able:
                able.add(passage)
    accessor = getattr(sys.modules.get("pathlib"), "_NormalAccessor", None)  # Python 3.10 keeps the functions there
    if accessor is not None:
        for name, passage in _PASSAGES.items():
            if isinstance(vars(accessor).get(name), type(len)):
                setattr(accessor, name, io.open if name == "open" else passage)


@dataclass(frozen=True, slots=True)
class _Wish:
    """How a file is to be opened for writing."""

    keeps: bool
    creates: bool
    exclusive: bool


def _wish(mode: str) -> _Wish:
    return _Wish(keeps="w" not in mode, creates="r" not in mode, exclusive="x" in mode)


def _wish_of_flags(flags: int) -> _Wish:
    return _Wish(not flags & os.O_TRUNC, bool(flags & os.O_CREAT), bool(flags & os.O_EXCL))


class Overlay:
    """The files of the outside as a confined process sees them.

    `folder` is where diverted files go, `is_free` tells which paths may be written as they are, and `tell` hears
    of each path that was diverted.
    """

    def __init__(self, folder: str, is_free: Callable[[str], bool], tell: Callable[[str], None]) -> None:
        self._folder = folder
        self._is_free = is_free
        self._tell = tell
        self._moved: dict[str, str] = {}
        self._made = 0

    def guide(self) -> None:
        """From now on, calls of the passages come here."""
        if not _PASSAGES:
            install()
        _PASSAGES["io.open"].guide = self._open
        _PASSAGES["open"].guide = self._open_descriptor
        _PASSAGES["mkdir"].guide = self._make_folder
        _PASSAGES["rename"].guide = _PASSAGES["replace"].guide = self._rename
        for name in _FOUND:
            _PASSAGES[name].guide = self._found

    def remember(self) -> Callable[[], None]:
        """A function that forgets what is diverted from now on."""
        moved = dict(self._moved)

        def recall() -> None:
            self._moved = dict(moved)

        return recall

    # ---- the functions ---------------------------------------------------------------------------------

    def _open(self, function: Any, file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        path = _path(file)
        own_opener = kwargs.get("opener") is not None or len(args) > 5
        if path is None or own_opener or type(mode) is not str or not (self._moved or _writes(mode)):
            return function(file, mode, *args, **kwargs)
        target = self._target(path, _wish(mode)) if _writes(mode) else self._now(path)
        if target is None or target == path:
            return function(file, mode, *args, **kwargs)
        return led(function, file, mode, *args, **kwargs, opener=lambda _, flags: _OS_OPEN(target, flags, 0o666))

    def _open_descriptor(self, function: Any, path: Any, flags: int, *args: Any, **kwargs: Any) -> Any:
        text = _path(path)
        writes = type(flags) is int and flags & _WRITING != 0
        if text is None or kwargs.get("dir_fd") is not None or not (self._moved or writes):
            return function(path, flags, *args, **kwargs)
        target = self._target(text, _wish_of_flags(flags)) if writes else self._now(text)
        return function(path if target is None or target == text else target, flags, *args, **kwargs)

    def _make_folder(self, function: Any, path: Any, *args: Any, **kwargs: Any) -> Any:
        text = _path(path)
        if text is None or kwargs.get("dir_fd") is not None or self._is_free(text):
            return function(path, *args, **kwargs)
        now = self._now(text)
        if now == text and not _exists(text) and _is_folder(self._now(os.path.dirname(text))):
            now = self._moved[text] = self._new(text)
        if now == text:
            return function(path, *args, **kwargs)
        function(now, *args, **kwargs)
        self._tell(text)
        return None

    def _rename(self, function: Any, source: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
        old, new = _path(source), _path(target)
        if old is None or new is None or args or any(value is not None for value in kwargs.values()):
            return function(source, target, *args, **kwargs)
        now = self._now(old)
        if now == old and not self._is_free(old):
            return function(source, target)  # a file of the outside would be gone
        if self._is_free(new):
            return function(now, new)
        led_to = self._now(new)
        if led_to == new or not self._is_mine(led_to):
            led_to = self._new(new)
        function(now, led_to)
        self._moved[new] = led_to
        self._tell(new)
        return None

    def _found(self, function: Any, path: Any = ".", *args: Any, **kwargs: Any) -> Any:
        text = _path(path)
        if text is not None:
            asked.look(text)
        if text is None or not self._moved or kwargs.get("dir_fd") is not None:
            return function(path, *args, **kwargs)
        now = self._now(text)
        return function(path if now == text else now, *args, **kwargs)

    # ---- where files are -------------------------------------------------------------------------------

    def _now(self, path: str) -> str:
        """Where the file of a path is now: it, or a folder above it, may have been diverted."""
        rest, above = "", path
        while True:
            found = self._moved.get(above)
            if found is not None:
                return found + rest
            parent = os.path.dirname(above)
            if parent == above or not self._moved:
                return path
            above, rest = parent, path[len(parent.rstrip(os.sep)) :]

    def _target(self, path: str, wish: _Wish) -> str | None:
        """Where to write instead; None where the path is free, cannot be diverted, or cannot be written at all."""
        if self._is_free(path):
            return None
        now = self._now(path)
        if now != path and (self._is_mine(now) or not _exists(now)):
            self._tell(path)
            return now
        status = _status(now)
        if status is None and not (wish.creates and _is_folder(self._now(os.path.dirname(path)))):
            return None
        if status is not None and (wish.exclusive or not stat.S_ISREG(status.st_mode)):
            return None
        target = self._new(path)
        if status is not None and wish.keeps and (status.st_size > _LARGEST or not _copied(now, target)):
            return None
        self._moved[path] = target
        self._tell(path)
        return target

    def _new(self, path: str) -> str:
        """A name in a folder that no other process uses, ending as `path` does."""
        self._made += 1
        folder = os.path.join(self._folder, f"{os.getpid()}-{self._made}")
        _MKDIR(folder)
        return os.path.join(folder, os.path.basename(path) or "file")

    def _is_mine(self, target: str) -> bool:
        """Whether a diverted file was made by this process, not by the one that forked it."""
        return target.startswith(os.path.join(self._folder, f"{os.getpid()}-"))


def led(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The call of an original with the user's own path, which the audit hook lets pass when it comes from here."""
    return function(*args, **kwargs)


def _writes(mode: str) -> bool:
    return not _READING.issuperset(mode)


_READING = frozenset("rbtU")


def _path(path: Any) -> str | None:
    """An absolute path as text, or None for a descriptor and what is no path."""
    try:
        return None if isinstance(path, int) else os.path.abspath(os.fsdecode(path))
    except (TypeError, ValueError, OSError):
        return None


def _status(path: str) -> os.stat_result | None:
    try:
        return _STAT(path)
    except (OSError, ValueError):
        return None


def _exists(path: str) -> bool:
    return _status(path) is not None


def _is_folder(path: str) -> bool:
    status = _status(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def _copied(source: str, target: str) -> bool:
    try:
        with _OPEN(source, "rb") as read, _OPEN(target, "wb") as written:
            while part := read.read(1 << 20):
                written.write(part)
    except OSError:
        return False
    return True
