"""Operations of what reduces axes or runs along one: sums, extremes, means, deviations, differences.

A reduction of n elements to one is n - 1 operations, an accumulation likewise (XLA counts so, too); none is taken to
stop early.  Means, deviations and the functions that pass over NaN are counted as NumPy composes them
(`numpy/_core/_methods.py`, `numpy/lib/_nanfunctions_impl.py`), and the words hold for axes that are not empty.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..shapes import Dim, Reason, Unknown, infer
from ..shapes.dims import shape_of
from ..shapes.registry import present
from .elementwise import reduced
from .operands import elements, lane, lanes, operand, size_in_bytes, whole
from .rule import Rule, Traffic


def _composed(formula: Callable[[Dim, Dim], Any]) -> Rule:
    """A formula in the number of elements that are reduced, and of those that come out."""

    def rule(result: Any, /, a: Any, *more: Any, **named: Any) -> Any:
        whole(named)
        if len(more) > 4:
            raise Unknown(Reason.RULE, "a mask given by position")
        return formula(operand(a), elements(result))

    return rule


_FORMULAS: dict[str, Callable[[Dim, Dim], Any]] = {
    "mean": lambda n, k: n,  # n - k additions, k divisions
    "var": lambda n, k: 4 * n,  # the mean, n differences, n squares, n - k additions, k divisions
    "std": lambda n, k: 4 * n + k,
    "ptp": lambda n, k: 2 * n - k,
    "argmax argmin": lambda n, k: n - k,
    "count_nonzero": lambda n, k: n,
    "nansum nanprod": lambda n, k: 2 * n - k,  # `isnan` of each
    "nanmax nanmin": lambda n, k: n,  # `fmax`, and a look at each result
    "nanargmax nanargmin": lambda n, k: 2 * n - k,
    "nanmean": lambda n, k: 4 * n - k,  # `isnan`, a sum, a count of the others, a division
    "nanvar": lambda n, k: 7 * n,  # the mean of those that are there, their differences and squares, their sum
    "nanstd": lambda n, k: 7 * n + k,
}


def _average(result: Any, /, a: Any, axis: Any = None, weights: Any = None, *more: Any, **named: Any) -> Any:
    """A mean; with weights n products, the sums of these and of the weights, a division."""
    mean = result[0] if isinstance(result, tuple) else result
    if weights is None:
        return operand(a)
    return 2 * operand(a) + operand(weights) - elements(mean)


def _cumulative(result: Any, /, a: Any, axis: Any = None, *more: Any, **named: Any) -> Any:
    """N - 1 operations for each lane of n elements."""
    if named.get("include_initial"):
        return operand(a)
    return operand(a) - lanes(a, axis)


def _nan_cumulative(result: Any, /, a: Any, axis: Any = None, *more: Any, **named: Any) -> Any:
    return 2 * operand(a) - lanes(a, axis)


def _difference(result: Any, /, a: Any, n: Any = 1, axis: Any = -1, *more: Any, **named: Any) -> Any:
    """A subtraction for each difference, of each order up to the n-th."""
    if more or named:
        raise Unknown(Reason.RULE, "what is put before or behind")
    along, across = lane(a, axis), lanes(a, axis)
    return across * (operator.index(n) * along - n * (n + 1) // 2)


def _gradient(result: Any, /, f: Any, *spacing: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    """A difference and a division for each element, for each axis, of second order within and of first at the ends."""
    if edge_order != 1 or any(shape_of(s) for s in spacing):
        raise Unknown(Reason.RULE, "a spacing that is no number")
    return 2 * elements(result)


def _trapezoid(result: Any, /, y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """`d * (y[1:] + y[:-1]) / 2`, summed; with x, its differences."""
    steps = operand(y) - lanes(y, axis)
    spaces = 0 if x is None else operand(x) - lanes(x, -1 if len(shape_of(x)) == 1 else axis)
    return spaces + 4 * steps - elements(result)


def _unwrap(result: Any, /, p: Any, discont: Any = None, axis: Any = -1, **named: Any) -> Any:
    """Differences, `mod(d + h, p) - h`, three for its boundary, a difference, two for small ones, two sums."""
    return 12 * (operand(p) - lanes(p, axis))


def _trace(result: Any, /, a: Any, *more: Any, **named: Any) -> Any:
    """A sum of each diagonal."""
    return infer(np.diagonal, (a, *more[:3]), _diagonal(named)).size - elements(result)


def _read_diagonal(result: Any, /, a: Any, *more: Any, **named: Any) -> tuple[Any, Any]:
    return size_in_bytes(infer(np.diagonal, (a, *more[:3]), _diagonal(named))), size_in_bytes(result)


def _last_traces(result: Any, /, x: Any, *, offset: Any = 0, dtype: Any = None) -> Any:
    return _trace(result, x, offset, -2, -1)


def _diagonal(named: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in named.items() if name in ("offset", "axis1", "axis2")}


def _equal(result: Any, /, a: Any, b: Any, *more: Any, **named: Any) -> Any:
    """A comparison of each pair, and of these n - 1; of arrays that differ in shape none."""
    if more or named:
        raise Unknown(Reason.RULE, "NaN that is equal to NaN")
    return 2 * operand(a) - 1 if tuple(shape_of(a)) == tuple(shape_of(b)) else 0


def _all_close(result: Any, /, a: Any, b: Any, *more: Any, **named: Any) -> Any:
    """`isclose`, and all of it."""
    if len(more) > 2 or "equal_nan" in named:
        raise Unknown(Reason.RULE, "NaN that is equal to NaN")
    n = infer(np.add, (a, b)).size
    return 11 * n - 1


def _contains(result: Any, /, a: Any, value: Any) -> Any:
    """`(a == value).any()`."""
    return 2 * operand(a) - 1


def _builtin_sum(result: Any, /, items: Any, start: Any = 0) -> Any:
    """Item by item, from `start` on."""
    return operand(items)


def _builtin_extremum(result: Any, /, *items: Any, **named: Any) -> Any:
    if named:
        raise Unknown(Reason.RULE, "it calls a function of the user's")
    return operand(items[0]) - 1 if len(items) == 1 else len(items) - 1


def traffic() -> dict[Any, Traffic]:
    """Of a matrix only the diagonal is read for its trace."""
    return {function: _read_diagonal for kind in _KINDS for function in present(kind, "trace")}


_KINDS = (np, np.ndarray, np.generic)


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {}
    for kind in _KINDS:
        made.update(dict.fromkeys(present(kind, "sum prod max amax min amin any all"), reduced))
        for names, formula in _FORMULAS.items():
            made.update(dict.fromkeys(present(kind, names), _composed(formula)))
        made.update(dict.fromkeys(present(kind, "cumsum cumprod cumulative_sum cumulative_prod"), _cumulative))
        made.update(dict.fromkeys(present(kind, "trace"), _trace))
    made.update(dict.fromkeys(present(np.linalg, "trace"), _last_traces))
    made.update(dict.fromkeys(present(np, "nancumsum nancumprod"), _nan_cumulative))
    made.update({np.average: _average, np.diff: _difference, np.gradient: _gradient, np.unwrap: _unwrap})
    made[np.ediff1d] = lambda result, /, a, *ends: operand(a) - 1
    made.update(dict.fromkeys(present(np, "trapezoid trapz"), _trapezoid))
    made.update({np.array_equal: _equal, np.array_equiv: _equal, np.allclose: _all_close})
    made.update({builtins.sum: _builtin_sum, builtins.max: _builtin_extremum, builtins.min: _builtin_extremum})
    made[operator.contains] = _contains
    return made
