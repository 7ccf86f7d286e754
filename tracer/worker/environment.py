"""Which variables of the environment Python code has read, and which modules were there before it set any.

The first is for whoever wants to know what a run rests on, the second for whoever imports modules ahead.

`watch` must come before modules are imported that read some.  What native code reads (`getenv`) is not seen.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

EVERYTHING = "*"
"""Stands for all variables, where somebody looked through them."""
_READ: set[str] = set()
_SETTERS: dict[str, frozenset[str]] = {}
_IMPORTING = "<frozen importlib._bootstrap>"
_ON_THE_WAY = frozenset({"os", "collections.abc", "_collections_abc"})
"""Modules of `update`, `setdefault` and the like."""


class _Watched(os._Environ):  # type: ignore[type-arg]  # generic for type checkers only
    """`os.environ`, which remembers what is asked of it, and what is done to it."""

    def __getitem__(self, key: Any) -> Any:
        _READ.add(os.fsdecode(key) if isinstance(key, (str, bytes)) else EVERYTHING)
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        _READ.add(EVERYTHING)
        return super().__iter__()

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        _note_setting()

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        _note_setting()


def watch() -> None:
    os.environ.__class__ = _Watched
    if os.supports_bytes_environ:
        os.environb.__class__ = _Watched


def variables() -> dict[str, str]:
    """A copy of the environment; taking it counts as no reading."""
    before = set(_READ)
    copy = dict(os.environ)
    _READ.intersection_update(before)
    return copy


def read() -> frozenset[str]:
    """The variables that were read so far."""
    return frozenset(_READ)


def may_follow_settings(module: str) -> bool:
    """Whether a module may be as it is for a variable that was set before it was imported.

    What an import sets is no matter here, nor what a package sets for its own modules.
    """
    package = module.partition(".")[0]
    return any(module not in before and setter != package for setter, before in _SETTERS.items())


@contextmanager
def unchanged() -> Iterator[None]:
    """Put variables back to what they were."""
    before = variables()
    try:
        yield
    finally:
        now = variables()
        for name in now.keys() - before.keys():
            del os.environ[name]
        for name in before:
            if now.get(name) != before[name]:
                os.environ[name] = before[name]


def _note_setting() -> None:
    """Keep which modules were there when the user's code, or that of a package called by it, first set variables."""
    from ..recorder import USER_FILES  # which reads variables as it is imported

    setter = None
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename != _IMPORTING:
        users = frame.f_code.co_filename in USER_FILES
        if setter is None and frame.f_globals.get("__name__") not in _ON_THE_WAY:
            setter = "" if users else str(frame.f_globals.get("__name__")).partition(".")[0]
        if users:
            _SETTERS.setdefault(setter or "", frozenset(sys.modules))
            return
        frame = frame.f_back
