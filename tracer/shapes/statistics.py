"""Histograms, covariances, convolutions, windows, and polynomials as rows of coefficients."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .abstract import Abstract, Reason, Shape, Unknown
from .dims import as_abstract, demand_elements, dim, integer, product, shape_of
from .probe import Rule, ShapeRule, dressed, listed, probe, probed
from .registry import present
from .size import Dim, hint, largest, smallest

# ---- histograms ------------------------------------------------------------------------------------


def _bins(bins: Any) -> tuple[Any, Dim]:
    """Few bins of the same kind, and how many there are; raises Unknown where contents choose them."""
    if isinstance(bins, str):
        raise Unknown(Reason.CONTENTS, "how many bins there are depends on contents")
    shape = shape_of(bins)
    if not shape:
        return 2, dim(bins)
    if len(shape) != 1:
        raise ValueError("`bins` must be 1d, when an array")
    kind = as_abstract(bins).dtype.type
    return [kind(0), kind(1)], largest(shape[0] - 1, 0)


def _histogram(function: Any) -> Rule:
    def rule(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:  # noqa: A002  # NumPy's name
        few, count = _bins(bins)
        if hint(count) < (1 if not shape_of(bins) else 0):
            raise ValueError("`bins` must be positive, when an integer")
        if weights is not None and [hint(d) for d in shape_of(weights)] != [hint(d) for d in shape_of(a)]:
            raise ValueError("weights should have the same shape as a.")
        like = probe(function, (listed(a), few, range, density, listed(weights)), {})
        edges = count + 1 if not shape_of(bins) else shape_of(bins)[0]
        return dressed(like, [(count,), (edges,)])

    return rule


def _bin_edges(function: Any) -> Rule:
    def rule(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:  # noqa: A002  # NumPy's name
        few, count = _bins(bins)
        return dressed(probe(function, (a, few, range, weights), {}), (count + 1,))

    return rule


def _each(bins: Any, count: int) -> list[Any]:
    """The bins of each dimension."""
    if isinstance(bins, (list, tuple)) and len(bins) == count:
        return list(bins)
    return [bins] * count


def _histogram2d(function: Any) -> Rule:
    def rule(x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:  # noqa: A002  # NumPy's name
        if hint(product(shape_of(x))) != hint(product(shape_of(y))):
            raise ValueError("x and y must have the same length.")
        demand_elements(product(shape_of(x)))
        pairs = [_bins(b) for b in _each(bins, 2)]
        like = probe(function, (listed(x), listed(y), [few for few, _ in pairs], range, density, listed(weights)), {})
        counts = [count for _, count in pairs]
        return dressed(like, [tuple(counts), *[(c + 1,) for c in counts]])

    return rule


def _histogramdd(function: Any) -> Rule:
    def rule(sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:  # noqa: A002  # NumPy's name
        if isinstance(sample, (Abstract, np.ndarray)):
            count = integer(sample.shape[1]) if len(sample.shape) == 2 else 1
            one: Any = [[as_abstract(sample).dtype.type(1)]] * count
        else:
            count, one = len(sample), sample
        pairs = [_bins(b) for b in _each(bins, count)]
        like = probe(function, (one, [few for few, _ in pairs], range, density, weights), {})
        counts = [n for _, n in pairs]
        return dressed(like, [tuple(counts), [(c + 1,) for c in counts]])

    return rule


# ---- covariance ------------------------------------------------------------------------------------


def _covariance(function: Any) -> Rule:
    def rule(m: Any, y: Any = None, rowvar: Any = True, *more: Any, **named: Any) -> Any:
        named = {k: listed(v) for k, v in named.items()}
        count = _variables(m, rowvar)
        if y is not None:
            count = count + _variables(y, rowvar)
        demand_elements(count)
        like = probe(function, (listed(m), listed(y), rowvar, *more), named, 2)
        if count != 1:
            return dressed(Abstract((), like.dtype), (count, count))
        return probe(function, (Abstract((2,), as_abstract(m).dtype), None, True, *more), named, 2)

    return rule


def _variables(m: Any, rowvar: Any) -> Dim:
    shape = shape_of(m)
    if len(shape) > 2:
        raise ValueError("m has more than 2 dimensions")
    if len(shape) < 2:
        return 1
    if rowvar or (not _turns_one_row() and shape[0] == 1):
        return shape[0]
    return shape[1]


@cache
def _turns_one_row() -> bool:
    """Whether `rowvar=False` turns a matrix of one row, which it does not in every version of NumPy."""
    return np.cov(np.eye(1, 3), rowvar=False).ndim == 2


# ---- convolution -----------------------------------------------------------------------------------


def _convolved(default: str) -> Any:
    def shape_rule(a: Any, v: Any, mode: Any = default) -> Shape:
        one, other = shape_of(a) or (1,), shape_of(v) or (1,)
        if any(type(s[0]) is int and s[0] == 0 for s in (one, other)):
            raise ValueError("a cannot be empty" if one[0] == 0 else "v cannot be empty")
        long, short = largest(one[0], other[0]), smallest(one[0], other[0])
        if mode == "full":
            return (long + short - 1,)
        return (long,) if mode == "same" else (long - short + 1,)

    return shape_rule


def _window(function: Any) -> Rule:
    def rule(M: Any, *more: Any) -> Any:  # noqa: N803  # NumPy's name
        count = dim(M)
        return dressed(probe(function, (3, *more), {}), (largest(count, 0),))

    return rule


# ---- polynomials -----------------------------------------------------------------------------------


def _polyfit(function: Any) -> Rule:
    def rule(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False) -> Any:
        if full:
            raise Unknown(Reason.CONTENTS, "residuals are there only where the rank is full")
        like = probe(function, (listed(x), listed(y), 1, rcond, full, listed(w), cov), {}, 6)
        order, rest = dim(deg) + 1, shape_of(y)[1:]
        if hint(order) < 1:
            raise ValueError("expected deg >= 0")
        if hint(shape_of(x)[0]) != hint(shape_of(y)[0]):
            raise TypeError("expected x and y to have same length")
        return dressed(like, [(order, *rest), (order, order, *rest)] if cov else (order, *rest))

    return rule


def _summed(a1: Any, a2: Any) -> Shape:
    return (largest(*[(shape_of(a) or (1,))[0] for a in (a1, a2)]),)


def _integrated(p: Any, m: Any = 1, k: Any = None) -> Shape:
    return ((shape_of(p) or (1,))[0] + dim(m),)


def _derived(p: Any, m: Any = 1) -> Shape:
    return (largest(shape_of(p)[0] - dim(m), 0),)


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {f: _window(f) for f in (np.bartlett, np.blackman, np.hamming, np.hanning, np.kaiser)}
    table: dict[str, ShapeRule] = {
        "polyadd polysub": _summed, "convolve": _convolved("full"), "correlate": _convolved("valid"),
    }  # fmt: skip
    for names, shape_rule in table.items():
        made.update({f: probed(shape_rule)(f) for f in present(np, names)})
    made.update({
        np.polyint: probed(_integrated)(np.polyint), np.polyder: probed(_derived, 3)(np.polyder),
        np.histogram: _histogram(np.histogram), np.histogram_bin_edges: _bin_edges(np.histogram_bin_edges),
        np.histogram2d: _histogram2d(np.histogram2d), np.histogramdd: _histogramdd(np.histogramdd),
        np.cov: _covariance(np.cov), np.corrcoef: _covariance(np.corrcoef), np.polyfit: _polyfit(np.polyfit),
    })  # fmt: skip
    return made
