"""Looks at the state around a call, before and after: what changed without any store being seen.

A fingerprint is taken of the workspace's module globals, of a method's object and of the random states.  What
cannot be pickled, or is large, is passed over.
"""

from __future__ import annotations

import hashlib
import pickle
import random
import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import libraries
from .effects import is_workspace
from .outside import RANDOM_STATE

_LARGEST = 1 << 20
_PLAIN = (bool, int, float, complex, str, list, dict, set, deque, bytearray, np.ndarray)


def fingerprint(function: Callable[..., Any]) -> dict[str, bytes]:
    """A digest of each piece of state that a call could change, by the name the user has for it."""
    return {label: digest for label, value in _state(function) if (digest := _digest(value)) is not None}


def differences(before: dict[str, bytes], after: dict[str, bytes]) -> tuple[str, ...]:
    return tuple(sorted(label for label in before.keys() | after.keys() if before.get(label) != after.get(label)))


def _state(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    for module in list(sys.modules.values()):
        if is_workspace(module):
            for name, value in list(vars(module).items()):
                if not name.startswith("__") and _is_data(value):
                    yield name, value
    owner = getattr(function, "__self__", None if hasattr(function, "__code__") else function)
    if hasattr(owner, "__dict__"):
        yield "self", vars(owner)
    drawn = [library.random_state().tolist() for library in libraries.LIBRARIES]
    yield RANDOM_STATE, (random.getstate(), np.random.get_state(legacy=True), drawn)


def _is_data(value: Any) -> bool:
    if libraries.is_array(value):
        return bool(value.nbytes <= _LARGEST)
    return isinstance(value, _PLAIN) or is_workspace(sys.modules.get(type(value).__module__))


def _digest(value: Any) -> bytes | None:
    try:
        body = pickle.dumps(value, protocol=4)
    except Exception:  # noqa: BLE001  # what refuses to be pickled is passed over
        return None
    return hashlib.blake2b(body, digest_size=16).digest() if len(body) <= _LARGEST else None
