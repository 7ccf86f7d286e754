"""Operations of sorting and searching: comparisons, n log2 n of them for a lane of n elements.

It is the leading term of what merge sort takes, and no sort by comparisons takes fewer (Knuth, The Art of Computer
Programming 3, 5.3.1).  All of these are estimates: NumPy chooses an algorithm by dtype and machine, and radix sort
compares nothing.  A search by bisection is log2 n comparisons (6.2.1), a partition 5/2 n: the average of quickselect
with the median of three as pivot (Kirschenhofer, Prodinger & Martínez, 1997).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..shapes import Dim, Reason, Unknown
from ..shapes.registry import present
from .counts import log2, ratio
from .operands import elements, lane, operand
from .rule import Rule


def _sorted(result: Any, /, a: Any, axis: Any = -1, *more: Any, **named: Any) -> Any:
    return operand(a) * log2(lane(a, axis))


def _sorted_by_keys(result: Any, /, keys: Any, axis: Any = -1) -> Any:
    """A sort for each key."""
    first = keys[0] if isinstance(keys, (list, tuple)) else result
    return operand(keys) * log2(lane(first, axis))


def _partitioned(result: Any, /, a: Any, *more: Any, **named: Any) -> Any:
    return ratio(5, 2) * operand(a)


def _median(result: Any, /, a: Any, *more: Any, **named: Any) -> Any:
    """A partition, and the mean of two elements."""
    return ratio(5, 2) * operand(a) + 2 * elements(result)


def _quantile(result: Any, /, a: Any, q: Any, *more: Any, **named: Any) -> Any:
    """A partition, and between two elements a difference, a product, a sum."""
    return ratio(5, 2) * operand(a) + 3 * elements(result)


def _nan_median(result: Any, /, a: Any, *more: Any, **named: Any) -> Any:
    """`isnan` of each, and the median."""
    return operand(a) + _median(result, a)


def _nan_quantile(result: Any, /, a: Any, q: Any, *more: Any, **named: Any) -> Any:
    return operand(a) + _quantile(result, a, q)


def _search(result: Any, /, a: Any, v: Any, *more: Any, **named: Any) -> Any:
    return operand(v) * log2(operand(a))


def _digitize(result: Any, /, x: Any, bins: Any, right: Any = False) -> Any:
    """A look at each bin, whether they rise, and a search for each element."""
    return operand(bins) + operand(x) * log2(operand(bins))


def _interpolated(result: Any, /, x: Any, xp: Any, fp: Any, *more: Any, **named: Any) -> Any:
    """A search, a slope (three), and `slope * (x - x0) + y0` for each point."""
    return operand(x) * log2(operand(xp)) + 6 * operand(x)


def _different(result: Any, /, a: Any, *more: Any, **named: Any) -> Any:
    """A sort, and a comparison of each neighbour."""
    if "axis" in named or len(more) > 3:
        raise Unknown(Reason.RULE, "rows are compared until they differ")
    return _comparisons(operand(a)) - 1


def _as_sets(result: Any, /, a: Any, b: Any, *more: Any, **named: Any) -> Any:
    """A sort of both together, and a comparison of each neighbour."""
    return _comparisons(operand(a) + operand(b)) - 1


def _comparisons(n: Dim) -> Any:
    return n * log2(n) + n


def _looked_at(result: Any, /, a: Any, *more: Any, **named: Any) -> Any:
    """A look at each element."""
    return operand(a)


def _binned(result: Any, /, x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """The largest and the smallest element, and an addition for each."""
    return 3 * operand(x) - 2


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {np.lexsort: _sorted_by_keys, np.digitize: _digitize, np.interp: _interpolated}
    for kind in (np, np.ndarray, np.generic):
        made.update(dict.fromkeys(present(kind, "sort argsort sort_complex"), _sorted))
        made.update(dict.fromkeys(present(kind, "partition argpartition"), _partitioned))
        made.update(dict.fromkeys(present(kind, "searchsorted"), _search))
        made.update(dict.fromkeys(present(kind, "nonzero argwhere flatnonzero"), _looked_at))
    made.update({np.median: _median, np.percentile: _quantile, np.quantile: _quantile, np.bincount: _binned})
    made.update({np.nanmedian: _nan_median, np.nanpercentile: _nan_quantile, np.nanquantile: _nan_quantile})
    sets = "unique unique_values unique_counts unique_inverse unique_all"
    made.update(dict.fromkeys(present(np, sets), _different))
    made.update(dict.fromkeys(present(np, "isin in1d intersect1d union1d setdiff1d setxor1d"), _as_sets))
    return made
