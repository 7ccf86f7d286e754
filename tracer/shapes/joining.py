"""Functions that join arrays or take them apart: concatenate, stack, block, split, insert, delete."""

from __future__ import annotations

import operator
from itertools import pairwise
from typing import Any

import numpy as np

from .abstract import Abstract, Reason, Shape, Unknown
from .dims import as_abstract, axis_of, dim, integer, matched, product, removed, replaced, shape_of
from .probe import Rule, dressed, probe
from .registry import present
from .size import Dim, Size, hint
from .slices import sliced

# ---- joining ---------------------------------------------------------------------------------------


def rows(arrays: Any) -> list[Any]:
    """The arrays of a sequence, or the rows of an array."""
    if isinstance(arrays, (Abstract, np.ndarray)):
        shape = arrays.shape
        if not shape:
            raise ValueError("zero-dimensional arrays cannot be concatenated")
        return [Abstract(shape[1:], arrays.dtype)] * operator.index(shape[0])
    return list(arrays)


def joined(shapes: list[Shape], axis: Any) -> Shape:
    """The shape of arrays one after another along an axis; raises ValueError where they do not fit."""
    if not shapes:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        shapes, axis = [(product(s),) for s in shapes], 0
    first = shapes[0]
    if not first:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    along = axis_of(axis, len(first))
    total, rest = first[along], removed(first, along)
    for shape in shapes[1:]:
        if len(shape) != len(first):
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
        total = total + shape[along]
        wrong = "all the input array dimensions except for the concatenation axis must match exactly"
        rest = tuple([matched(a, b, wrong) for a, b in zip(rest, removed(shape, along), strict=False)])
    return (*rest[:along], total, *rest[along:])


def stacked(shapes: list[Shape], axis: Any) -> Shape:
    if not shapes:
        raise ValueError("need at least one array to stack")
    first = shapes[0]
    for shape in shapes[1:]:
        if len(shape) != len(first):
            raise ValueError("all input arrays must have the same shape")
        first = tuple(
            [matched(a, b, "all input arrays must have the same shape") for a, b in zip(first, shape, strict=False)]
        )
    along = axis_of(axis, len(first) + 1)
    return (*first[:along], len(shapes), *first[along:])


def _joining(function: Any, shape_rule: Any) -> Rule:
    def rule(arrays: Any, axis: Any = 0, out: Any = None, **named: Any) -> Any:
        parts = rows(arrays)
        if not parts:
            raise ValueError("need at least one array to concatenate")
        shape = shape_rule([shape_of(p) for p in parts], axis)
        like = probe(function, (_typical(parts), axis), {**named, **({} if out is None else {"out": None})})
        if isinstance(out, (Abstract, np.ndarray)):
            return Abstract(shape, out.dtype)
        return dressed(like, shape)

    return rule


def _typical(parts: list[Any]) -> list[Any]:
    """Parts of which the dtypes are those of all: a thousand alike are asked about as two."""
    found: dict[Any, Any] = {}
    for part in parts:
        known = as_abstract(part) if not isinstance(part, Abstract) else part
        found.setdefault((known.dtype, len(known.shape), known.scalar), part)
    return list(found.values())


def _stacking(function: Any, raised: Any, joining: Any) -> Rule:
    """`vstack` and its kin: each part is brought to a rank, then joined."""

    def rule(tup: Any, **named: Any) -> Any:
        parts = rows(tup)
        if not parts:
            raise ValueError("need at least one array to concatenate")
        shape = joining([raised(shape_of(p)) for p in parts])
        return dressed(probe(function, (_typical(parts),), named), shape)

    return rule


def _row(shape: Shape) -> Shape:
    return shape if len(shape) > 1 else (1, *(shape or (1,)))


def _column(shape: Shape) -> Shape:
    return shape if len(shape) > 1 else (*(shape or (1,)), 1)


def _deep(shape: Shape) -> Shape:
    return shape if len(shape) > 2 else (*_row(shape), 1)


def _side_by_side(shapes: list[Shape]) -> Shape:
    return joined(shapes, 0 if len(shapes[0]) == 1 else 1)


def _block(function: Any) -> Rule:
    def shape_rule(arrays: Any, depth: int, rank: int) -> Shape:
        if not isinstance(arrays, list):
            shape = shape_of(arrays)
            return (1,) * (rank - len(shape)) + shape
        if not arrays:
            raise ValueError("List cannot be empty")
        return joined([shape_rule(a, depth + 1, rank) for a in arrays], depth - _depth(arrays) - depth)

    def rule(arrays: Any) -> Any:
        rank = max(_depth(arrays), _rank(arrays))
        like = probe(function, (arrays,), {})
        return dressed(like, shape_rule(arrays, 0, rank))

    return rule


def _depth(arrays: Any) -> int:
    return 1 + _depth(arrays[0]) if isinstance(arrays, list) and arrays else 0


def _rank(arrays: Any) -> int:
    return max(_rank(a) for a in arrays) if isinstance(arrays, list) and arrays else len(shape_of(arrays))


def _append(function: Any) -> Rule:
    def rule(arr: Any, values: Any, axis: Any = None) -> Any:
        shape = joined([shape_of(arr), shape_of(values)], axis)
        return dressed(probe(function, (arr, values, axis), {}), shape)

    return rule


# ---- taking apart ----------------------------------------------------------------------------------


