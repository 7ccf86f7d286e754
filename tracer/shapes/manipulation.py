"""Functions that rearrange elements: reshape, transposition, flips, rolls, padding, repetition."""

from __future__ import annotations

from typing import Any

import numpy as np

from .abstract import Abstract, Reason, Shape, Unknown
from .dims import (
    as_abstract,
    axes_of,
    axis_of,
    broadcast,
    dim,
    dims,
    hint,
    integer,
    is_one,
    product,
    replaced,
    shape_of,
    stretched,
)
from .probe import LEGACY, Rule, dressed, probe, probed
from .registry import present
from .size import Dim, hint, largest, smallest


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
    name = "shape"

    def rule(a: Any, shape: Any = None, *more: Any, order: Any = "C", newshape: Any = None, **named: Any) -> Any:
        known, wanted = as_abstract(a), dims(newshape if shape is None else shape)
        if order not in ("C", "F", "A", "c", "f", "a"):
            probe(function, (Abstract((1,), known.dtype), (1,)), {"order": order})
        return Abstract(reshaped(known.shape, wanted), known.dtype)

    assert name
    return rule


def _reshape_method(a: Any, *shape: Any, order: Any = "C", **named: Any) -> Any:
    known = as_abstract(a)
    wanted = dims(shape[0] if len(shape) == 1 and shape[0] is not None else shape)
    return Abstract(reshaped(known.shape, wanted), known.dtype)


def _raveled(shape: Shape, *more: Any, **named: Any) -> Shape:
    return (product(shape),)


def _resized(a: Any, new_shape: Any) -> Any:
    return Abstract(dims(new_shape), as_abstract(a).dtype)


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
    for target, origin in sorted(zip(targets, sources)):
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
        return type(np.atleast_1d(1, 2))(found)

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


# ---- more elements ---------------------------------------------------------------------------------


def _repeated(shape: Shape, repeats: Any, axis: Any = None) -> Shape:
    shape, along = ((product(shape),), 0) if axis is None else (shape, axis_of(axis, len(shape)))
    counts = shape_of(repeats)
    if not counts or is_one(counts[0]):
        count = dim(repeats if not counts else _contents(repeats)[0])
        if hint(count) < 0:
            raise ValueError("repeats may not contain negative values.")
        return replaced(shape, along, shape[along] * count)
    total: Dim = 0
    for count in _contents(repeats):
        total = total + dim(count)
    if hint(counts[0]) != hint(shape[along]):
        raise ValueError(f"operands could not be broadcast together with shape {shape} {counts}")
    return replaced(shape, along, total)


def _contents(value: Any) -> Any:
    """The elements of numbers that are given; raises Unknown for an array of which they are not known."""
    if isinstance(value, Abstract):
        raise Unknown(Reason.CONTENTS)
    return value


def _tiled(shape: Shape, reps: Any) -> Shape:
    counts = dims(reps)
    rank = max(len(shape), len(counts))
    shape, counts = (1,) * (rank - len(shape)) + shape, (1,) * (rank - len(counts)) + counts
    return tuple([size * count for size, count in zip(shape, counts)])


