"""Arrays as Python text: by their contents where these are few, else by a constructor that gives what is like them.

What is kept is shape and dtype, always, and of contents what is likely to matter: that they are constant, evenly
spaced, whole numbers of some range, positive.  NumPy is handed in, as it is the user's.
"""

from __future__ import annotations

import math
from typing import Any

FEW = 12
"""Elements that are spelled out."""
LONGEST = 8
"""Characters of an element that is spelled out; a measured value says no more than a random one."""
MOST = 100_000
"""Elements above which an array is abstract: of a `spec` nothing but shape and dtype is ever looked at."""
_USUAL = ("float64", "int64", "bool", "complex128")


def array_kind(array: Any) -> str:
    """`float64[2, 3]`."""
    return f"{array.dtype.name}[{', '.join(map(str, array.shape))}]"


def array_text(array: Any, numpy: Any) -> str | None:
    """The text that makes an array like this one; None for dtypes other than numbers and truth values."""
    name = array.dtype.name
    if array.dtype.kind not in "biufc" or name in ("longdouble", "float128", "clongdouble", "complex256"):
        return None
    if array.size > MOST:
        return f'spec({_shape(array)}, "{name}")'
    with numpy.errstate(all="ignore"):
        return _spelled(array) or _regular(array, numpy) or _alike(array, numpy)


def scalar_text(value: Any) -> str:
    """A number of Python's or NumPy's; `str` is the shortest text that gives it back."""
    kind = value.dtype.kind if hasattr(value, "dtype") else "c" if type(value) is complex else "f"
    if kind == "c" and not (math.isfinite(value.real) and math.isfinite(value.imag)):
        return f"complex({scalar_text(float(value.real))}, {scalar_text(float(value.imag))})"
    if kind == "f" and not math.isfinite(value):
        return "np.nan" if value != value else "np.inf" if value > 0 else "-np.inf"
    return str(value)


def _shape(array: Any) -> str:
    return str(array.shape[0]) if array.ndim == 1 else str(array.shape)


def _typed(text: str, array: Any) -> str:
    return text if array.dtype.name in _USUAL else f'{text}.astype("{array.dtype.name}")'


def _dtype(array: Any, usual: str = "float64") -> str:
    return "" if array.dtype.name == usual else f', dtype="{array.dtype.name}"'


def _spelled(array: Any) -> str | None:
    """All of a few elements that are short; those of a constructor are shorter by it."""
    if not array.size:
        return f"np.zeros({_shape(array)}{_dtype(array)})"
    if array.size > FEW or any(len(scalar_text(one)) > LONGEST for one in array.flat):
        return None
    if array.size > 2 and array.ndim and (is_constant(array) or is_counted(array)):
        return None
    return f"np.array({nested(array)}{'' if array.dtype.name in _USUAL else _dtype(array)})"


def nested(array: Any) -> str:
    if array.ndim == 0:
        return scalar_text(array[()])
    return f"[{', '.join(nested(row) for row in array)}]" if array.ndim > 1 else f"[{_items(array)}]"


def _items(row: Any) -> str:
    return ", ".join(scalar_text(one) for one in row)


def is_counted(array: Any) -> bool:
    """Whether each element is one more than the one before, from a whole number on."""
    if array.ndim != 1 or array.dtype.kind not in "iuf" or len(array) < 4 or array[0] != round(float(array[0])):
        return False
    return bool((array[1:] - array[:-1] == 1).all())


def is_constant(array: Any) -> bool:
    return bool((array == array.flat[0]).all())


def _regular(array: Any, numpy: Any) -> str | None:
    """Constant or evenly spaced contents, and the identity."""
    if array.size and is_constant(array):
        first = array.flat[0]
        if array.dtype.kind != "b" and first in (0, 1):
            return f"np.{'ones' if first else 'zeros'}({_shape(array)}{_dtype(array)})"
        return f"np.full({_shape(array)}, {scalar_text(first)}{'' if array.dtype.name in _USUAL else _dtype(array)})"
    if array.ndim == 2 and array.shape[0] == array.shape[1] and (array == numpy.eye(len(array))).all():
        return f"np.eye({len(array)}{_dtype(array)})"
    if array.ndim == 1 and array.dtype.kind in "iuf":
        return _spaced(array, numpy)
    return None


def _spaced(array: Any, numpy: Any) -> str | None:
    first, last, count = array[0], array[-1], len(array)
    if is_counted(array):
        start, end = scalar_text(first), scalar_text(last + 1)
        return f"np.arange({end if first == 0 else f'{start}, {end}'}{_told_by(array, end)})"
    if array.dtype.kind != "f" or not (array == numpy.linspace(first, last, count).astype(array.dtype)).all():
        return None
    return f"np.linspace({scalar_text(first)}, {scalar_text(last)}, {count}{_dtype(array)})"


def _told_by(array: Any, end: str) -> str:
    """The dtype of `arange`, unless its bounds tell it."""
    return _dtype(array, "float64" if "." in end else "int64")


def _alike(array: Any, numpy: Any) -> str:
    """Random contents within the bounds of these."""
    draw = "np.random.default_rng(0)"
    kind, shape = array.dtype.kind, _shape(array)
    if kind == "b":
        return f"{draw}.random({shape}) < 0.5"
    if kind == "c":
        return _typed(f"np.exp(6j * {draw}.random({shape}))", array)
    if kind in "iu":
        return _typed(f"{draw}.integers({int(array.min())}, {int(array.max()) + 1}, {shape})", array)
    finite = array[numpy.isfinite(array)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    drawn = f"{draw}.standard_normal({shape})" if low < 0 else f"{draw}.random({shape})"
    scale = power_of_ten(max(-low, high) / 3 if low < 0 else high)
    if scale == 1:
        return _typed(drawn, array)
    scaled = f"{scale:g} * {drawn}"
    return scaled if array.dtype.name in _USUAL else _typed(f"({scaled})", array)


def power_of_ten(bound: float) -> float:
    """The one that reaches a bound; 1 where that is about 1, or no bound."""
    if not 0 < bound < 1e300 or 0.1 <= bound <= 1.5:
        return 1.0
    return float(10.0 ** math.ceil(math.log10(bound)))
