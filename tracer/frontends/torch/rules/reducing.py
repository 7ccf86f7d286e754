"""Shapes of what reduces axes or orders along one, where PyTorch gives the places, too, or has a name of its own."""

from __future__ import annotations

from typing import Any

import torch

from ....shapes import Abstract, Dim, Shape
from ....shapes.dims import axes_of, axis_of, broadcast, dims, replaced, shape_of
from .operands import Rule, like, named

_PLACES = torch.int64


def _with_places(x: Abstract, *more: Any, **named: Any) -> tuple[Abstract, ...]:
    """Values and where they are, each as the input."""
    return x, Abstract(x.shape, _PLACES)


def _extremum(x: Abstract, dim: Any = None, keepdim: Any = False, *, other: Any = None, **more: Any) -> Any:
    other = dim if type(dim) is Abstract else other
    if other is not None:
        return like(x, broadcast(x.shape, other.shape))
    return like(x, ()) if dim is None else _places_along(x, dim, keepdim)


def _places_along(x: Abstract, dim: Any = -1, keepdim: Any = False, **more: Any) -> tuple[Abstract, ...]:
    """Of each lane one value, and where it is."""
    shape = _without(x.shape, dim, keepdim)
    return like(x, shape), Abstract(shape, _PLACES)


def _median(x: Abstract, dim: Any = None, keepdim: Any = False, **more: Any) -> Any:
    return like(x, ()) if dim is None else _places_along(x, dim, keepdim)


def _kth(x: Abstract, k: Any, dim: Any = -1, keepdim: Any = False, **more: Any) -> tuple[Abstract, ...]:
    return _places_along(x, dim, keepdim)


def _top(x: Abstract, k: Any, dim: Any = -1, *more: Any, **named: Any) -> tuple[Abstract, ...]:
    shape = replaced(x.shape, axis_of(dim, len(x.shape)), dims(k)[0]) if x.shape else ()
    return like(x, shape), Abstract(shape, _PLACES)


def _both_extremes(x: Abstract, *, dim: Any = None, keepdim: Any = False) -> tuple[Abstract, ...]:
    return (like(x, () if dim is None else _without(x.shape, dim, keepdim)),) * 2


def _moments(x: Abstract, dim: Any = None, unbiased: Any = True, keepdim: Any = False, **more: Any) -> Any:
    return (like(x, _without(x.shape, None if type(dim) is bool else dim, keepdim)),) * 2


def _log_sum(x: Abstract, dim: Any, keepdim: Any = False, **more: Any) -> Abstract:
    return like(x, _without(x.shape, dim, keepdim))


def _quantile(x: Abstract, q: Any, dim: Any = None, keepdim: Any = False, **more: Any) -> Abstract:
    return like(x, (*shape_of(q), *_without(x.shape, dim, keepdim)))


def _without(shape: Shape, dim: Any, keepdim: Any) -> Shape:
    axes = tuple(range(len(shape))) if dim is None or dim in ((), []) else axes_of(dim, len(shape)) if shape else ()
    if keepdim:
        return tuple([1 if i in axes else d for i, d in enumerate(shape)])
    return tuple([d for i, d in enumerate(shape) if i not in axes])


# ---- norms -----------------------------------------------------------------------------------------


def _normed(x: Abstract, p: Any = 2, dim: Any = None, keepdim: Any = False, **more: Any) -> Abstract:
    return like(x, _without(x.shape, dim, keepdim))


def _vector_norm(
    x: Abstract,
    ord: Any = 2,  # noqa: A002  # the name of PyTorch
    dim: Any = None,
    keepdim: Any = False,
    **more: Any,
) -> Abstract:
    return _normed(x, ord, dim, keepdim)


def _matrix_norm(
    x: Abstract,
    ord: Any = 2,  # noqa: A002  # the name of PyTorch
    dim: Any = (-2, -1),
    keepdim: Any = False,
    **more: Any,
) -> Abstract:
    return _normed(x, ord, dim, keepdim)


def _number(x: Abstract, *more: Any, **named: Any) -> Abstract:
    return like(x, ())


def _count(x: Abstract) -> Dim:
    """How many elements there are: a plain number, no tensor."""
    return x.size


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    table: dict[str, Rule] = {
        "sort cummax cummin": _with_places, "max min": _extremum, "mode": _places_along, "median nanmedian": _median,
        "kthvalue": _kth, "topk": _top, "aminmax": _both_extremes, "std_mean var_mean": _moments,
        "logsumexp": _log_sum, "quantile nanquantile": _quantile, "norm": _normed, "dist": _number,
        "numel nelement": _count,
    }  # fmt: skip
    made = {function: rule for names, rule in table.items() for function in named(names)}
    made.update({torch.linalg.vector_norm: _vector_norm, torch.linalg.norm: _vector_norm})
    made[torch.linalg.matrix_norm] = _matrix_norm
    return made