def _padded(function: Any) -> Rule:
    def rule(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
        known = as_abstract(array)
        if isinstance(mode, str):
            probe(function, (Abstract((), known.dtype) if not known.shape else known, 0, mode), kwargs, 2)
        widths = _pad_widths(pad_width, len(known.shape))
        if any(hint(w) < 0 for pair in widths for w in pair):
            raise ValueError("index can't contain negative values")
        grows = [d for d, pair in zip(known.shape, widths) if any(hint(w) for w in pair)]
        if (
            mode not in ("constant", "empty")
            and isinstance(mode, str)
            and any(type(d) is int and d == 0 for d in grows)
        ):
            raise ValueError(f"can't extend empty axis using modes other than 'constant' or 'empty' ({mode})")
        shape = tuple([before + size + after for size, (before, after) in zip(known.shape, widths)])
        return Abstract(shape, known.dtype)

    return rule


def _pad_widths(width: Any, ndim: int) -> list[tuple[Dim, Dim]]:
    """Before and after for each axis, from the forms that `np.pad` takes."""
    if isinstance(width, dict):
        pairs: list[tuple[Dim, Dim]] = [(0, 0)] * ndim
        for axis, pair in width.items():
            both = dims(pair)
            pairs[axis_of(axis, ndim)] = (both[0], both[-1])
        return pairs
    shape = shape_of(_contents(width))
    if len(shape) > 2 or (shape and not all(is_one(d) or d == w for d, w in zip(reversed(shape), (2, ndim)))):
        if shape != (1,) and shape != (2,):
            raise ValueError(f"operands could not be broadcast together with shape {shape} {(ndim, 2)}")
    if not shape:
        return [(dim(width), dim(width))] * ndim
    if len(shape) == 1:
        both = dims(width)
        return [(both[0], both[-1])] * ndim
    rows = [dims(row) for row in width]
    rows = rows * ndim if len(rows) == 1 else rows
    return [(row[0], row[-1]) for row in rows]


def _trimmed_diagonal(shape: Shape, offset: Dim) -> Dim:
    """The length of a diagonal of a matrix."""
    rows, columns = shape
    if offset >= 0:
        return largest(smallest(rows, columns - offset), 0)
    return largest(smallest(rows + offset, columns), 0)


def diagonal(shape: Shape, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Shape:
    if len(shape) < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    one, other = axis_of(axis1, len(shape)), axis_of(axis2, len(shape))
    if one == other:
        raise ValueError("axis1 and axis2 cannot be the same")
    rest = tuple([d for i, d in enumerate(shape) if i not in (one, other)])
    return (*rest, _trimmed_diagonal((shape[one], shape[other]), dim(offset)))


def _diag(shape: Shape, k: Any = 0) -> Shape:
    if len(shape) == 1:
        return (shape[0] + abs(dim(k)),) * 2
    if len(shape) == 2:
        return diagonal(shape, k)
    raise ValueError("Input must be 1- or 2-d.")


def _traced(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, *more: Any, **named: Any) -> Shape:
    return diagonal(shape_of(a), offset, axis1, axis2)[:-1]


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
    for names, shape_rule in {
        "ravel": _raveled, "transpose permute_dims": _transposed, "matrix_transpose": matrix_transposed,
        "swapaxes": _swapped, "moveaxis": _moved, "rollaxis": _rolled_axis, "expand_dims": _expanded,
        "squeeze": _squeezed, "roll": _rolled, "flip": _flipped, "fliplr": _flipped_along(2),
        "flipud": _flipped_along(1), "rot90": _rotated, "repeat": _repeated, "tile": _tiled, "diagonal": diagonal,
        "diag": _diag, "diagflat": lambda shape, k=0: (product(shape) + abs(dim(k)),) * 2,
    }.items():  # fmt: skip
        made.update({function: _alike(function, shape_rule) for function in present(np, names)})
    methods: dict[str, Any] = {
        "ravel flatten": _raveled, "transpose": _transposed_method, "swapaxes": _swapped, "squeeze": _squeezed,
        "repeat": _repeated, "diagonal": diagonal,
    }  # fmt: skip
    for names, shape_rule in methods.items():
        made.update({function: _alike(function, shape_rule) for function in present(np.ndarray, names)})
        made.update({function: _of_scalar(function, shape_rule) for function in present(np.generic, names)})
    for kind in (np.ndarray, np.generic):
        made[kind.reshape] = _reshape_method
        made[kind.trace] = probed(_traced)(kind.trace)
    made.update({
        np.reshape: _reshape(np.reshape), np.resize: _resized, np.pad: _padded(np.pad),
        np.trace: probed(_traced)(np.trace), np.broadcast_to: _broadcast_to,
        np.broadcast_arrays: _broadcast_arrays, np.atleast_1d: _at_least(1), np.atleast_2d: _at_least(2),
        np.atleast_3d: _at_least(3),
    })  # fmt: skip
    return made
