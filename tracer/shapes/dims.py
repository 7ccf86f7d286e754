"""Arithmetic on shapes that all rules share: broadcasting, axes, products, and reading operands.

Sizes that NumPy demands to be equal are taken for equal: where they are not, the replay raises as the function does.
Broadcasting is another matter: which of two sizes is 1 decides what comes out, and is noted as an assumption.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.exceptions import AxisError

from .abstract import Abstract, Reason, Shape, Unknown
from .probe import probe
from .size import Dim, Size, hint

# ---- operands --------------------------------------------------------------------------------------


def shape_of(value: Any) -> Shape:
    """The shape that `np.asarray(value)` has."""
    kind = type(value)
    if kind is Abstract:
        return value.shape  # type: ignore[no-any-return]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.shape
    if kind is list or kind is tuple:
        return _nested(value)
    if isinstance(value, (range, np.flatiter)):
        return (len(value),)
    if kind is Size or not hasattr(value, "__len__") or isinstance(value, (str, bytes, dict, set)):
        return ()
    shape: Shape = np.shape(value)
    return shape


def _nested(items: Any) -> Shape:
    if not items:
        return (0,)
    shape = shape_of(items[0])
    for item in items[1:]:
        its = shape_of(item)
        if len(its) != len(shape):
            raise ValueError("setting an array element with a sequence: the shape is inhomogeneous")
        shape = tuple([matched(a, b, "the shape is inhomogeneous") for a, b in zip(shape, its, strict=False)])
    return (len(items), *shape)


def as_abstract(value: Any) -> Abstract:
    """What `np.asarray(value)` is."""
    if type(value) is Abstract:
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return Abstract(value.shape, value.dtype)
    like = probe(np.asarray, (value,), {})
    return Abstract(shape_of(value), like.dtype)


def dim(value: Any) -> Dim:
    """A size or number among the arguments; raises Unknown where it is part of an array's contents."""
    if type(value) is int or type(value) is Size:
        return value
    if type(value) is Abstract:
        if value.shape or value.dtype.kind not in "iub":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        raise Unknown(Reason.CONTENTS)
    return operator.index(value)


def dims(value: Any) -> Shape:
    """A shape given as a number or as numbers."""
    if type(value) is tuple or type(value) is list:
        return tuple([dim(v) for v in value])
    if type(value) is Abstract and value.shape:
        raise Unknown(Reason.CONTENTS)
    if isinstance(value, np.ndarray) and value.ndim:
        return tuple([int(v) for v in value])
    return (dim(value),) if not hasattr(value, "__iter__") else tuple([dim(v) for v in value])


def flag(value: Any) -> bool:
    """An argument that is true or false, or was not given."""
    return value is not np._NoValue and bool(value)


def integer(value: Any) -> int:
    """An argument that must be a plain number, as axes are; a size among them is fixed, and that is noted."""
    return operator.index(dim(value))


# ---- axes ------------------------------------------------------------------------------------------


def axis_of(axis: Any, ndim: int) -> int:
    """The axis counted from the front; raises AxisError."""
    axis = integer(axis)
    if not -ndim <= axis < ndim:
        raise AxisError(axis, ndim)
    return axis + ndim if axis < 0 else axis  # type: ignore[no-any-return]


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """One axis or several, counted from the front; raises AxisError, and ValueError where one is repeated."""
    if isinstance(axis, (tuple, list)):
        found = tuple([axis_of(a, ndim) for a in axis])
        if len(set(found)) != len(found):
            raise ValueError("repeated axis")
        return found
    return (axis_of(axis, ndim),)


def replaced(shape: Shape, axis: int, size: Dim) -> Shape:
    return (*shape[:axis], size, *shape[axis + 1 :])


def removed(shape: Shape, axis: int) -> Shape:
    return (*shape[:axis], *shape[axis + 1 :])


# ---- sizes -----------------------------------------------------------------------------------------


def product(shape: Any) -> Dim:
    total: Dim = 1
    for size in shape:
        total = total * size
    return total


def is_one(size: Dim) -> bool:
    """Whether a size is written as 1: a symbolic one that happens to be 1 is not asked."""
    return type(size) is int and size == 1


def empty(shape: Shape) -> bool:
    """Whether a plain size is 0."""
    return any(type(d) is int and d == 0 for d in shape)


def demand_elements(*sizes: Dim) -> None:
    """Raise Unknown where a size is 0: what a function gives for no elements is something else altogether."""
    for size in sizes:
        if not size > 0:
            raise Unknown(Reason.RULE, "of no elements the result is another one")


def matched(one: Dim, other: Dim, message: str) -> Dim:
    """The size that both are; raises ValueError where they differ on the example."""
    if one is other:
        return one
    if hint(one) != hint(other):
        raise ValueError(message)
    return one if type(one) is int else other if type(other) is int else one


def broadcast(*shapes: Shape) -> Shape:
    """The shape of operands of these shapes together; raises ValueError."""
    result = shapes[0]
    for shape in shapes[1:]:
        if shape is not result and shape:
            result = _two(result, shape) if result else shape
    return result


def _two(left: Shape, right: Shape) -> Shape:
    """The shape of two operands; the longer one's own tuple where it is that."""
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    found: list[Dim] | None = None
    for position, size in enumerate(shorter, len(longer) - len(shorter)):
        its = longer[position]
        if size is its:
            continue
        together = joint(its, size, left, right)
        if together is not its:
            found = found or list(longer)
            found[position] = together
    return longer if found is None else tuple(found)


def joint(one: Dim, other: Dim, left: Shape = (), right: Shape = ()) -> Dim:
    """The size of two that are broadcast together."""
    if type(one) is int and type(other) is int:
        if one == other or other == 1:
            return one
        if one == 1:
            return other
        raise ValueError(f"operands could not be broadcast together with shapes {left} {right}")
    if is_one(one):
        return other
    if is_one(other):
        return one
    if hint(one) == hint(other):
        same = one == other  # asked, so that it is noted
        return other if same and type(other) is int else one
    if hint(one) != 1 and hint(other) != 1:
        raise ValueError(f"operands could not be broadcast together with shapes {left} {right}")
    small, large = (one, other) if hint(one) == 1 else (other, one)
    return large if small == 1 else small


def stretched(shape: Shape, wanted: Shape, message: str = "could not broadcast input array") -> Shape:
    """`wanted`, where an array of this shape can be broadcast to it; raises ValueError where it cannot."""
    while len(shape) > len(wanted) and is_one(shape[0]):
        shape = shape[1:]
    if len(shape) > len(wanted):
        raise ValueError(f"{message} from shape {shape} into shape {wanted}")
    for size, its in zip(reversed(shape), reversed(wanted), strict=False):
        if hint(size) not in (1, hint(its)):
            raise ValueError(f"{message} from shape {shape} into shape {wanted}")
    return wanted
