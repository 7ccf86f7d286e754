"""Copies of arguments and of captured arrays: a run must never change what it was given.

Arrays that share memory have copies that share it, too.
"""

from __future__ import annotations

import copy
from types import GeneratorType
from typing import Any

import numpy as np

from .trees import map_leaves


def copy_tree(value: Any) -> Any:
    """Containers and arrays anew, other leaves as they are, unless they can be copied."""
    owners: dict[int, Any] = {}
    return map_leaves(
        value, lambda leaf, _: copy_array(leaf, owners) if isinstance(leaf, np.ndarray) else _copied(leaf)
    )


def _copied(leaf: Any) -> Any:
    if not hasattr(leaf, "__dict__") or (callable(leaf) and isinstance(leaf, type)):
        return leaf
    try:
        return copy.deepcopy(leaf)
    except Exception:  # noqa: BLE001  # what cannot be copied is shared
        return leaf


def settled(value: Any) -> Any:
    """A call's result, a generator's as the list of what it yields."""
    return list(value) if isinstance(value, GeneratorType) else value


_SMALL = 1 << 20


def copy_array(array: Any, owners: dict[int, Any]) -> Any:
    """A copy; of a view, the same view of the copy of the array that owns the memory (kept in `owners`)."""
    owner = owner_of(array)
    if type(array) is not np.ndarray:
        return np.array(array)
    if type(owner) is not np.ndarray or owner.base is not None or owner.nbytes > max(_SMALL, 16 * array.nbytes):
        return array.copy()  # memory of something else, or a small window into a large one
    if id(owner) not in owners:
        owners[id(owner)] = owner.copy(order="K")
    mine = owners[id(owner)]
    if owner is array:
        return mine
    if mine.strides != owner.strides:
        return array.copy()
    offset = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    return np.ndarray(array.shape, array.dtype, mine, offset, array.strides)


def owner_of(array: Any) -> Any:
    """The array that owns the memory of another."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
