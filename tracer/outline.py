"""What a graph takes for granted of its arguments besides arrays and numbers: containers, functions, slices, classes.

A graph has the items that the example's containers had, and calls what it was given: other lengths, keys or functions
make another graph.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from .trees import Path, children, is_container, is_record, spell

_FIXED = (
    FunctionType, BuiltinFunctionType, MethodType, np.ufunc, functools.partial, type, slice, np.dtype, range, bytes,
    type(None), type(...),
)  # fmt: skip
"""Arguments that cannot carry an origin: the graph has them as they were."""


def outlines(arguments: Mapping[str, Any]) -> Iterator[tuple[Path, Any, str]]:
    """For each container and each argument of `_FIXED`: the way to it, its outline, and that as a condition."""
    for name, value in arguments.items():
        yield from _outlines((name,), value)


def outline(value: Any) -> Any:
    """What two values must have in common for one graph: the keys, the number of items, or the value itself."""
    if isinstance(value, dict):
        return list(value)
    if isinstance(value, (list, tuple, deque)):
        return len(value)
    return value


def agree(found: Any, expected: Any) -> bool:
    """Whether an outline is the example's."""
    try:
        return found is expected or (type(found) is type(expected) and bool(found == expected))
    except Exception:  # noqa: BLE001  # a user's __eq__ may do anything; what cannot be compared differs
        return False


def _outlines(path: Path, value: Any) -> Iterator[tuple[Path, Any, str]]:
    if is_container(value):
        if isinstance(value, dict):
            yield path, outline(value), f"list({spell(path)}) == {list(value)!r}"
        elif not is_record(value):
            yield path, outline(value), f"len({spell(path)}) == {len(value)}"
        for step, child in children(value):
            yield from _outlines((*path, step), child)
    elif isinstance(value, _FIXED):
        name = getattr(value, "__name__", repr(value))
        yield path, value, f"{spell(path)} is {name}"
