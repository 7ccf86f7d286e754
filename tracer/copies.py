"""Copies of arguments: a run must never change what it was given."""

from __future__ import annotations

import copy
from types import GeneratorType
from typing import Any

import numpy as np

from .trees import map_leaves


def copy_tree(value: Any) -> Any:
    """Containers and arrays anew, other leaves as they are, unless they can be copied."""
    return map_leaves(value, lambda leaf, _: leaf.copy() if isinstance(leaf, np.ndarray) else _copied(leaf))


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
