"""How many elements a slice takes: one formula for plain and symbolic sizes, bounds and steps."""

from __future__ import annotations

from typing import Any

from .dims import dim
from .size import Dim, largest, smallest

_KEPT: dict[Any, Dim] = {}
_MOST = 4096


def sliced(size: Dim, key: slice) -> Dim:
    """How many elements a slice takes from an axis of that size.

    A start beyond the end, or a stop before the start, needs no clamping: the count is then below 0, and so 0.
    """
    start, stop, step = key.start, key.stop, key.step
    if start is None and stop is None and step is None:
        return size
    if (
        (type(start) is int or start is None)
        and (type(stop) is int or stop is None)
        and (step is None or type(step) is int)
    ):
        if type(size) is int:
            return len(range(*key.indices(size)))
        asked = (size.terms, start, stop, step)  # type: ignore[union-attr]  # no int
        if asked not in _KEPT:  # plain bounds need no assumption that would have to be noted again
            if len(_KEPT) >= _MOST:
                _KEPT.clear()
            _KEPT[asked] = _count(size, start, stop, 1 if step is None else step)
        return _KEPT[asked]
    first, last, by = (None if b is None else dim(b) for b in (start, stop, step))
    return _count(size, first, last, 1 if by is None else by)


def _count(size: Dim, start: Dim | None, stop: Dim | None, step: Dim) -> Dim:
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step > 0:
        first = 0 if start is None else start if start >= 0 else largest(size + start, 0)
        last = size if stop is None else smallest(stop, size) if stop >= 0 else size + stop
        return largest((last - first + step - 1) // step, 0)
    first = size - 1 if start is None else smallest(start, size - 1) if start >= 0 else size + start
    last = -1 if stop is None else stop if stop >= 0 else largest(size + stop, -1)
    return largest((first - last - step - 1) // -step, 0)
