"""Dtypes, classes and structure of results, asked of NumPy itself: the function is run on arrays of one element.

What a result is (an array or a scalar, which dtype, which named tuple) depends on the dtypes and ranks of the
operands, on Python's numbers among them, and on the version of NumPy.  Nothing is as exact as the function itself, and
on arrays of one element, which broadcast with everything, it costs nothing; answers are kept.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .abstract import Abstract, Reason, Unknown
from .size import Size

Function = Callable[..., Any]

LEGACY = int(np.__version__.split(".", maxsplit=1)[0]) < 2
"""NumPy before 2.0 looks at the values of scalars and arrays without dimensions to find a result's dtype."""
_OTHER_VALUES = (np.max, np.min, 2)
"""Other values that scalars could have: the largest and the smallest of their dtype."""
_POWERS = (operator.pow, operator.ipow)
"""`x ** 2` is a square, of which the dtype may be another one than that of `x ** 3`."""
_KEPT: dict[Any, Any] = {}
_MOST = 8192


def probe(function: Function, args: tuple[Any, ...], kwargs: dict[str, Any], size: int = 1) -> Any:
    """The result's tree with an `Abstract` for each array or scalar; other leaves are as the function gave them.

    Every array operand is replaced by one of the same rank and dtype with `size` elements along each axis.
    Raises what the function raises.
    """
    key: Any = None
    try:
        key = (function, size, tuple([_described(a) for a in args]), _described(kwargs) if kwargs else None)
        known = _KEPT.get(key)
    except TypeError:  # something that cannot be hashed
        key = known = None
    if known is not None:
        return known[0]
    found = _asked(function, args, kwargs, size)
    if key is not None:
        if len(_KEPT) >= _MOST:
            _KEPT.clear()
        _KEPT[key] = (found,)
    return found


def _asked(function: Function, args: tuple[Any, ...], kwargs: dict[str, Any], size: int) -> Any:
    found = _run(function, args, kwargs, size, 1)
    values = _OTHER_VALUES if LEGACY else (2,) if function in _POWERS else ()
    if values and _scalars_meet_arrays((*args, *kwargs.values())):
        for value in values:
            try:
                same = _run(function, args, kwargs, size, value) == found
            except (TypeError, ValueError, OverflowError):
                same = False
            if not same:
                raise Unknown(Reason.CONTENTS, "the value of a scalar decides the dtype")
    return found


def _run(function: Function, args: tuple[Any, ...], kwargs: dict[str, Any], size: int, fill: Any) -> Any:
    operands = [stand_in(a, size, fill) for a in args]
    named = {k: stand_in(v, size, fill) for k, v in kwargs.items()}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return abstracted(function(*operands, **named))


def _scalars_meet_arrays(values: tuple[Any, ...]) -> bool:
    """Whether scalars of unknown value meet arrays."""
    arrays = [v for v in values if isinstance(v, Abstract)]
    return any(not v.shape for v in arrays) and any(v.shape for v in arrays)


def stand_in(value: Any, size: int = 1, fill: Any = 1) -> Any:
    """What takes an operand's place: arrays of `size` elements along each axis, containers of them."""
    kind = type(value)
    if kind is Abstract:
        made = _filled((size,) * len(value.shape), value.dtype, fill if not value.shape else 1)
        return made[()] if value.scalar else made
    if kind is np.ndarray:
        return value.copy() if not value.ndim else _filled((size,) * value.ndim, value.dtype, 1)
    if kind is Size:
        return value.hint
    if kind is tuple or kind is list:
        return kind([stand_in(v, size, fill) for v in value])
    if kind is dict:
        return {k: stand_in(v, size, fill) for k, v in value.items()}
    if kind is slice:
        return slice(*(stand_in(v, size, fill) for v in (value.start, value.stop, value.step)))
    return value


