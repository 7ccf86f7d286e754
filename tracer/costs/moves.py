"""What moves elements and computes nothing: copies, joins, conversions, indexing, creation; and what costs nothing.

A gather reads what it picks and the indices, not all of the array; what only asks for an array's shape reads nothing.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np

from .. import steps
from ..shapes import Reason, Unknown
from ..shapes.dims import shape_of
from ..shapes.registry import present
from ..views import VIEWS
from .elementwise import each
from .operands import elements, size_in_bytes
from .rule import Rule, Traffic

_KINDS = (np, np.ndarray, np.generic)
_ARRAYS = {"shape", "size", "ndim", "dtype", "itemsize", "nbytes", "strides", "base", "flags", "flat"}


def _nothing(result: Any, /, *args: Any, **named: Any) -> int:
    """Elements are moved, or converted."""
    return 0


def _pad(result: Any, /, array: Any, pad_width: Any, mode: Any = "constant", **named: Any) -> int:
    if not isinstance(mode, str) or mode not in ("constant", "edge", "empty", "reflect", "symmetric", "wrap"):
        raise Unknown(Reason.RULE, "a padding that is computed")
    return 0


def _triangle(result: Any, /, m: Any, k: Any = 0) -> Any:
    """A choice for each element, by a comparison of each row with each column."""
    rows, columns = shape_of(result)[-2:]
    return elements(result) + rows * columns


def _flat_index(result: Any, /, multi_index: Any, dims: Any, *more: Any, **named: Any) -> Any:
    """A product and a sum for each axis but the first."""
    return 2 * (len(dims) - 1 if isinstance(dims, (tuple, list)) else 0) * elements(result)


def _multi_index(result: Any, /, indices: Any, shape: Any, *more: Any, **named: Any) -> Any:
    """A quotient and a remainder for each axis."""
    return 2 * elements(result)


# ---- bytes -----------------------------------------------------------------------------------------


def _free(result: Any, /, *args: Any, **named: Any) -> tuple[int, int]:
    return 0, 0


def _shape_only(result: Any, /, *args: Any, **named: Any) -> tuple[Any, Any]:
    """Of its first argument the shape is asked, no element."""
    return size_in_bytes([*args[1:], *named.values()]), size_in_bytes(result)


def _attribute(result: Any, /, owner: Any, name: str, *default: Any) -> tuple[Any, Any]:
    return (0, 0) if name in _ARRAYS else (size_in_bytes(result), size_in_bytes(result))


def picked(result: Any, /, a: Any, *indices: Any, **named: Any) -> tuple[Any, Any]:
    """What comes out is what is read, besides the indices."""
    return size_in_bytes(result) + index_bytes([*indices, *named.values()]), size_in_bytes(result)


def _picked_by(result: Any, /, selector: Any, *arrays: Any, **named: Any) -> tuple[Any, Any]:
    return size_in_bytes(result) + size_in_bytes(selector), size_in_bytes(result)


def _item(result: Any, /, a: Any, *args: Any) -> tuple[Any, Any]:
    """One element leaves its array for Python."""
    return (a.dtype.itemsize if hasattr(a, "dtype") else 0), size_in_bytes(result)


def index_bytes(key: Any) -> Any:
    """The bytes of the arrays in an index."""
    return size_in_bytes(
        [part for part in key if not isinstance(part, slice)] if isinstance(key, (tuple, list)) else key
    )


def traffic() -> dict[Any, Traffic]:
    """The bytes of what does not read its operands as they are."""
    made: dict[Any, Traffic] = {operator.getitem: picked, np.ndarray.__getitem__: picked, steps.flat_item: picked}
    made.update(dict.fromkeys(_free_functions(), _free))
    made.update(dict.fromkeys(present(np, "zeros_like ones_like empty_like full_like"), _shape_only))
    made[getattr] = _attribute
    for kind in _KINDS:
        made.update(dict.fromkeys(present(kind, "take take_along_axis"), picked))
        made.update(dict.fromkeys(present(kind, "item"), _item))
    made.update({np.ndarray.compress: picked, np.ndarray.choose: _picked_by})
    made.update({np.choose: _picked_by, np.compress: _picked_by, np.extract: _picked_by})
    return made


def _free_functions() -> list[Any]:
    """What answers from shape and dtype."""
    return [
        steps.size_of, steps.count_of_range, steps.set_shape, len, np.ndarray.setflags,
        *present(np, "shape ndim size iscomplexobj isrealobj isscalar result_type can_cast promote_types common_type"),
        *present(np, "min_scalar_type mintypecode issubdtype isdtype typename finfo iinfo dtype"),
        *present(np, "broadcast_shapes isfortran"),
        *present(np.ndarray, "__dlpack_device__"), *present(np.generic, "setflags __dlpack_device__"),
    ]  # fmt: skip


# ---- the table -------------------------------------------------------------------------------------

_MOVES = (
    "append array asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray astype block broadcast_arrays "
    "byteswap choose column_stack compress concatenate copy delete diag diag_indices diag_indices_from diagflat dstack "
    "empty empty_like extract eye flatten full full_like getfield hstack identity indices insert item ix_ meshgrid "
    "ones ones_like pad repeat require resize roll row_stack stack take take_along_axis tile to_device tobytes tolist "
    "view vstack zeros zeros_like packbits unpackbits"
)
_COUNTED = {
    1: "arange tri",  # a sum; a comparison
    2: "linspace",  # a product and a sum
    3: "geomspace logspace",  # the same, and a power
    6: "hamming hanning",
    7: "bartlett",
    9: "kaiser",
    11: "blackman",
}
"""Functions that make sequences, by the operations for each element."""


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = dict.fromkeys([*VIEWS, *_free_functions()], _nothing)
    for kind in _KINDS:
        made.update(dict.fromkeys(present(kind, _MOVES), _nothing))
    made.update(dict.fromkeys(present(np.generic, "diagonal ravel reshape squeeze swapaxes transpose"), _nothing))
    numbers = [builtins.int, builtins.float, builtins.complex, builtins.bool, operator.index, operator.truth]
    made.update(dict.fromkeys([*numbers, operator.not_, *_scalar_types()], _nothing))
    made.update(dict.fromkeys([getattr, operator.getitem, np.ndarray.__getitem__], _nothing))
    made.update(dict.fromkeys([steps.flat_item, steps.copy_of, np.fft.fftshift, np.fft.ifftshift], _nothing))
    for times, names in _COUNTED.items():
        made.update(dict.fromkeys(present(np, names), each(times)))
    made.update(dict.fromkeys((np.tril, np.triu), _triangle))
    made.update({np.pad: _pad, np.ravel_multi_index: _flat_index, np.unravel_index: _multi_index})
    return made


def _scalar_types() -> list[Any]:
    """Classes of NumPy's scalars, called to convert."""
    return [kind for kind in vars(np).values() if isinstance(kind, type) and issubclass(kind, np.generic)]
