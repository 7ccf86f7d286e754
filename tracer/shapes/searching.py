"""Functions that choose, sort and search: take, where, select, sort, searchsorted, bits and flat positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .abstract import Abstract, Reason, Shape, Unknown
from .dims import as_abstract, axis_of, broadcast, dim, dims, matched, product, replaced, shape_of
from .probe import Rule, ShapeRule, dressed, probe, probed
from .registry import present
from .size import Dim, largest


def zeros(rank: int) -> Any:
    """Nested lists with one 0: positions that every array of one element has."""
    items: Any = 0
    for _ in range(rank):
        items = [items]
    return items


# ---- choosing --------------------------------------------------------------------------------------


def _take(function: Any) -> Rule:
    def rule(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Any:
        places = as_abstract(indices)
        if places.dtype.kind not in "iub":
            probe(function, (a, indices, axis), {}, 2)
        shape = shape_of(a)
        like = probe(function, (a, zeros(len(places.shape)), axis), {"mode": mode})
        flat = (product(shape),) if axis is None else shape
        along = 0 if axis is None else axis_of(axis, len(shape))
        if mode == "raise":
            _inside(indices, flat[along])
        return dressed(like, (*flat[:along], *places.shape, *flat[along + 1 :]))

    return rule


def _inside(indices: Any, size: Dim) -> None:
    """Raise IndexError where a position that is known lies outside."""
    known = type(size) is int and isinstance(indices, (int, np.integer, np.ndarray)) and np.size(indices) > 0
    if known and (np.max(indices) >= size or np.min(indices) < -size):
        raise IndexError(f"index {np.max(indices)} is out of bounds for axis with size {size}")


def _take_along(arr: Any, indices: Any, axis: Any = -1) -> Any:
    known, places = as_abstract(arr), as_abstract(indices)
    if places.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    shape, along = ((product(known.shape),), 0) if axis is None else (known.shape, axis_of(axis, len(known.shape)))
    if len(places.shape) != len(shape):
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    count = places.shape[along]
    try:
        together = broadcast(replaced(shape, along, 1), replaced(places.shape, along, 1))
    except ValueError as wrong:
        raise IndexError(str(wrong)) from None
    return Abstract(replaced(together, along, count), known.dtype)


def _compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    if isinstance(condition, Abstract):
        raise Unknown(Reason.CONTENTS)
    known = as_abstract(a)
    count = int(np.count_nonzero(condition))
    if axis is None:
        return Abstract((count,), known.dtype)
    return Abstract(replaced(known.shape, axis_of(axis, len(known.shape)), count), known.dtype)


def _compress_method(a: Any, condition: Any, axis: Any = None, out: Any = None) -> Any:
    return _compress(condition, a, axis, out)


def _choose(function: Any) -> Rule:
    def rule(a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Any:
        rows = choices.shape[1:] if isinstance(choices, (Abstract, np.ndarray)) else None
        places = as_abstract(a)
        if places.dtype.kind not in "iub":
            raise TypeError("Cannot cast array data according to the rule 'safe'")
        small: Any = (
            np.zeros((1,) * len(places.shape), int) if function is np.ndarray.choose else zeros(len(places.shape))
        )
        like = probe(_choose_zero, (len(places.shape), choices), {}) if small is not None else None
        shapes = [rows] if rows is not None else [shape_of(c) for c in choices]
        return dressed(like, broadcast(places.shape, *shapes))

    return rule


def _choose_zero(rank: int, choices: Any) -> Any:
    return np.choose(np.zeros((1,) * rank, int), choices)


def _where(condition: Any, *values: Any) -> Any:
    if not values:
        raise Unknown(Reason.CONTENTS)
    if len(values) != 2:
        raise ValueError("either both or neither of x and y should be given")
    shapes = [v.shape if type(v) is Abstract else shape_of(v) for v in (condition, *values)]
    return dressed(probe(np.where, (condition, *values), {}), broadcast(*shapes))


def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Shape:
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    return broadcast(*[shape_of(c) for c in (*condlist, *choicelist, default)])


# ---- sorting ---------------------------------------------------------------------------------------


def _sorted(a: Any, axis: Any = -1, *more: Any, **named: Any) -> Shape:
    return (product(shape_of(a)),) if axis is None else shape_of(a)


def _partitioned(function: Any) -> Rule:
    def rule(a: Any, kth: Any, axis: Any = -1, *more: Any, **named: Any) -> Any:
        like = probe(function, (a, 0, axis, *more), named)
        shape = shape_of(a)
        if axis is None:
            shape = (product(shape),)
        along = 0 if axis is None else axis_of(axis, len(shape))
        size = shape[along]
        if type(kth) is int and type(size) is int and size and not -size <= kth < size:
            raise ValueError(f"kth(={kth}) out of bounds ({size})")
        return dressed(like, shape)

    return rule


def _sort_in_place(a: Any, axis: Any = -1, *more: Any, **named: Any) -> None:
    if shape_of(a):
        axis_of(axis, len(shape_of(a)))


def _partition_in_place(a: Any, kth: Any, axis: Any = -1, *more: Any, **named: Any) -> None:
    _sort_in_place(a, axis)


def _lexsort(function: Any) -> Rule:
    def rule(keys: Any, axis: Any = -1) -> Any:
        shape = shape_of(keys)
        if not shape or (type(shape[0]) is int and shape[0] == 0):
            raise TypeError("need sequence of keys with len > 0 in lexsort")
        return dressed(probe(function, (keys, axis), {}), shape[1:])

    return rule


# ---- searching -------------------------------------------------------------------------------------


def _shape_of_second(first: Any, second: Any, *more: Any, **named: Any) -> Shape:
    return shape_of(second)


def _shape_of_first(first: Any, *more: Any, **named: Any) -> Shape:
    return shape_of(first)


def _interpolated(x: Any, xp: Any, fp: Any, *more: Any, **named: Any) -> Shape:
    matched(shape_of(xp)[0], shape_of(fp)[0], "fp and xp are not of the same length.")
    return shape_of(x)


def _searchsorted(function: Any) -> Rule:
    def rule(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
        if len(shape_of(a)) != 1:
            raise ValueError("object too deep for desired array" if shape_of(a) else "object of too small depth")
        return dressed(probe(function, (a, v, side), {}), shape_of(v))

    return rule


def _array_equal(left: Any, right: Any, *more: Any, **named: Any) -> bool:
    mine, its = shape_of(left), shape_of(right)
    if len(mine) != len(its) or any(a != b for a, b in zip(mine, its, strict=False)):
        return False
    raise Unknown(Reason.CONTENTS)


def _equivalent(left: Any, right: Any) -> bool:
    try:
        broadcast(shape_of(left), shape_of(right))
    except ValueError:
        return False
    raise Unknown(Reason.CONTENTS)


def _close(a: Any, b: Any, rtol: Any = 1.0e-5, atol: Any = 1.0e-8, equal_nan: Any = False) -> Shape:
    return broadcast(*[shape_of(v) for v in (a, b, rtol, atol)])


def _clipped(a: Any, *bounds: Any, **named: Any) -> Shape:
    limits = [*bounds[:2], *[named.get(n) for n in ("a_min", "a_max", "min", "max")]]
    given = [v for v in limits if v is not None and v is not np._NoValue]
    return broadcast(shape_of(a), *[shape_of(v) for v in given])


# ---- positions and bits ----------------------------------------------------------------------------

_ROOM = 128
"""Sizes that have room for position 1."""


def _unravel_index(indices: Any, shape: Any, order: Any = "C") -> Any:
    rank = len(dims(shape))
    like = probe(
        np.unravel_index, (indices if not _is_known(indices) else zeros(len(shape_of(indices))), (_ROOM,) * rank), {}
    )
    return dressed(like, [shape_of(indices)] * rank)


def _is_known(value: Any) -> bool:
    return isinstance(value, (int, np.integer))


def _ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> Any:
    parts = list(multi_index) if not isinstance(multi_index, (Abstract, np.ndarray)) else None
    if parts is None:
        raise Unknown(Reason.RULE, "positions in the rows of one array")
    small = tuple([zeros(len(shape_of(p))) if not isinstance(p, Abstract) else p for p in parts])
    like = probe(np.ravel_multi_index, (small, (_ROOM,) * len(parts)), {})
    return dressed(like, broadcast(*[shape_of(p) for p in parts]))


def _packed(a: Any, /, axis: Any = None, bitorder: Any = "big") -> Shape:
    shape = shape_of(a)
    shape, along = ((product(shape),), 0) if axis is None else (shape, axis_of(axis, len(shape)))
    return replaced(shape, along, (shape[along] + 7) // 8)


def _unpacked(function: Any) -> Rule:
    def rule(a: Any, /, axis: Any = None, count: Any = None, bitorder: Any = "big") -> Any:
        shape = shape_of(a)
        shape, along = ((product(shape),), 0) if axis is None else (shape, axis_of(axis, len(shape)))
        bits = shape[along] * 8
        taken = bits if count is None else dim(count) if dim(count) >= 0 else bits + dim(count)
        return dressed(probe(function, (a, axis), {}), replaced(shape, along, largest(taken, 0)))

    return rule


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {f: _take(f) for f in (np.take, np.ndarray.take, np.generic.take)}
    made.update({f: _choose(f) for f in (np.choose, np.ndarray.choose)})
    made.update({f: _partitioned(f) for f in (np.partition, np.argpartition, np.ndarray.argpartition)})
    made.update({np.ndarray.sort: _sort_in_place, np.ndarray.partition: _partition_in_place})
    made.update({f: _searchsorted(f) for f in (np.searchsorted, np.ndarray.searchsorted)})
    table: dict[str, ShapeRule] = {
        "select": _select, "sort argsort": _sorted, "digitize isin": _shape_of_first, "polyval": _shape_of_second,
        "isclose": _close, "clip": _clipped, "packbits": _packed, "sort_complex": _shape_of_first,
        "in1d": lambda a, *more, **named: (product(shape_of(a)),),
    }  # fmt: skip
    for names, shape_rule in table.items():
        made.update({f: probed(shape_rule)(f) for f in present(np, names)})
    made[np.interp] = probed(_interpolated, 1, 3)(np.interp)
    for kind in (np.ndarray, np.generic):
        made[kind.clip] = probed(_clipped)(kind.clip)
        made[kind.argsort] = probed(_sorted)(kind.argsort)
    made.update({
        np.take_along_axis: _take_along, np.compress: _compress, np.ndarray.compress: _compress_method,
        np.where: _where,
        np.lexsort: _lexsort(np.lexsort), np.array_equal: _array_equal, np.array_equiv: _equivalent,
        np.unravel_index: _unravel_index, np.ravel_multi_index: _ravel_multi_index,
        np.unpackbits: _unpacked(np.unpackbits),
    })  # fmt: skip
    return made
