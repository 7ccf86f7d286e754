"""Copies of arguments and of captured arrays: a run must never change what it was given.

Arrays that share memory have copies that share it, too.
"""

from __future__ import annotations

import copy
from types import GeneratorType
from typing import Any

import numpy as np

from . import libraries
from .trees import map_leaves


def copy_tree(value: Any) -> Any:
    """Containers and arrays anew, other leaves as they are, unless they can be copied."""
    owners: dict[Any, Any] = {}
    return map_leaves(value, lambda leaf, _: copy_array(leaf, owners) if libraries.is_array(leaf) else _copied(leaf))


def _copied(leaf: Any) -> Any:
    if not hasattr(leaf, "__dict__") or (callable(leaf) and isinstance(leaf, type)):
        return libraries.copied(leaf)
    try:
        return copy.deepcopy(leaf)
    except Exception:  # noqa: BLE001  # what cannot be copied is shared
        return leaf


def settled(value: Any) -> Any:
    """A call's result, a generator's as the list of what it yields."""
    value = list(value) if isinstance(value, GeneratorType) else value
    return map_leaves(value, lambda leaf, _: _settled(leaf)) if libraries.LIBRARIES else value


def _settled(leaf: Any) -> Any:
    library = libraries.of(leaf)
    return leaf if library is None else library.settled(leaf)


_SMALL = 1 << 20


def copy_array(array: Any, owners: dict[Any, Any]) -> Any:
    """A copy; of a view, the same view of the copy of the array that owns the memory (kept in `owners`)."""
    library = libraries.of(array)
    if library is not None:
        return library.copy(array, owners)
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


def memory_of(array: Any) -> Any:
    """What two arrays have in common if a write into one can change the other."""
    library = libraries.of(array)
    return id(owner_of(array)) if library is None else library.memory(array)
