"""The arrays that recipes take, by role: a pool holds one array for each, of a dtype and of sizes n and m.

Contents are generated from positions alone: two pools of the same arguments are equal, and nothing is
constant along an axis.  Values are small, so that no sum overflows and most functions stay in their domain.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Pool = dict[str, Any]

NUMBERS = ("?", "b", "B", "h", "H", "i", "I", "q", "Q", "e", "f", "d", "g", "F", "D", "G", ">f8")
OTHERS = ("M8[D]", "M8[s]", "m8[s]", "U6", "S6")
DTYPES = NUMBERS + OTHERS

LAYOUTS = ("contiguous", "fortran", "strided", "reversed", "unaligned")

IN_DTYPE: dict[str, Callable[[int, int], tuple[int, ...]]] = {
    "x": lambda n, m: (n, m),
    "q": lambda n, m: (n, m),  # positive
    "o": lambda n, m: (n, m),  # with values missing, where the dtype can say so
    "w": lambda n, m: (m, n),
    "s": lambda n, _: (n, n),  # symmetric, positive definite
    "r": lambda n, _: (n, n),  # well conditioned
    "t": lambda n, m: (2, n, m),
    "v": lambda n, _: (n,),
    "p": lambda n, _: (n,),  # positive
    "y": lambda _, m: (m,),
    "c": lambda *_: (),
}
"""The roles whose dtype is the pool's, and their shapes."""

_WORDS = ("Lorem", " ipsum", "d0lor", "42", "SIT ", "a\tb", "amet", "Ab Cd", "7,5", "", "xyx")


def pool(dtype: str, n: int, m: int, layout: str = "contiguous", variant: int = 0) -> Pool:
    """One array for each role, anew; another `variant` has other contents.

    Besides the roles of IN_DTYPE: `k` indices (n,) for an axis of n or m, `g` bool (n,), `b` bool (n, m), `i` int64
    and `f` float64 and `z` complex128 (n, m), `h` float64 (m + 1,) ascending, `u` strings, `e` dates and
    `l` durations (n, m), `d` records (n,) with a field of the dtype.
    """
    return {role: arranged(array, layout) for role, array in _contents(dtype, n, m, variant).items()}


def take(roles: Sequence[str], dtype: str, n: int, m: int, layout: str = "contiguous", variant: int = 0) -> list[Any]:
    """Some roles of a pool, anew."""
    made = _contents(dtype, n, m, variant)
    return [arranged(made[role], layout) for role in roles]


@functools.cache
def _contents(dtype: str, n: int, m: int, variant: int) -> Pool:
    made: Pool = {}
    for shift, (role, shape) in enumerate(IN_DTYPE.items(), start=4 * variant):
        made[role] = _array(np.dtype(dtype), shape(n, m), shift, positive=role in "qp")
    made["o"] = _with_gaps(made["o"])
    if np.dtype(dtype).kind in "biufc":
        made["s"] = _definite(made["s"])
        made["r"] = _conditioned(made["r"])
    fixed = {"b": "?", "i": "i8", "f": "f8", "z": "c16", "u": "U6", "e": "M8[D]", "l": "m8[D]"}
    for shift, (role, kind) in enumerate(fixed.items(), start=5 + 4 * variant):
        made[role] = _array(np.dtype(kind), (n, m), shift)
    made["k"] = np.array([(2 * i + i // 3 + 1 + variant) % max(min(n, m), 1) for i in range(n)], dtype=np.intp)
    made["g"] = np.arange(n) % 3 != 1 + variant
    made["h"] = np.cumsum(np.linspace(0.5, 1.0, m + 1)) - 2.0 - variant
    made["d"] = _records(made["v"])
    return made


def zero_dimensional(dtype: str) -> Pool:
    """Every role as a 0-d array."""
    return {role: np.array(array[(0,) * array.ndim]) for role, array in _contents(dtype, 2, 3, 0).items()}


def scalars(dtype: str) -> Pool:
    """Every role as a NumPy scalar."""
    return {role: array[(0,) * array.ndim] for role, array in _contents(dtype, 2, 3, 0).items()}


def python_scalars(dtype: str) -> Pool:
    """Every role as a Python scalar."""
    return {role: array[(0,) * array.ndim].item() for role, array in _contents(dtype, 2, 3, 0).items()}


def arranged(array: Array, layout: str) -> Array:
    """A copy with the same contents, in another order in memory."""
    if layout == "fortran":
        return array.copy("F")
    if layout == "strided" and array.ndim:
        wide = np.zeros([2 * size + 1 for size in array.shape], array.dtype)
        view = wide[tuple(slice(1, 2 * size + 1, 2) for size in array.shape)]
        view[...] = array
        return view
    if layout == "reversed" and array.ndim:
        back = (slice(None, None, -1),) * array.ndim
        return array[back].copy()[back]
    if layout == "unaligned" and array.dtype.itemsize > 1 and not array.dtype.hasobject:
        view = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
        view[...] = array
        return view
    return array.copy()


def _array(dtype: np.dtype[Any], shape: tuple[int, ...], shift: int, positive: bool = False) -> Array:
    places = np.arange(int(np.prod(shape)))
    steps = (places * 7 + shift * 3) % 11 + (1 if positive else 0)
    if dtype.kind in "USTO":
        return np.array([_WORDS[s % len(_WORDS)] for s in steps], dtype=dtype).reshape(shape)
    if dtype.kind == "b":
        return np.not_equal(steps % 3, 0).reshape(shape)
    if dtype.kind in "uM":
        return steps.astype("i8").astype(dtype).reshape(shape)
    signed = steps if positive else steps - 4
    if dtype.kind in "im":
        return signed.astype(dtype).reshape(shape)
    values = signed * (0.125 if positive else 0.3125)
    if dtype.kind == "c":
        return (values + 1j * ((places * 5 + shift) % 7 - 3) * 0.25).astype(dtype).reshape(shape)
    return values.astype(dtype).reshape(shape)


def _with_gaps(array: Array) -> Array:
    if array.dtype.kind in "fcmM" and array.size:
        array.flat[:: 3 if array.size > 2 else 1] = np.array("nat" if array.dtype.kind in "mM" else "nan", array.dtype)
    return array


def _definite(array: Array) -> Array:
    if array.dtype.kind == "b":
        return np.eye(len(array), dtype=bool)
    size = len(array)
    near = np.subtract.outer(np.arange(size), np.arange(size))
    return (np.where(near == 0, 4, 0) + np.where(abs(near) == 1, 1, 0)).astype(array.dtype)


def _conditioned(array: Array) -> Array:
    if array.dtype.kind == "b":
        return np.tri(len(array), dtype=bool)
    return (array + 9 * np.eye(len(array), dtype=array.dtype)).astype(array.dtype)


def _records(values: Array) -> Array:
    made = np.zeros(values.shape, [("a", values.dtype), ("b", "<i4")])
    made["a"], made["b"] = values, np.arange(values.size) % 5
    return made
