"""Functions that rearrange elements: reshape, transposition, flips, rolls, padding, repetition."""

from __future__ import annotations

from typing import Any

import numpy as np

from .abstract import Abstract, Shape
from .dims import (
    as_abstract,
    axes_of,
    axis_of,
    broadcast,
    dim,
    dims,
    integer,
    product,
    shape_of,
    stretched,
)
from .growing import diag, diagonal, padded, repeated, tiled, traced
from .probe import LEGACY, Rule, ShapeRule, dressed, dtype_of, probe, probed
from .registry import present
from .size import hint


def _alike(function: Any, shape_rule: Any) -> Rule:
    """A rule for a result with the dtype of the operand."""

    def rule(a: Any, *args: Any, **kwargs: Any) -> Any:
        known = as_abstract(a)
        return Abstract(shape_rule(known.shape, *args, **kwargs), known.dtype)

    return rule


def _of_scalar(function: Any, shape_rule: Any) -> Rule:
    """A method of scalars, some of which give scalars."""

    def rule(a: Any, *args: Any, **kwargs: Any) -> Any:
        return dressed(probe(function, (a, *args), kwargs), shape_rule(shape_of(a), *args, **kwargs))

    return rule


# ---- reshape ---------------------------------------------------------------------------------------


def reshaped(shape: Shape, wanted: Shape) -> Shape:
    """`wanted` with its -1 filled in; raises ValueError where the number of elements is another."""
    total, rest, free = product(shape), [d for d in wanted if not (type(d) is int and d < 0)], len(wanted)
    missing = free - len(rest)
    if missing > 1:
        raise ValueError("can only specify one unknown dimension")
    known = product(rest)
    wrong = f"cannot reshape array of size {total} into shape {wanted}"
    if not missing:
        if hint(total) != hint(known):
            raise ValueError(wrong)
        return wanted
    if hint(known) == 0 or hint(total) % hint(known):
        raise ValueError(wrong)
    size = total // known
    return tuple([size if type(d) is int and d < 0 else d for d in wanted])


def _reshape(function: Any) -> Rule:
    def rule(a: Any, shape: Any = None, *more: Any, order: Any = "C", newshape: Any = None, **named: Any) -> Any:
        known, wanted = as_abstract(a), dims(newshape if shape is None else shape)
        if order not in ("C", "F", "A", "c", "f", "a"):
            probe(function, (Abstract((1,), known.dtype), (1,)), {"order": order})
        return Abstract(reshaped(known.shape, wanted), known.dtype)

    return rule


def _reshape_method(a: Any, *shape: Any, order: Any = "C", **named: Any) -> Any:
    known = as_abstract(a)
    wanted = dims(shape[0] if len(shape) == 1 and shape[0] is not None else shape)
    return Abstract(reshaped(known.shape, wanted), known.dtype)


def _raveled(shape: Shape, *more: Any, **named: Any) -> Shape:
    return (product(shape),)


def _resized(a: Any, new_shape: Any) -> Any:
    known = as_abstract(a)
    return Abstract(dims(new_shape), dtype_of(np.resize, Abstract((1,), known.dtype), (1,)))


# ---- axes ------------------------------------------------------------------------------------------


def _transposed(shape: Shape, axes: Any = None) -> Shape:
    if axes is None:
        return shape[::-1]
    order = axes_of(axes, len(shape))
    if len(order) != len(shape):
        raise ValueError("axes don't match array")
    return tuple([shape[a] for a in order])


def _transposed_method(shape: Shape, *axes: Any) -> Shape:
    if not axes or axes == (None,):
        return shape[::-1]
    return _transposed(shape, axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes)


def matrix_transposed(shape: Shape) -> Shape:
    if len(shape) < 2:
        raise ValueError("matrix transpose requires at least two dimensions")
    return (*shape[:-2], shape[-1], shape[-2])


def _swapped(shape: Shape, axis1: Any, axis2: Any) -> Shape:
    order = list(shape)
    one, other = axis_of(axis1, len(shape)), axis_of(axis2, len(shape))
    order[one], order[other] = order[other], order[one]
    return tuple(order)


def _moved(shape: Shape, source: Any, destination: Any) -> Shape:
    sources, targets = axes_of(source, len(shape)), axes_of(destination, len(shape))
    if len(sources) != len(targets):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [n for n in range(len(shape)) if n not in sources]
    for target, origin in sorted(zip(targets, sources, strict=False)):
        order.insert(target, origin)
    return tuple([shape[a] for a in order])


def _rolled_axis(shape: Shape, axis: Any, start: Any = 0) -> Shape:
    along, target = axis_of(axis, len(shape)), integer(start)
    target = axis_of(target, len(shape) + 1) if target >= 0 else axis_of(target, len(shape))
    order = [n for n in range(len(shape)) if n != along]
    order.insert(target - 1 if along < target else target, along)
    return tuple([shape[a] for a in order])


