"""What rules of costs ask of operands and results: elements, bytes, lanes along an axis, matrices in a stack."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..shapes import Abstract, Dim, Reason, Shape, Unknown
from ..shapes.dims import axes_of, axis_of, product, shape_of

UNSET: Any = np._NoValue


class Unsaid:
    """An argument that is a plain value of the program's, which nothing but a run tells."""


UNSAID = Unsaid()


def elements(value: Any) -> Dim:
    """How many elements an array has, those of several results together; a plain result has none."""
    if type(value) is Abstract:
        return value.size
    if isinstance(value, (tuple, list)):
        return total([elements(part) for part in value])
    return 0


def operand(value: Any) -> Dim:
    """How many elements an argument has: an array, a number, or nested lists of them."""
    return product(shape_of(value))


def size_in_bytes(value: Any) -> Dim:
    """The bytes of an array, of several together; numbers of Python are no memory that is counted."""
    if type(value) is Abstract:
        return value.size * value.dtype.itemsize
    if isinstance(value, (tuple, list)):
        return total([size_in_bytes(part) for part in value])
    return 0


def total(dims: list[Dim]) -> Dim:
    found: Dim = 0
    for dim in dims:
        found = found + dim
    return found


def lane(a: Any, axis: Any) -> Dim:
    """How long the lanes of an array along an axis are; all of it is one lane where there is no axis."""
    shape = shape_of(a)
    if axis is None:
        return product(shape)
    return shape[axis_of(axis, len(shape))] if shape else 1


def lanes(a: Any, axis: Any) -> Dim:
    """How many lanes an array has along an axis."""
    shape = shape_of(a)
    return 1 if axis is None or not shape else across(shape, (axis,))


def across(shape: Shape, axes: Any) -> Dim:
    """The product of the sizes of all axes but some."""
    taken = axes_of(axes, len(shape))
    return product([size for axis, size in enumerate(shape) if axis not in taken])


def stack(a: Any) -> tuple[Dim, Dim, Dim]:
    """How many matrices a stack has, and their rows and columns."""
    shape = shape_of(a)
    return product(shape[:-2]), shape[-2], shape[-1]


def whole(named: dict[str, Any]) -> None:
    """Raise Unknown where a mask decides which elements are worked on."""
    where = named.get("where", True)
    if where is not True and where is not UNSET:
        raise Unknown(Reason.CONTENTS, "a mask decides which elements are worked on")
