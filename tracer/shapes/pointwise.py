"""Functions of each element that are no universal functions: rounding, tests, dates, sets of positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .abstract import Abstract, Shape
from .dims import broadcast, dim, dims, integer, shape_of
from .probe import Rule, ShapeRule, dressed, probe, probed
from .registry import present
from .size import Dim, Size, hint


def _first(a: Any, *more: Any, **named: Any) -> Shape:
    return shape_of(a)


def _with_holidays(*operands: Any, **named: Any) -> Shape:
    """Dates and numbers of days; what follows them says which days are holidays."""
    return broadcast(*[shape_of(a) for a in operands[:2]])


# ---- positions -------------------------------------------------------------------------------------


def _triangle_count(rows: Dim, k: int, columns: Dim, *, lower: bool) -> Dim:
    """How many elements of a matrix are on or below (or above) its k-th diagonal."""
    if type(rows) is int and type(columns) is int:
        below = (
            sum(min(max(row + k + 1 - (0 if lower else 1), 0), columns) for row in range(rows)) if rows < 4096 else -1
        )
        if below < 0:
            below = int(np.clip(np.arange(rows) + k + (1 if lower else 0), 0, columns).sum())
        return below if lower else rows * columns - below
    if rows is columns and k == 0:
        return rows * (rows + 1) // 2
    plain = _triangle_count(hint(rows), k, hint(columns), lower=lower)
    return Size.unknown(hint(plain))


def _triangle(function: Any, lower: bool) -> Rule:
    def rule(n: Any, k: Any = 0, m: Any = None) -> Any:
        rows = dim(n)
        count = _triangle_count(rows, integer(k), rows if m is None else dim(m), lower=lower)
        return dressed(probe(function, (2,), {}), [(count,), (count,)])

    return rule


def _triangle_from(function: Any, lower: bool) -> Rule:
    def rule(arr: Any, k: Any = 0) -> Any:
        shape = shape_of(arr)
        if len(shape) != 2:
            raise ValueError("input array must be 2-d")
        square = hint(shape[0]) == hint(shape[1])
        if square and shape[0] == shape[1]:
            shape = (shape[0], shape[0])
        count = _triangle_count(shape[0], integer(k), shape[1], lower=lower)
        return dressed(probe(function, (arr,), {}), [(count,), (count,)])

    return rule


def _diagonal(n: Any, ndim: Any = 2) -> Any:
    count = integer(ndim)
    return (Abstract((dim(n),), np.arange(1).dtype),) * count


def _diagonal_from(arr: Any) -> Any:
    shape = shape_of(arr)
    if len(shape) < 2:
        raise ValueError("input array must be at least 2-d")
    if any(hint(d) != hint(shape[0]) for d in shape):
        raise ValueError("All dimensions of input must be of equal length")
    return _diagonal(shape[0], len(shape))


def _broadcast_shapes(*shapes: Any) -> Shape:
    return broadcast(*[dims(s) for s in shapes]) if shapes else ()


def _windows(function: Any) -> Rule:
    """`sliding_window_view`: each axis gets shorter, and its windows come last."""

    def rule(x: Any, window_shape: Any, axis: Any = None, *, subok: Any = False, writeable: Any = False) -> Any:
        shape, windows = shape_of(x), dims(window_shape)
        axes = tuple(range(len(shape))) if axis is None else tuple(np.atleast_1d(axis).tolist())
        if len(axes) != len(windows):
            raise ValueError("window_shape and axis must have the same length")
        axes = tuple(np.lib.array_utils.normalize_axis_tuple(axes, len(shape), allow_duplicate=True)) if hasattr(
            np.lib, "array_utils"
        ) else tuple(a % len(shape) for a in axes)  # fmt: skip
        trimmed = list(shape)
        for along, window in zip(axes, windows, strict=True):
            if hint(trimmed[along]) < hint(window):
                raise ValueError("window shape cannot be larger than input array shape")
            trimmed[along] = trimmed[along] - window + 1
        like = probe(function, (x, (1,) * len(windows), axis), {})
        return dressed(like, (*trimmed, *windows))

    return rule


def _strided(
    x: Any, shape: Any = None, strides: Any = None, subok: Any = False, writeable: Any = True, **named: Any
) -> Any:
    if not isinstance(x, Abstract):
        x = Abstract(shape_of(x), np.asarray(x).dtype)
    return Abstract(x.shape if shape is None else dims(shape), x.dtype)


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {}
    table: dict[str, ShapeRule] = {
        "angle around round round_ fix i0 iscomplex isreal isneginf isposinf nan_to_num sinc": _first,
        "datetime_as_string is_busday": _first, "busday_count busday_offset": _with_holidays,
    }  # fmt: skip
    for names, shape_rule in table.items():
        made.update({f: probed(shape_rule)(f) for f in present(np, names) if not isinstance(f, np.ufunc)})
    tricks = np.lib.stride_tricks
    made.update({
        np.tril_indices: _triangle(np.tril_indices, True), np.triu_indices: _triangle(np.triu_indices, False),
        np.tril_indices_from: _triangle_from(np.tril_indices_from, True),
        np.triu_indices_from: _triangle_from(np.triu_indices_from, False), np.diag_indices: _diagonal,
        np.diag_indices_from: _diagonal_from, np.broadcast_shapes: _broadcast_shapes,
        tricks.sliding_window_view: _windows(tricks.sliding_window_view), tricks.as_strided: _strided,
    })  # fmt: skip
    return made
