"""Tells that modules are being imported: how long that takes is no matter of the user's code.

A finder that finds nothing, behind the one that finds the user's own modules: whatever comes to it is to be imported
from elsewhere, or is not there.  Each time, the clock of the run begins anew (`wire.IMPORTS` says for how long), so
that its time is what the code takes from the last import on.
"""

from __future__ import annotations

import importlib.abc
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from .frames import Emit, Kind, body
from .wire import IMPORTS, Importing

_EVERY = 0.5
"""Seconds between two signs."""


def tell(request: int, emit: Emit, anew: Callable[[], object] = lambda: None) -> None:
    """From now on, tell `emit` of imports in this process; `anew` is called where the clock is this process's own."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Listener)]
    sys.meta_path.insert(0, _Listener(request, emit, anew))


class _Listener(importlib.abc.MetaPathFinder):
    def __init__(self, request: int, emit: Emit, anew: Callable[[], object]) -> None:
        self._request = request
        self._emit = emit
        self._anew = anew
        self._owner = os.getpid(), threading.get_ident()
        self._first: float | None = None
        self._last = 0.0

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        now = time.monotonic()
        if now < self._last + _EVERY or self._owner != (os.getpid(), threading.get_ident()):
            return
        self._first = self._first or now
        if now < self._first + IMPORTS:
            self._last = now
            self._emit(Kind.IMPORTING, body(Importing(self._request, fullname)))
            self._anew()
