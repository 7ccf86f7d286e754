"""How time is taken: the least CPU time of several rounds, the sides of a comparison in turn.

All sides of a comparison run in one process and in every round once, so that a busy machine shifts all alike.
Python's garbage collector is on, as it is where the functions are used; before each clock starts it has been run, and
what was there before (modules, other sides' results) is out of its sight.  CPU time is that of all threads, and of
child processes that have ended.
"""

from __future__ import annotations

import gc
import resource
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

ROUNDS = 5

Side = Callable[[], Callable[[], Any]]
"""One side of a comparison: makes ready what is to be run, which is not measured, and gives it."""


def least(sides: Sequence[Side], rounds: int = ROUNDS) -> list[float]:
    """The least CPU seconds of each side."""
    best = [float("inf")] * len(sides)
    for _ in range(rounds):
        for place, ready in enumerate(sides):
            best[place] = min(best[place], seconds(ready()))
    return best


def seconds(function: Callable[[], Any]) -> float:
    """CPU seconds of one call."""
    gc.collect()
    gc.freeze()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = _used()
        kept = function()
        taken = _used() - before
    del kept  # letting go of a result is not part of making it
    gc.unfreeze()
    return taken


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
