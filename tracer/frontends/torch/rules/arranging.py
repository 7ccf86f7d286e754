"""Shapes of what picks from tensors, splits and spreads them, where PyTorch's ways are not NumPy's.

The rules are PyTorch's documentation, function by function; what it says of sizes that happen to be 1, or to divide
each other, is followed only where that does not depend on the example.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import torch

from ....shapes import Abstract, Dim, Reason, Unknown, hint, infer
from ....shapes.dims import axes_of, axis_of, broadcast, dims, product, removed, replaced
from .operands import Rule, in_numpy, like, named, sizes

# ---- axes ------------------------------------------------------------------------------------------


def _squeezed(x: Abstract, dim: Any = None) -> Abstract:
    """Axes of size 1 go; one that is as long by the example alone is not known to."""
    axes = range(len(x.shape)) if dim is None else axes_of(dim, len(x.shape)) if x.shape else ()
    for axis in axes:
        if type(x.shape[axis]) is not int and (dim is not None or hint(x.shape[axis]) == 1):
            raise Unknown(Reason.CONTENTS, "a size that happens to be 1")
    return like(x, tuple([d for i, d in enumerate(x.shape) if i not in axes or not _is_one(d)]))


def _is_one(size: Dim) -> bool:
    return type(size) is int and size == 1


def _flattened(x: Abstract, start_dim: Any = 0, end_dim: Any = -1) -> Abstract:
    if not x.shape:
        return like(x, (1,))
    first, last = (axis_of(axis, len(x.shape)) for axis in (start_dim, end_dim))
    shape = x.shape
    return like(x, (*shape[:first], product(shape[first : last + 1]), *shape[last + 1 :]))


def _unflattened(x: Abstract, dim: Any, sizes: Any) -> Abstract:
    axis, shape = axis_of(dim, len(x.shape)), x.shape
    parts = infer(np.reshape, (Abstract((shape[axis],), np.dtype(int)), tuple(sizes))).shape
    return like(x, (*shape[:axis], *parts, *shape[axis + 1 :]))


def _expanded(x: Abstract, *given: Any, **more: Any) -> Abstract:
    """Axes of size 1 become as long as is said; -1 leaves an axis as it is."""
    wanted = list(dims(sizes(given) or more.get("size", ())))
    for back in range(1, len(x.shape) + 1):
        if type(wanted[-back]) is int and wanted[-back] == -1:
            wanted[-back] = x.shape[-back]
    return like(x, tuple(wanted))


def _expanded_as(x: Abstract, other: Abstract) -> Abstract:
    return like(x, other.shape)


def _spread(*given: Any) -> tuple[Abstract, ...]:
    parts = sizes(given)
    return tuple(like(part, broadcast(*[p.shape for p in parts])) for part in parts)


def _at_least(count: int) -> Rule:
    function = {1: np.atleast_1d, 2: np.atleast_2d, 3: np.atleast_3d}[count]

    def rule(*given: Any) -> Any:
        made = tuple(like(part, infer(function, (in_numpy(part),)).shape) for part in sizes(given))
        return made[0] if type(given[0]) is Abstract and len(given) == 1 else made

    return rule


# ---- picking ---------------------------------------------------------------------------------------


def item(tensor: Any, key: Any) -> Any:
    """`x[key]`: numbers first, then arrays, where NumPy takes a number beside arrays for one of these."""
    if not isinstance(tensor, Abstract):
        return tensor[operator.index(key)]
    keys = in_numpy(key if type(key) is tuple else (key,))
    if not any(_is_array(part) for part in keys) or not any(_is_number(part) for part in keys):
        return like(tensor, infer(operator.getitem, (in_numpy(tensor), keys)).shape)
    kept: tuple[Any, ...] = sum(((slice(None),) * _taken(part) if _is_array(part) else (part,) for part in keys), ())
    first = infer(operator.getitem, (in_numpy(tensor), kept))
    later = tuple(
        slice(None) if part is None or isinstance(part, slice) else part for part in keys if not _is_number(part)
    )
    return like(tensor, infer(operator.getitem, (in_numpy(first), later)).shape)


def _is_array(part: Any) -> bool:
    return isinstance(part, (list, tuple, np.ndarray)) or (type(part) is Abstract and part.shape != ())


def _is_number(part: Any) -> bool:
    return not _is_array(part) and part is not None and part is not Ellipsis and not isinstance(part, slice)


def _taken(part: Any) -> int:
    """How many axes an array in a key takes: a mask as many as it has."""
    return len(part.shape) if type(part) is Abstract and part.dtype.kind == "b" else 1


def _selected(x: Abstract, dim: Any, index: Any) -> Abstract:
    return like(x, removed(x.shape, axis_of(dim, len(x.shape))))


def _index_selected(x: Abstract, dim: Any, index: Abstract, **more: Any) -> Abstract:
    count = index.shape[0] if index.shape else 1
    return like(x, replaced(x.shape, axis_of(dim, len(x.shape)), count) if x.shape else ())


def _narrowed(x: Abstract, dim: Any, start: Any, length: Any) -> Abstract:
    return like(x, replaced(x.shape, axis_of(dim, len(x.shape)), dims(length)[0]))


def _gathered(x: Abstract, dim: Any, index: Abstract, **more: Any) -> Abstract:
    return like(x, index.shape)


def _taken_along(x: Abstract, indices: Abstract, dim: Any = None, **more: Any) -> Abstract:
    if dim is None:
        return like(x, (product(indices.shape),))
    axis = axis_of(dim, len(x.shape))
    others = broadcast(replaced(x.shape, axis, 1), replaced(indices.shape, axis, 1))
    return like(x, replaced(others, axis, indices.shape[axis]))


def _picked(x: Abstract, index: Abstract, **more: Any) -> Abstract:
    return like(x, index.shape)


def _windows(x: Abstract, dimension: Any, size: Any, step: Any) -> Abstract:
    if not x.shape:
        return like(x, (size,))
    axis = axis_of(dimension, len(x.shape))
    return like(x, (*replaced(x.shape, axis, (x.shape[axis] - size) // step + 1), dims(size)[0]))


def _diagonals(x: Abstract, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Abstract:
    """The last axis on the diagonal of a new plane."""
    count = len(x.shape) + 1
    first, second = sorted(axes_of((dim1, dim2), count))
    side = x.shape[-1] + abs(offset)
    rest = iter(x.shape[:-1])
    return like(x, tuple([side if axis in (first, second) else next(rest) for axis in range(count)]))


def _rotated(x: Abstract, k: Any = 1, dims: Any = (0, 1)) -> Abstract:
    return like(x, infer(np.rot90, (in_numpy(x), k, tuple(dims))).shape)


def _last_diagonals(x: Abstract, *, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Abstract:
    return like(x, infer(np.diagonal, (in_numpy(x), offset, dim1, dim2)).shape)


def _with_pairs(x: Abstract) -> Abstract:
    return like(x, (*x.shape, 2))


def _without_pairs(x: Abstract) -> Abstract:
    return like(x, x.shape[:-1])


# ---- splitting -------------------------------------------------------------------------------------


def _split(tensor: Abstract, split_size: Any = None, dim: Any = 0, **more: Any) -> tuple[Abstract, ...]:
    """Parts of one size, and the rest; where that is not known to be none, it is as long as nobody knows."""
    given = more.get("split_size_or_sections", more.get("split_sizes", split_size))
    axis = axis_of(dim, len(tensor.shape))
    if isinstance(given, (tuple, list)):
        return _parts(tensor, axis, list(dims(given)))
    whole, size = tensor.shape[axis], dims(given)[0]
    if type(whole // size) is int and type(whole % size) is int:
        return _parts(tensor, axis, _alike(whole, size))
    count = -(-hint(whole) // hint(size))
    raise Unknown(Reason.RULE, f"{count} parts by the example")


def _alike(whole: Any, size: Any) -> list[Dim]:
    rest = whole % size
    return [size] * (whole // size) + ([rest] if rest else [])


def _chunks(x: Abstract, chunks: Any, dim: Any = 0) -> tuple[Abstract, ...]:
    """As many parts as are asked for, each but the last of ceil(n / chunks)."""
    axis, count = axis_of(dim, len(x.shape)), operator.index(chunks)
    whole = x.shape[axis]
    size = (whole + count - 1) // count
    if type(whole) is int and type(size) is int:
        return _parts(x, axis, _alike(whole, size) if whole else [0] * count)
    if -(-hint(whole) // max(hint(size), 1)) != count:
        raise Unknown(Reason.RULE, "fewer parts than are asked for")
    return _parts(x, axis, [size] * (count - 1) + [whole - (count - 1) * size])


def _unbound(x: Abstract, dim: Any = 0) -> tuple[Abstract, ...]:
    axis = axis_of(dim, len(x.shape))
    return (like(x, removed(x.shape, axis)),) * hint(x.shape[axis])


def _parts(tensor: Abstract, axis: int, lengths: list[Dim]) -> tuple[Abstract, ...]:
    return tuple(like(tensor, replaced(tensor.shape, axis, length)) for length in lengths)


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    table: dict[str, Rule] = {
        "squeeze": _squeezed, "flatten": _flattened, "unflatten": _unflattened,
        "expand broadcast_to sum_to_size": _expanded, "expand_as view_as reshape_as": _expanded_as,
        "broadcast_tensors": _spread, "atleast_1d": _at_least(1), "atleast_2d": _at_least(2),
        "atleast_3d": _at_least(3), "__getitem__": item, "select": _selected, "index_select": _index_selected,
        "narrow": _narrowed, "gather": _gathered, "take_along_dim": _taken_along, "take": _picked,
        "diag_embed": _diagonals, "rot90": _rotated, "split split_with_sizes": _split, "chunk": _chunks,
        "unbind": _unbound, "view_as_real": _with_pairs, "view_as_complex": _without_pairs,
    }  # fmt: skip
    made = {function: rule for names, rule in table.items() for function in named(names)}
    made.update({torch.Tensor.unfold: _windows, torch.linalg.diagonal: _last_diagonals})
    return made
