"""Functions that reduce axes, or run along one: sums, extremes, means, quantiles, cumulative sums, differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from .abstract import Reason, Shape, Unknown
from .dims import (
    as_abstract,
    axes_of,
    axis_of,
    broadcast,
    demand_elements,
    dim,
    empty,
    product,
    removed,
    replaced,
    shape_of,
)
from .elementwise import reduced
from .probe import Rule, ShapeRule, dressed, listed, probe, probed
from .registry import present
from .size import Dim, largest

_UNSET: Any = np._NoValue


def _reduction(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, *more: Any, **named: Any
) -> Shape:
    return reduced(shape_of(a), axis, keepdims)


def _extremum(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = _UNSET, where: Any = True
) -> Shape:
    return reduced(shape_of(a), axis, keepdims, True, initial)


def _truth(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **named: Any) -> Shape:
    return reduced(shape_of(a), axis, keepdims)


def _position(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Shape:
    """`argmax`: along one axis, or of all elements."""
    shape = shape_of(a)
    along = shape if axis is None else () if not shape else (shape[axis_of(axis, len(shape))],)
    if empty(along):
        raise ValueError("attempt to get argmax of an empty sequence")
    return reduced(shape, axis, keepdims)


def _deviation(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False, **named: Any
) -> Shape:
    return reduced(shape_of(a), axis, keepdims)


def _middle(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Shape:  # fmt: skip
    return reduced(shape_of(a), axis, keepdims)


def _quantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, method: Any = "linear",
    keepdims: Any = False, **named: Any,
) -> Shape:  # fmt: skip
    return shape_of(q) + reduced(shape_of(a), axis, keepdims)


def _nan_quantile(function: Any) -> Rule:
    asked = probed(_quantile)(function)

    def rule(a: Any, q: Any, axis: Any = None, *more: Any, **named: Any) -> Any:
        demand_elements(product(shape_of(a)))
        made = asked(a, q, axis, *more, **named)
        known = as_abstract(a)
        if axis is not None and known.dtype.kind in "fc" and made.dtype != known.dtype:
            raise Unknown(Reason.CONTENTS, "a first row without numbers decides the dtype")
        return made

    return rule


def _counted(a: Any, axis: Any = None, *, keepdims: Any = False) -> Shape:
    return reduced(shape_of(a), axis, keepdims)


def _averaged(function: Any) -> Rule:
    def rule(a: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = False) -> Any:
        named = {} if keepdims is False or keepdims is _UNSET else {"keepdims": keepdims}
        like = probe(function, (a, axis, listed(weights), returned), named)
        shape = reduced(shape_of(a), axis, keepdims)
        return dressed(like, [shape, shape] if returned else shape)

    return rule


# ---- along an axis ---------------------------------------------------------------------------------


def _along(a: Any, axis: Any = None, *more: Any, **named: Any) -> Shape:
    """`cumsum`: of all elements where no axis is given."""
    return (product(shape_of(a)),) if axis is None else shape_of(a)


def _cumulative(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: Any = False
) -> Shape:
    shape = shape_of(x)
    along = 0 if axis is None else axis_of(axis, len(shape))
    return replaced(shape or (1,), along, (shape or (1,))[along] + (1 if include_initial else 0))


def _extended(size: Dim, extra: Any, axis: int, ndim: int) -> Dim:
    """An axis with what `prepend` or `append` of `np.diff` adds."""
    if extra is _UNSET:
        return size
    shape = shape_of(extra)
    return size + (shape[axis] if shape else 1)


def _differences(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = _UNSET, append: Any = _UNSET) -> Shape:
    shape, count = shape_of(a), dim(n)
    if count == 0:
        return shape
    along = axis_of(axis, len(shape))
    size = _extended(_extended(shape[along], prepend, along, len(shape)), append, along, len(shape))
    return replaced(shape, along, largest(size - count, 0))


def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Shape:
    ends: Dim = sum((product(shape_of(e)) for e in (to_end, to_begin) if e is not None), 0)
    return (largest(product(shape_of(ary)) - 1, 0) + ends,)


def _gradient(function: Any) -> Rule:
    def rule(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
        shape = shape_of(f)
        axes = tuple(range(len(shape))) if axis is None else axes_of(axis, len(shape))
        for along in axes:
            size = shape[along]
            if type(size) is int and size < edge_order + 1:
                raise ValueError("Shape of array too small to calculate a numerical gradient")
        steps = tuple([v if not shape_of(v) else [1.0, 2.0, 3.0] for v in varargs])
        like = probe(function, (f, *steps), {"axis": axis, "edge_order": edge_order}, 3)
        return dressed(like, [shape] * len(axes) if isinstance(like, (tuple, list)) else shape)

    return rule


def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Shape:
    shape = shape_of(y)
    along = axis_of(axis, len(shape))
    rest = removed(shape, along)
    if x is None or len(shape_of(x)) == 1:
        return rest
    other = shape_of(x)
    return broadcast(rest, removed(other, axis_of(axis, len(other))))


def _nan_position(function: Any) -> Rule:
    def rule(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        like = probe(function, (a, axis), {"keepdims": keepdims} if keepdims is not False else {})
        return dressed(like, _position(a, axis, out, keepdims=keepdims))

    return rule


def _count_nonzero(function: Any) -> Rule:
    def rule(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
        like = probe(function, (a, axis), {"keepdims": keepdims})
        if type(like) is int:
            raise Unknown(Reason.CONTENTS, "a plain number that counts elements")
        return dressed(like, _counted(a, axis, keepdims=keepdims))

    return rule


def _unwrapped(p: Any, *more: Any, **named: Any) -> Shape:
    shape = shape_of(p)
    if not shape:
        raise ValueError("diff requires input that is at least one dimensional")
    return shape


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {}
    table: dict[str, ShapeRule] = {
        "sum prod product mean nansum nanprod nanmean": _reduction,
        "max min amax amin nanmax nanmin": _extremum,
        "any all alltrue sometrue": _truth,
        "argmax argmin": _position,
        "std var nanstd nanvar": _deviation,
        "median nanmedian": _middle,
        "percentile quantile": _quantile,
        "cumsum cumprod cumproduct nancumsum nancumprod": _along,
        "cumulative_sum cumulative_prod": _cumulative,
        "ediff1d": _ediff1d,
    }
    for names, shape_rule in table.items():
        made.update({function: probed(shape_rule)(function) for function in present(np, names)})
    for names, make in {
        "diff": probed(_differences, 2), "trapezoid trapz": probed(_trapezoid, 1, 2), "unwrap": probed(_unwrapped, 2),
        "average": _averaged, "gradient": _gradient, "nanpercentile nanquantile": _nan_quantile,
        "nanargmax nanargmin": _nan_position, "count_nonzero": _count_nonzero, "ptp": probed(_extremum),
    }.items():  # fmt: skip
        made.update({function: make(function) for function in present(np, names)})
    methods: dict[str, ShapeRule] = {
        "sum prod mean": _reduction, "max min ptp": _extremum, "any all": _truth, "argmax argmin": _position,
        "std var": _deviation, "cumsum cumprod": _along,
    }  # fmt: skip
    for kind in (np.ndarray, np.generic):
        for names, shape_rule in methods.items():
            made.update({function: probed(shape_rule)(function) for function in present(kind, names)})
    return made
