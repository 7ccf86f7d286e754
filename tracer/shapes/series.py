"""`numpy.polynomial`: the six families of series, whose functions are alike but for the names' beginnings."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from .abstract import Reason, Shape, Unknown
from .dims import axis_of, broadcast, dim, dims, integer, product, replaced, shape_of
from .joining import rows
from .probe import Rule, ShapeRule, dressed, listed, probe, probed
from .registry import modules, present
from .size import Dim, smallest

FAMILIES = {
    "polynomial": "poly", "chebyshev": "cheb", "legendre": "leg", "laguerre": "lag", "hermite": "herm",
    "hermite_e": "herme",
}  # fmt: skip
"""The modules, and how the names in them begin."""


def _evaluated(x: Any, c: Any, tensor: Any = True) -> Shape:
    rest, points = (shape_of(c) or (1,))[1:], shape_of(x)
    return rest + points if tensor else broadcast(rest, points)


def _evaluated_nd(count: int) -> ShapeRule:
    """At points with so many coordinates, whose arrays are alike."""

    def shape_rule(*args: Any) -> Shape:
        shape = shape_of(args[count])
        for position, axis in enumerate(args[:count]):
            rest = (shape or (1,))[1:]
            shape = broadcast(rest, shape_of(axis)) if position else rest + shape_of(axis)
        return shape

    return shape_rule


def _evaluated_at(pts: Any, c: Any) -> Shape:
    """At points of which the coordinates are given together."""
    parts = rows(pts)
    return _evaluated_nd(len(parts))(*parts, c)  # type: ignore[no-any-return]


def _on_grid(count: int) -> ShapeRule:
    def shape_rule(*args: Any) -> Shape:
        shape = shape_of(args[count])
        for axis in args[:count]:
            shape = (shape or (1,))[1:] + shape_of(axis)
        return shape

    return shape_rule


def _vander(function: Any, count: int) -> Rule:
    def rule(*args: Any) -> Any:
        points, degrees = args[:count], args[count]
        like = probe(function, (*points, 1 if count == 1 else [1] * count), {})
        orders = product([d + 1 for d in (dims(degrees) if count > 1 else (dim(degrees),))])
        return dressed(like, (*(shape_of(points[0]) or (1,)), orders))

    return rule


def _derived(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> Shape:
    shape, count = shape_of(c) or (1,), dim(m)
    along = axis_of(axis, len(shape))
    size = shape[along]
    return replaced(shape, along, size - count if count < size or count == 0 else smallest(size, 1))


def _integrated(c: Any, m: Any = 1, k: Any = (), lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> Shape:
    shape, count = shape_of(c) or (1,), dim(m)
    along = axis_of(axis, len(shape))
    if count != 0 and not shape[along] > 1:
        raise Unknown(Reason.CONTENTS, "the integral of a series that is 0 has one term")
    return replaced(shape, along, shape[along] + count)


def _fitted(function: Any) -> Rule:
    def rule(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
        if full:
            raise Unknown(Reason.CONTENTS, "residuals are there only where the rank is full")
        x, y, w = listed(x), listed(y), listed(w)
        highest: Dim = dim(deg) if not shape_of(deg) else max(integer(d) for d in deg)
        like = probe(function, (x, y, 1, rcond, full, w), {}, 3)
        return dressed(like, (highest + 1, *shape_of(y)[1:]))

    return rule


def _nodes(function: Any) -> Rule:
    """Sample points, and weights: as many as are asked for."""

    def rule(count: Any) -> Any:
        like = probe(function, (3,), {})
        return dressed(like, [(dim(count),)] * 2 if isinstance(like, tuple) else (dim(count),))

    return rule


def _of_family(module: ModuleType, start: str) -> dict[Any, Rule]:
    made: dict[Any, Rule] = {}
    table: dict[str, Any] = {
        "val": probed(_evaluated, 3), "val2d": probed(_evaluated_nd(2), 3), "val3d": probed(_evaluated_nd(3), 3),
        "valnd": probed(_evaluated_at, 3),
        "grid2d": probed(_on_grid(2), 3), "grid3d": probed(_on_grid(3), 3), "der": probed(_derived, 3),
        "int": probed(_integrated, 3), "weight": probed(shape_of), "fit": _fitted, "gauss": _nodes,
        "pts1": _nodes, "pts2": _nodes, "valfromroots": probed(_evaluated, 3),
        "vander": lambda f: _vander(f, 1), "vander2d": lambda f: _vander(f, 2), "vander3d": lambda f: _vander(f, 3),
    }  # fmt: skip
    for name, make in table.items():
        made.update({function: make(function) for function in present(module, start + name)})
    return made


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {}
    for name, start in FAMILIES.items():
        for module in modules(f"numpy.polynomial.{name}"):
            made.update(_of_family(module, start))
    mapping = np.polynomial.polyutils.mapdomain
    made[mapping] = probed(lambda x, old, new: shape_of(x), 2)(mapping)
    return made
