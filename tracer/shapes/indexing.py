"""Indexing: slices of every kind, newaxis, Ellipsis, arrays of integers and booleans, mixed as NumPy mixes them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import tricks
from .abstract import Abstract, Reason, Shape, Unknown
from .dims import as_abstract, broadcast, empty, shape_of, stretched
from .probe import LEGACY, Rule
from .size import Dim, Size, hint
from .slices import sliced

# ---- keys ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    """The state of reading a key from left to right."""

    kept: list[Dim] = field(default_factory=list)
    """The sizes of the axes that slices and newaxis leave."""
    arrays: list[Shape] = field(default_factory=list)
    """The shapes of the index arrays, numbers among them."""
    place: int = 0
    """Before which of `kept` the dimensions of the arrays go."""
    axis: int = 0
    """The axis of the array that is read next."""
    apart: bool = False
    """Whether something stands between two index arrays."""
    last: int = -1
    """The position of the last index array in the key."""


def _items(key: Any) -> list[Any]:
    return list(key) if type(key) is tuple else [key]


def _is_boolean(item: Any) -> bool:
    if isinstance(item, (Abstract, np.ndarray, np.bool_)):
        return item.dtype.kind == "b"
    return type(item) is bool


def _is_number(item: Any) -> bool:
    """An integer, also as an array without dimensions."""
    if type(item) is int or type(item) is Size:
        return True
    if isinstance(item, (Abstract, np.ndarray, np.generic)):
        return not item.shape and item.dtype.kind in "iu"
    return hasattr(item, "__index__") and not isinstance(item, (bool, list, tuple))


def _consumes(item: Any) -> int:
    """How many axes an item of a key takes."""
    if item is None or item is Ellipsis:
        return 0
    if isinstance(item, slice):
        return 1
    return len(shape_of(item)) if _is_boolean(item) else 1


def _prepared(key: Any) -> list[Any]:
    """The items of a key: lists are arrays, the boolean ones of which contents are known are positions."""
    items = [_listed(item) for item in _items(key)]
    for item in items:
        if item is None or item is Ellipsis or isinstance(item, slice) or _is_number(item) or _is_boolean(item):
            continue
        if not isinstance(item, (Abstract, np.ndarray)) or item.dtype.kind not in "iu":
            raise IndexError("only integers, slices, ellipsis, newaxis and integer or boolean arrays are valid indices")
    return items


def _listed(item: Any) -> Any:
    if not isinstance(item, (list, tuple, range)):
        return item
    try:
        made = np.array(item)
    except (TypeError, ValueError, OverflowError):
        return as_abstract(list(item))
    if made.dtype == object:
        return as_abstract(list(item))
    return made.astype(np.intp) if made.size == 0 else made


def indexed(shape: Shape, key: Any) -> tuple[Shape, bool]:
    """The shape of `array[key]`, and whether it is a scalar; raises IndexError, and Unknown for masks."""
    items = _prepared(key)
    advanced = any(not _is_basic(item) for item in items)
    taken = sum(_consumes(item) for item in items)
    if taken > len(shape):
        raise IndexError(f"too many indices for array: array is {len(shape)}-dimensional, but {taken} were indexed")
    if sum(item is Ellipsis for item in items) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    filled = (slice(None),) * (len(shape) - taken)
    whole = any(item is Ellipsis for item in items)
    state = _Reading()
    for position, item in enumerate(items if whole else [*items, Ellipsis]):
        _read(state, shape, item, position, advanced, filled)
    if not state.arrays:
        numbers = all(_is_number(item) for item in items)
        return tuple(state.kept), numbers and not state.kept and not whole
    try:
        together = broadcast(*state.arrays)
    except ValueError as wrong:
        raise IndexError(f"shape mismatch: indexing arrays could not be broadcast together: {wrong}") from None
    at = 0 if state.apart else state.place
    return (*state.kept[:at], *together, *state.kept[at:]), False


def _is_basic(item: Any) -> bool:
    return item is None or item is Ellipsis or isinstance(item, slice) or _is_number(item)


def _read(state: _Reading, shape: Shape, item: Any, position: int, advanced: bool, filled: Sequence[Any]) -> None:
    if item is None:
        state.kept.append(1)
    elif item is Ellipsis:
        state.kept += shape[state.axis : state.axis + len(filled)]
        state.axis += len(filled)
    elif isinstance(item, slice):
        state.kept.append(sliced(shape[state.axis], item))
        state.axis += 1
    elif not advanced:
        _check_number(item, shape[state.axis], state.axis)
        state.axis += 1
    else:
        if not state.arrays:
            state.place = len(state.kept)
        elif state.last != position - 1:
            state.apart = True
        state.last = position
        _read_array(state, shape, item)


def _read_array(state: _Reading, shape: Shape, item: Any) -> None:
    if _is_boolean(item):
        state.arrays.append(_mask(shape[state.axis :], item))
        state.axis += len(shape_of(item))
        return
    if _is_number(item):
        _check_number(item, shape[state.axis], state.axis)
    elif isinstance(item, np.ndarray) and item.size and type(shape[state.axis]) is int and not _unasked(shape):
        size = shape[state.axis]
        worst = item.max() if item.max() >= hint(size) else item.min()
        _check_number(int(worst), size, state.axis)
    state.arrays.append(shape_of(item) if not _is_number(item) else ())
    state.axis += 1


def _unasked(shape: Shape) -> bool:
    """Whether positions are not looked at: NumPy 1 lets them be where the array has no elements."""
    return LEGACY and empty(shape)


def _check_number(item: Any, size: Dim, axis: int) -> None:
    if type(size) is int and not isinstance(item, (Size, Abstract)):
        value = operator.index(item)
        if not -size <= value < size:
            raise IndexError(f"index {value} is out of bounds for axis {axis} with size {size}")


def _mask(shape: Shape, mask: Any) -> Shape:
    its = shape_of(mask)
    for axis, (size, wanted) in enumerate(zip(its, shape, strict=False)):
        if hint(size) != hint(wanted):
            raise IndexError(f"boolean index did not match indexed array along axis {axis}; sizes {wanted} and {size}")
    if isinstance(mask, Abstract):
        raise Unknown(Reason.CONTENTS, "a mask takes as many elements as it is true")
    return (int(np.count_nonzero(mask)),)


def _basic(shape: Shape, items: tuple[Any, ...]) -> tuple[Shape, bool] | None:
    """The short way for plain numbers, slices, newaxis and Ellipsis; None for all else, and for what is wrong."""
    kept: list[Dim] = []
    axis, whole = 0, False
    for item in items:
        kind = type(item)
        if kind is slice or kind is int:
            if axis >= len(shape):
                return None
            size = shape[axis]
            axis += 1
            if kind is slice:
                kept.append(sliced(size, item))
            elif type(size) is int and not -size <= item < size:
                return None
        elif item is None:
            kept.append(1)
        elif item is Ellipsis and not whole:
            whole, start = True, axis
            axis = len(shape) - sum(type(i) is slice or type(i) is int for i in items) + start
            if axis < start:
                return None
            kept += shape[start:axis]
        else:
            return None
    kept += shape[axis:]
    return tuple(kept), not kept and not whole


# ---- rules -----------------------------------------------------------------------------------------


def getitem(array: Any, key: Any) -> Any:
    """`array[key]`; items of tuples, lists and other plain things are theirs."""
    if isinstance(array, np.ndarray):
        array = Abstract(array.shape, array.dtype)
    if type(array) is not Abstract:
        return _item(array, key)
    if array.dtype.names is not None and _names(key):
        return _field(array, key)
    shape, scalar = _basic(array.shape, key if type(key) is tuple else (key,)) or indexed(array.shape, key)
    if scalar and array.dtype.kind in "OSU":
        raise Unknown(Reason.CONTENTS, "a scalar is a plain object, or as long as its text")
    if array.scalar and array.dtype.names is not None:
        raise Unknown(Reason.RULE, "an item of a structured scalar")
    dtype = array.dtype if not scalar or array.dtype.isnative else array.dtype.newbyteorder("=")
    return Abstract(shape, dtype, scalar)


def _item(owner: Any, key: Any) -> Any:
    if isinstance(owner, tricks.GRIDS):
        return tricks.grid(owner, key)
    if isinstance(owner, tricks.JOINERS):
        return tricks.join(owner, key)
    return owner[key]


def _names(key: Any) -> bool:
    return isinstance(key, str) or (isinstance(key, list) and bool(key) and all(isinstance(k, str) for k in key))


def _field(array: Abstract, key: Any) -> Abstract:
    part = np.zeros((), array.dtype)[()][key] if array.scalar else np.zeros((), array.dtype)[key]
    if not array.scalar:
        return Abstract(array.shape + part.shape, part.dtype)
    return Abstract(part.shape, part.dtype, isinstance(part, np.generic))


def setitem(array: Any, key: Any, value: Any) -> None:
    """`array[key] = value`: nothing comes out; raises what NumPy raises where shapes do not fit."""
    if type(array) is not Abstract:
        return
    if array.scalar:
        raise TypeError(f"'{array.dtype.type.__name__}' object does not support item assignment")
    if array.dtype.names is not None and _names(key):
        return
    try:
        shape, _ = _basic(array.shape, key if type(key) is tuple else (key,)) or indexed(array.shape, key)
    except Unknown:
        return  # how many elements a mask chooses is not known
    its = shape_of(value)
    if not (array.dtype.hasobject and not isinstance(value, (Abstract, np.ndarray))):
        stretched(its, shape)


def flat_item(array: Any, key: Any) -> Any:
    """`array.flat[key]`."""
    known = as_abstract(array)
    return getitem(Abstract((known.size,), known.dtype), key)


def rules(steps: Any) -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves; `steps` is the module of the graph's own steps."""
    return {
        operator.getitem: getitem,
        operator.setitem: setitem,
        np.ndarray.__getitem__: getitem,
        np.ndarray.__setitem__: setitem,
        steps.flat_item: flat_item,
        steps.set_flat_item: lambda array, key, value: None,
        steps.set_part: lambda array, part, value: None,
    }