def _filled(shape: tuple[int, ...], dtype: np.dtype[Any], fill: Any) -> Any:
    if dtype.kind in "VU" or dtype.kind not in "biufc":
        made = np.zeros(shape, dtype)
        if dtype.kind in "OSU":
            made[...] = 1
        return made
    if fill != 1:
        info: Any = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype) if dtype.kind in "fc" else None
        if fill in (np.max, np.min):
            fill = 1 if info is None else info.max if fill is np.max else info.min
    return np.full(shape, fill, dtype)


def abstracted(result: Any) -> Any:
    """A result with an `Abstract` in the place of each array and NumPy scalar."""
    kind = type(result)
    if isinstance(result, np.ndarray):
        return Abstract(result.shape, result.dtype)
    if isinstance(result, np.generic):
        return Abstract((), result.dtype, True)
    if kind is tuple or kind is list:
        return kind([abstracted(part) for part in result])
    if hasattr(result, "_fields"):
        return kind(*[abstracted(part) for part in result])
    return result


def dressed(like: Any, shapes: Any) -> Any:
    """What `probe` gave, with these shapes: a tuple is a shape, a list the shapes of a result's parts."""
    kind = type(like)
    if kind is Abstract:
        if like.scalar and like.dtype.kind in "OSU":
            raise Unknown(Reason.CONTENTS, "a scalar is a plain object, or as long as its text")
        return like if shapes == () else Abstract(shapes, like.dtype, like.scalar)
    if like is None:
        return None
    if isinstance(like, (tuple, list)):
        parts = [dressed(part, shape) for part, shape in zip(like, shapes, strict=False)]
        return kind(*parts) if hasattr(like, "_fields") else kind(parts)
    raise Unknown(Reason.CONTENTS)


def dtype_of(function: Function, *args: Any, **kwargs: Any) -> np.dtype[Any]:
    """The dtype of the array or scalar that the function gives."""
    found = probe(function, args, kwargs)
    if type(found) is not Abstract:
        raise Unknown(Reason.CONTENTS)
    return found.dtype


# ---- what tells two calls apart --------------------------------------------------------------------


def _described(value: Any) -> Any:
    kind = type(value)
    if kind is Abstract:
        return (value.dtype, len(value.shape), value.scalar)
    if kind is Size:
        return (int, value.hint)
    if kind is tuple or kind is list:
        return (kind, tuple([_described(v) for v in value]))
    if kind is np.ndarray:
        return (value.dtype, value.ndim, value.item() if not value.ndim else None)
    if kind is dict:
        return (dict, tuple([(k, _described(v)) for k, v in value.items()]))
    if kind is slice:
        return (slice, _described(value.start), _described(value.stop), _described(value.step))
    return (kind, value)


# ---- rules -----------------------------------------------------------------------------------------

Rule = Callable[..., Any]
ShapeRule = Callable[..., Any]


def probed(shape_rule: ShapeRule, size: int = 1, operands: int = 0) -> Callable[[Function], Rule]:
    """Rules of functions for which `shape_rule`, called with the same arguments, says the shapes of the result.

    Of the first `operands` arguments lists are taken for the arrays that they are: beside arrays of one element their
    lengths would not fit.
    """

    def rule_of(function: Function) -> Rule:
        def rule(*args: Any, **kwargs: Any) -> Any:
            if operands:
                args = (*[listed(a) for a in args[:operands]], *args[operands:])
                kwargs = {k: listed(v) if k in _DATA else v for k, v in kwargs.items()}
            like = probe(function, args, kwargs, size)
            return dressed(like, shape_rule(*args, **kwargs))

        return rule

    return rule_of


_DATA = frozenset({"weights", "fweights", "aweights", "x", "y", "xp", "fp", "w", "b", "v"})
"""The names of arguments that are data."""


def listed(value: Any) -> Any:
    """A list of numbers as the array that it is."""
    if type(value) is list or type(value) is tuple:
        like = probe(np.asarray, (value,), {})
        return Abstract(like.shape, like.dtype) if not _holds_arrays(value) else value
    return value


def _holds_arrays(value: Any) -> bool:
    return any(
        _holds_arrays(v) if isinstance(v, (list, tuple)) else isinstance(v, (Abstract, np.ndarray)) for v in value
    )
