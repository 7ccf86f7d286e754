"""NumPy functions that write into an argument: a table from the function to the argument it writes.

`out=` of any function and the in-place operators are known without a table.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .steps import set_shape

Writer = Callable[[tuple[Any, ...], Mapping[str, Any]], Any]


def _argument(position: int, name: str) -> Writer:
    def written(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        return args[position] if len(args) > position else kwargs.get(name)

    return written


def _positional_out(inputs: int) -> Writer:
    """A ufunc's outputs may also be given by position, after its inputs."""

    def written(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        outs = tuple(a for a in args[inputs:] if a is not None)
        return outs if len(outs) > 1 else outs[0] if outs else None

    return written


def _unless_copied(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`np.nan_to_num(x, copy=False)` writes its argument."""
    copied = args[1] if len(args) > 1 else kwargs.get("copy", True)
    return args[0] if copied is False and args else None


def _if_in_place(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`x.byteswap(inplace=True)` writes its array."""
    in_place = args[1] if len(args) > 1 else kwargs.get("inplace", False)
    return args[0] if in_place and args else None


_FIRST = _argument(0, "self")

RESHAPING = frozenset({set_shape, np.ndarray.resize})
"""Writers that change an array's shape."""
WRITERS: dict[Any, Writer] = {
    operator.setitem: _FIRST,
    np.nan_to_num: _unless_copied,
    np.copyto: _argument(0, "dst"),
    np.put: _argument(0, "a"),
    np.place: _argument(0, "arr"),
    np.putmask: _argument(0, "a"),
    np.fill_diagonal: _argument(0, "a"),
    np.put_along_axis: _argument(0, "arr"),
    np.ndarray.sort: _FIRST,
    np.ndarray.__setitem__: _FIRST,
    np.ndarray.__iadd__: _FIRST,
    np.ndarray.__isub__: _FIRST,
    np.ndarray.__imul__: _FIRST,
    np.ndarray.__itruediv__: _FIRST,
    np.ndarray.partition: _FIRST,
    np.ndarray.fill: _FIRST,
    np.ndarray.put: _FIRST,
    np.ndarray.resize: _FIRST,
    np.ndarray.setfield: _FIRST,
    np.ndarray.byteswap: _if_in_place,
    **({np.ndarray.itemset: _FIRST} if hasattr(np.ndarray, "itemset") else {}),
    **{
        function: _positional_out(function.nin)
        for function in vars(np).values()
        if isinstance(function, np.ufunc)
    },
    **{
        function.at: _FIRST
        for function in vars(np).values()
        if isinstance(function, np.ufunc)
    },
}  # fmt: skip

BY_NAME: dict[tuple[str, str], Writer] = {
    ("numpy.ma", "put"): _argument(0, "a"),
    ("numpy.ma", "putmask"): _argument(0, "a"),
    ("numpy.lib", "assign_fields_by_name"): _argument(0, "dst"),
    ("numpy.lib", "recursive_fill_fields"): _argument(1, "output"),
}
"""Writers of modules that are imported when a program wants them, by the beginning of the module's name and theirs."""


def writer_of(function: Any) -> Writer | None:
    """What a function writes, of all that are known by a table; the in-place operators write their first argument."""
    if isinstance(function, np.ufunc):
        return _positional_out(function.nin)
    return WRITERS.get(function) or writer_by_name(function)


def writer_by_name(function: Any) -> Writer | None:
    """What a function writes that is known by its name."""
    package = ".".join(str(getattr(function, "__module__", "")).split(".")[:2])
    return BY_NAME.get((package, getattr(function, "__name__", "")))
