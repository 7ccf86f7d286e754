"""How many elements a slice takes: one formula for plain and symbolic sizes, bounds and steps."""

from __future__ import annotations

from .dims import dim
from .size import Dim, largest, smallest


def sliced(size: Dim, key: slice) -> Dim:
    """How many elements a slice takes from an axis of that size.

    A start beyond the end, or a stop before the start, needs no clamping: the count is then below 0, and so 0.
    """
    bounds = (key.start, key.stop, key.step)
    if type(size) is int and all(b is None or type(b) is int for b in bounds):
        return len(range(*key.indices(size)))
    start, stop, step = (None if b is None else dim(b) for b in bounds)
    step = 1 if step is None else step
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step > 0:
        first = 0 if start is None else start if start >= 0 else largest(size + start, 0)
        last = size if stop is None else smallest(stop, size) if stop >= 0 else size + stop
        return largest((last - first + step - 1) // step, 0)
    first = size - 1 if start is None else smallest(start, size - 1) if start >= 0 else size + start
    last = -1 if stop is None else stop if stop >= 0 else largest(size + stop, -1)
    return largest((first - last - step - 1) // -step, 0)