def _cut(shape: Shape, sections: Any, axis: Any, *, evenly: bool) -> list[Shape]:
    """The shapes of the parts: so many, or between these positions."""
    along = axis_of(axis, len(shape))
    size = shape[along]
    if isinstance(sections, Abstract):
        raise Unknown(Reason.CONTENTS)
    if hasattr(sections, "__len__"):
        edges = [0, *[dim(s) for s in sections], None]
        return [replaced(shape, along, sliced(size, slice(a, b))) for a, b in pairwise(edges)]
    count = integer(sections)
    if count <= 0:
        raise ValueError("number sections must be larger than 0.")
    if evenly:
        if hint(size) % count:
            raise ValueError("array split does not result in an equal division")
        return [replaced(shape, along, size // count)] * count
    return [replaced(shape, along, _share(size, count, i)) for i in range(count)]


def _share(size: Dim, count: int, index: int) -> Dim:
    """How many of `size` elements the part with that index gets: the first ones get one more."""
    return (size + count - 1 - index) // count


def _splitting(evenly: bool, axis: Any = 0) -> Rule:
    def rule(ary: Any, indices_or_sections: Any, axis: Any = axis) -> Any:
        known = as_abstract(ary)
        return [Abstract(s, known.dtype) for s in _cut(known.shape, indices_or_sections, axis, evenly=evenly)]

    return rule


def _splitting_by_rank(least: int, axis: int) -> Rule:
    def rule(ary: Any, indices_or_sections: Any) -> Any:
        known = as_abstract(ary)
        if len(known.shape) < least:
            raise ValueError(f"only works on arrays of {least} or more dimensions")
        along = 0 if least == 1 and len(known.shape) == 1 else axis
        return [Abstract(s, known.dtype) for s in _cut(known.shape, indices_or_sections, along, evenly=True)]

    return rule


def _unstack(x: Any, /, *, axis: Any = 0) -> Any:
    known = as_abstract(x)
    if not known.shape:
        raise ValueError("Input array must be at least 1-d.")
    along = axis_of(axis, len(known.shape))
    return (Abstract(removed(known.shape, along), known.dtype),) * operator.index(known.shape[along])


# ---- fewer or more ---------------------------------------------------------------------------------


def _delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    known = as_abstract(arr)
    shape, along = ((product(known.shape),), 0) if axis is None else (known.shape, axis_of(axis, len(known.shape)))
    size = shape[along]
    if isinstance(obj, slice):
        return Abstract(replaced(shape, along, size - sliced(size, obj)), known.dtype)
    if isinstance(obj, (int, np.integer, Size)) and not isinstance(obj, bool):
        _inside(obj, size, along)
        return Abstract(replaced(shape, along, size - 1), known.dtype)
    chosen = shape_of(obj)
    if isinstance(obj, Abstract) and (chosen or obj.dtype.kind == "b"):
        raise Unknown(Reason.CONTENTS, "positions that are there twice count once")
    if isinstance(obj, Abstract):
        return Abstract(replaced(shape, along, size - 1), known.dtype)
    if type(size) is Size:
        raise Unknown(Reason.CONTENTS, "positions counted from the end could be the same as others")
    rest = np.delete(np.empty(size, np.int8), np.asarray(obj) if len(np.shape(obj)) else obj)
    return Abstract(replaced(shape, along, rest.size), known.dtype)


def _inside(position: Any, size: Dim, axis: int) -> None:
    if type(size) is int and type(position) is not Size and not -size <= position < size:
        raise IndexError(f"index {position} is out of bounds for axis {axis} with size {size}")


def _insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    known = as_abstract(arr)
    shape, along = ((product(known.shape),), 0) if axis is None else (known.shape, axis_of(axis, len(known.shape)))
    size = shape[along]
    places = shape_of(obj)
    if isinstance(obj, slice):
        return Abstract(replaced(shape, along, size + sliced(size, obj)), known.dtype)
    if not places or (len(places) == 1 and hint(places[0]) == 1):
        if isinstance(obj, (int, np.integer)) and type(size) is int and not -size <= obj <= size:
            raise IndexError(f"index {obj} is out of bounds for axis {along} with size {size}")
        its = shape_of(values)
        whole = its if len(its) >= len(shape) else (1,) * (len(shape) - len(its)) + its
        extra = whole[along] if places else _inserted(its, shape, along)
        return Abstract(replaced(shape, along, size + extra), known.dtype)
    if isinstance(obj, Abstract) and obj.dtype.kind == "b":
        raise Unknown(Reason.CONTENTS)
    count = int(np.count_nonzero(obj)) if isinstance(obj, np.ndarray) and obj.dtype.kind == "b" else places[0]
    return Abstract(replaced(shape, along, size + count), known.dtype)


def _inserted(values: Shape, shape: Shape, axis: int) -> Dim:
    """How many rows one position takes: the values' own axis 0 is moved to the axis of insertion."""
    whole = (1,) * (len(shape) - len(values)) + values
    moved = (*whole[1 : axis + 1], whole[0], *whole[axis + 1 :])
    return moved[axis]


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {f: _joining(f, joined) for f in present(np, "concatenate concat")}
    made.update({
        np.stack: _joining(np.stack, stacked),
        np.column_stack: _stacking(np.column_stack, _column, lambda shapes: joined(shapes, 1)),
        np.dstack: _stacking(np.dstack, _deep, lambda shapes: joined(shapes, 2)),
        np.hstack: _stacking(np.hstack, lambda s: s or (1,), _side_by_side),
        np.block: _block(np.block), np.append: _append(np.append),
        np.split: _splitting(True), np.array_split: _splitting(False), np.hsplit: _splitting_by_rank(1, 1),
        np.vsplit: _splitting_by_rank(2, 0), np.dsplit: _splitting_by_rank(3, 2), np.delete: _delete,
        np.insert: _insert,
    })  # fmt: skip
    for function in present(np, "vstack row_stack"):
        made[function] = _stacking(function, _row, lambda shapes: joined(shapes, 0))
    for function in present(np, "unstack"):
        made[function] = _unstack
    return made
