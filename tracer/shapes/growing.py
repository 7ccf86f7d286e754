"""Functions that repeat, pad and tile, and those that take diagonals."""

from __future__ import annotations

from typing import Any

from .abstract import Abstract, Reason, Shape, Unknown
from .dims import as_abstract, axis_of, dim, dims, is_one, product, replaced, shape_of
from .probe import Rule, probe
from .size import Dim, hint, largest, smallest


def repeated(shape: Shape, repeats: Any, axis: Any = None) -> Shape:
    shape, along = ((product(shape),), 0) if axis is None else (shape, axis_of(axis, len(shape)))
    counts = shape_of(repeats)
    if not counts or is_one(counts[0]):
        count = dim(repeats if not counts else _contents(repeats)[0])
        if hint(count) < 0:
            raise ValueError("repeats may not contain negative values.")
        return replaced(shape, along, shape[along] * count)
    total: Dim = 0
    for count in _contents(repeats):
        total = total + dim(count)
    if hint(counts[0]) != hint(shape[along]):
        raise ValueError(f"operands could not be broadcast together with shape {shape} {counts}")
    return replaced(shape, along, total)


def _contents(value: Any) -> Any:
    """The elements of numbers that are given; raises Unknown for an array of which they are not known."""
    if isinstance(value, Abstract):
        raise Unknown(Reason.CONTENTS)
    return value


def tiled(shape: Shape, reps: Any) -> Shape:
    counts = dims(reps)
    rank = max(len(shape), len(counts))
    shape, counts = (1,) * (rank - len(shape)) + shape, (1,) * (rank - len(counts)) + counts
    return tuple([size * count for size, count in zip(shape, counts, strict=False)])


def padded(function: Any) -> Rule:
    def rule(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
        known = as_abstract(array)
        if isinstance(mode, str):
            probe(function, (Abstract((), known.dtype) if not known.shape else known, 0, mode), kwargs, 2)
        widths = _pad_widths(pad_width, len(known.shape))
        if any(hint(w) < 0 for pair in widths for w in pair):
            raise ValueError("index can't contain negative values")
        grows = [d for d, pair in zip(known.shape, widths, strict=False) if any(hint(w) for w in pair)]
        if (
            mode not in ("constant", "empty")
            and isinstance(mode, str)
            and any(type(d) is int and d == 0 for d in grows)
        ):
            raise ValueError(f"can't extend empty axis using modes other than 'constant' or 'empty' ({mode})")
        shape = tuple([before + size + after for size, (before, after) in zip(known.shape, widths, strict=False)])
        return Abstract(shape, known.dtype)

    return rule


def _pad_widths(width: Any, ndim: int) -> list[tuple[Dim, Dim]]:
    """Before and after for each axis, from the forms that `np.pad` takes."""
    if isinstance(width, dict):
        pairs: list[tuple[Dim, Dim]] = [(0, 0)] * ndim
        for axis, pair in width.items():
            both = dims(pair)
            pairs[axis_of(axis, ndim)] = (both[0], both[-1])
        return pairs
    shape = shape_of(_contents(width))
    if len(shape) > 2 or not all(hint(d) in (1, w) for d, w in zip(reversed(shape), (2, ndim), strict=False)):
        raise ValueError(f"operands could not be broadcast together with shape {shape} {(ndim, 2)}")
    if not shape:
        return [(dim(width), dim(width))] * ndim
    if len(shape) == 1:
        both = dims(width)
        return [(both[0], both[-1])] * ndim
    rows = [dims(row) for row in width]
    rows = rows * ndim if len(rows) == 1 else rows
    return [(row[0], row[-1]) for row in rows]


def _trimmed_diagonal(shape: Shape, offset: Dim) -> Dim:
    """The length of a diagonal of a matrix."""
    rows, columns = shape
    if offset >= 0:
        return largest(smallest(rows, columns - offset), 0)
    return largest(smallest(rows + offset, columns), 0)


def diagonal(shape: Shape, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Shape:
    if len(shape) < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    one, other = axis_of(axis1, len(shape)), axis_of(axis2, len(shape))
    if one == other:
        raise ValueError("axis1 and axis2 cannot be the same")
    rest = tuple([d for i, d in enumerate(shape) if i not in (one, other)])
    return (*rest, _trimmed_diagonal((shape[one], shape[other]), dim(offset)))


def diag(shape: Shape, k: Any = 0) -> Shape:
    if len(shape) == 1:
        return (shape[0] + abs(dim(k)),) * 2
    if len(shape) == 2:
        return diagonal(shape, k)
    raise ValueError("Input must be 1- or 2-d.")


def traced(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, *more: Any, **named: Any) -> Shape:
    return diagonal(shape_of(a), offset, axis1, axis2)[:-1]
