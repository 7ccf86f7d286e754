"""NumPy's objects that make arrays of what they are indexed with: `np.r_`, `np.c_`, `np.mgrid`, `np.ogrid`."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from .abstract import Reason, Shape, Unknown
from .creation import counted
from .dims import shape_of
from .joining import joined
from .probe import dressed, probe
from .size import Dim, Size

GRIDS = (type(np.mgrid), type(np.ogrid))
JOINERS = (type(np.r_), type(np.c_))


def of_slice(key: slice) -> Dim:
    """How many numbers a slice stands for; an imaginary step is how many."""
    start = 0 if key.start is None else key.start
    if isinstance(key.step, complex):
        return math.floor(abs(key.step))
    return counted(start, key.stop, 1 if key.step is None else key.step)


def _small(key: slice) -> slice:
    """Few numbers of the same class."""
    return slice(*(_unit(v, i) for i, v in enumerate((key.start, key.stop, key.step))))


def _unit(value: Any, place: int) -> Any:
    if value is None or isinstance(value, complex):
        return value
    if isinstance(value, Size):
        return min(place, 1)
    return type(value)(min(place, 1))


def grid(owner: Any, key: Any) -> Any:
    """`np.mgrid[key]` and `np.ogrid[key]`."""
    if isinstance(key, slice):
        return dressed(probe(operator.getitem, (owner, _small(key)), {}), (of_slice(key),))
    like = probe(operator.getitem, (owner, tuple([_small(k) for k in key])), {})
    sizes = [of_slice(k) for k in key]
    if not owner.sparse:
        return dressed(like, (len(sizes), *sizes))
    return dressed(like, [tuple([s if i == at else 1 for at in range(len(sizes))]) for i, s in enumerate(sizes)])


def join(owner: Any, key: Any) -> Any:
    """`np.r_[key]` and `np.c_[key]`."""
    parts = list(key) if type(key) is tuple else [key]
    axis, rank, moved = owner.axis, owner.ndmin, owner.trans1d
    if parts and isinstance(parts[0], str):
        numbers = parts.pop(0).split(",")
        if not all(_is_number(n) for n in numbers):
            raise Unknown(Reason.RULE, "it makes a matrix")
        given = [int(n) for n in numbers]
        axis, rank, moved = (given + [axis, rank, moved][len(given) :])[:3]
    small = [_small(p) if isinstance(p, slice) else p for p in parts]
    head = (key[0],) if type(key) is tuple and isinstance(key[0], str) else ()
    like = probe(operator.getitem, (owner, (*head, *small) if type(key) is tuple else small[0]), {})
    return dressed(like, joined([_raised(_part(p), rank, moved) for p in parts], axis))


def _is_number(text: str) -> bool:
    return text.strip().lstrip("-").isdigit()


def _part(part: Any) -> Shape:
    return (of_slice(part),) if isinstance(part, slice) else shape_of(part)


def _raised(shape: Shape, rank: int, moved: int) -> Shape:
    """The shape with at least so many dimensions; `moved` says where the new ones stand."""
    missing = rank - len(shape)
    if missing <= 0:
        return shape
    whole = (1,) * missing + shape
    if moved == -1 or not shape:
        return whole
    place = moved + missing + 1 if moved < 0 else moved
    order = list(range(rank))
    order = order[:place] + order[missing:] + order[place:missing]
    return tuple([whole[i] for i in order])
