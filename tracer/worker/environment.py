"""Which variables of the environment Python code has read, for whoever wants to know what a run rests on.

`watch` must come before modules are imported that read some.  What native code reads (`getenv`) is not seen.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

EVERYTHING = "*"
"""Stands for all variables, where somebody looked through them."""
_READ: set[str] = set()


class _Watched(os._Environ):  # type: ignore[type-arg]  # generic for type checkers only
    """`os.environ`, which remembers what is asked of it."""

    def __getitem__(self, key: Any) -> Any:
        _READ.add(os.fsdecode(key) if isinstance(key, (str, bytes)) else EVERYTHING)
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        _READ.add(EVERYTHING)
        return super().__iter__()


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