def _expanded(shape: Shape, axis: Any) -> Shape:
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    axes = axes_of(axis, len(shape) + count)
    rest = iter(shape)
    return tuple([1 if i in axes else next(rest) for i in range(len(shape) + count)])


def _squeezed(shape: Shape, axis: Any = None) -> Shape:
    if axis is None:
        return tuple([d for d in shape if d != 1])  # a size that happens to be 1 is asked, and that is noted
    axes = axes_of(axis, len(shape)) if shape else ()
    if any(hint(shape[a]) != 1 for a in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return tuple([d for i, d in enumerate(shape) if i not in axes])


def _at_least(count: int) -> Any:
    def shape_rule(shape: Shape) -> Shape:
        if len(shape) >= count:
            return shape
        if count == 3:
            return {0: (1, 1, 1), 1: (1, *shape, 1), 2: (*shape, 1)}[len(shape)]
        return (*(1,) * (count - len(shape)), *shape)

    def rule(*arrays: Any) -> Any:
        parts = [as_abstract(a) for a in arrays]
        found = [Abstract(shape_rule(p.shape), p.dtype) for p in parts]
        if len(found) == 1:
            return found[0]
        return found if LEGACY else tuple(found)

    return rule


# ---- same shape ------------------------------------------------------------------------------------


def _rolled(shape: Shape, shift: Any, axis: Any = None) -> Shape:
    if axis is not None:
        for along in axis if isinstance(axis, tuple) else (axis,):
            axis_of(along, len(shape))
    return shape


def _flipped(shape: Shape, axis: Any = None) -> Shape:
    if axis is not None:
        axes_of(axis, len(shape))
    return shape


def _flipped_along(count: int) -> Any:
    def shape_rule(shape: Shape) -> Shape:
        if len(shape) < count:
            raise ValueError(f"Input must be >= {count}-d.")
        return shape

    return shape_rule


def _rotated(shape: Shape, k: Any = 1, axes: Any = (0, 1)) -> Shape:
    one, other = axes_of(tuple(axes), len(shape))
    return _swapped(shape, one, other) if integer(k) % 2 else shape


# ---- rules ----------------------------------------------------------------------------------------


def _broadcast_to(array: Any, shape: Any, subok: Any = False) -> Any:
    known, wanted = as_abstract(array), dims(shape)
    if len(known.shape) > len(wanted):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    return Abstract(stretched(known.shape, wanted, "could not be broadcast"), known.dtype)


def _broadcast_arrays(*arrays: Any, subok: Any = False) -> Any:
    parts = [as_abstract(a) for a in arrays]
    shape = broadcast(*[p.shape for p in parts]) if parts else ()
    made = [Abstract(shape, p.dtype) for p in parts]
    return made if LEGACY else tuple(made)


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {}
    table: dict[str, ShapeRule] = {
        "ravel": _raveled, "transpose permute_dims": _transposed, "matrix_transpose": matrix_transposed,
        "swapaxes": _swapped, "moveaxis": _moved, "rollaxis": _rolled_axis, "expand_dims": _expanded,
        "squeeze": _squeezed, "roll": _rolled, "flip": _flipped, "fliplr": _flipped_along(2),
        "flipud": _flipped_along(1), "rot90": _rotated, "repeat": repeated, "tile": tiled, "diagonal": diagonal,
        "diag": diag, "diagflat": lambda shape, k=0: (product(shape) + abs(dim(k)),) * 2,
    }  # fmt: skip
    for names, shape_rule in table.items():
        made.update({function: _alike(function, shape_rule) for function in present(np, names)})
    methods: dict[str, Any] = {
        "ravel flatten": _raveled, "transpose": _transposed_method, "swapaxes": _swapped, "squeeze": _squeezed,
        "repeat": repeated, "diagonal": diagonal,
    }  # fmt: skip
    for names, shape_rule in methods.items():
        made.update({function: _alike(function, shape_rule) for function in present(np.ndarray, names)})
        made.update({function: _of_scalar(function, shape_rule) for function in present(np.generic, names)})
    for kind in (np.ndarray, np.generic):
        made[kind.reshape] = _reshape_method
        made[kind.trace] = probed(traced)(kind.trace)
    made.update({
        np.reshape: _reshape(np.reshape), np.resize: _resized, np.pad: padded(np.pad),
        np.trace: probed(traced)(np.trace), np.broadcast_to: _broadcast_to,
        np.broadcast_arrays: _broadcast_arrays, np.atleast_1d: _at_least(1), np.atleast_2d: _at_least(2),
        np.atleast_3d: _at_least(3),
    })  # fmt: skip
    return made
