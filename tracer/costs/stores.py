"""What writes into an argument: the bytes are those of the places that are written, and of what is written there.

In-place operators and `out=` need nothing here: their result is what they write.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import steps
from ..shapes import Abstract, Reason, Unknown, infer, smallest
from ..shapes.dims import as_abstract, shape_of
from .moves import index_bytes
from .operands import operand, size_in_bytes
from .rule import Rule, Traffic


def _nothing(result: Any, /, *args: Any, **named: Any) -> int:
    return 0


def _item(read: Any) -> Traffic:
    """`x[key] = value`, where `read` is what reads these places."""

    def traffic(result: Any, /, target: Any, key: Any, value: Any) -> tuple[Any, Any]:
        places = as_abstract(infer(read, (target, key)))
        return size_in_bytes(value) + index_bytes(key), size_in_bytes(places)

    return traffic


def _part(result: Any, /, target: Any, part: str, value: Any) -> tuple[Any, Any]:
    """`x.real = value`: half of a complex array."""
    return size_in_bytes(value), operand(target) * (target.dtype.itemsize // (2 if target.dtype.kind == "c" else 1))


def _copied(result: Any, /, dst: Any, src: Any, casting: Any = "", where: Any = True) -> tuple[Any, Any]:
    if where is not True:
        raise Unknown(Reason.CONTENTS, "a mask decides which elements are written")
    return size_in_bytes(src), size_in_bytes(dst)


def _filled(result: Any, /, target: Any, value: Any) -> tuple[Any, Any]:
    return size_in_bytes(value), size_in_bytes(target)


def _put(result: Any, /, a: Any, ind: Any, v: Any, *more: Any, **named: Any) -> tuple[Any, Any]:
    return size_in_bytes([ind, v]), operand(ind) * a.dtype.itemsize


def _diagonal(result: Any, /, a: Any, val: Any, wrap: Any = False) -> tuple[Any, Any]:
    if wrap:
        raise Unknown(Reason.RULE, "a diagonal that goes on")
    return size_in_bytes(val), smallest(*shape_of(a)) * a.dtype.itemsize


def _throughout(result: Any, /, a: Any, *more: Any, **named: Any) -> tuple[Any, Any]:
    """All of the array is read and written."""
    return size_in_bytes(a), size_in_bytes(a)


def at(result: Any, /, a: Any, indices: Any, *operands: Any) -> Any:
    """`np.add.at`: an operation for each element that the indices meet."""
    return _met(a, indices).size


def at_traffic(result: Any, /, a: Any, indices: Any, *operands: Any) -> tuple[Any, Any]:
    places = size_in_bytes(_met(a, indices))
    return places + index_bytes(indices) + size_in_bytes(list(operands)), places


def _met(a: Any, indices: Any) -> Abstract:
    return as_abstract(infer(operator.getitem, (a, indices)))


def is_at(function: Any) -> bool:
    """Whether a function is the method `at` of a universal function."""
    ufunc = getattr(function, "__self__", None)
    return isinstance(ufunc, np.ufunc) and function == ufunc.at


def traffic() -> dict[Any, Traffic]:
    """The bytes of writers, by the functions themselves."""
    return {
        operator.setitem: _item(operator.getitem), np.ndarray.__setitem__: _item(operator.getitem),
        steps.set_flat_item: _item(steps.flat_item), steps.set_part: _part, np.copyto: _copied,
        np.ndarray.fill: _filled,
        np.put: _put, np.ndarray.put: _put, np.put_along_axis: _put, np.fill_diagonal: _diagonal,
        np.ndarray.sort: _throughout, np.ndarray.partition: _throughout,
    }  # fmt: skip


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves; sorting in place is counted in `ordering`."""
    return {f: _nothing for f in traffic() if f not in (np.ndarray.sort, np.ndarray.partition)}
