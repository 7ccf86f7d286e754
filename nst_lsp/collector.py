"""Python's cycle collector, held back while something large is made.

Making a hundred thousand objects sets off collections that look at every object there is, and nothing runs meanwhile:
half a second in which no keystroke is answered.  What is made here has no cycles, so nothing would be found.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_blocks: list[None] = []
"""One for each block that is being run."""


@contextmanager
def held_back() -> Iterator[None]:
    """No collection begins by itself until this block, and those of other threads, are left."""
    with _lock:
        _blocks.append(None)
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _blocks.pop()
            if not _blocks:
                gc.enable()
