"""What is no function in Python or NumPy but a step of a graph: attributes read and set, parts, sizes.

As functions they can be called by a node; `printing` writes them as the user does.
"""

from __future__ import annotations

from typing import Any


def size_of(array: Any, axis: int) -> int:
    """The size of one axis (`array.shape[axis]`), as a function, so that it can be a node."""
    size: int = array.shape[axis]
    return size


def set_shape(array: Any, shape: Any) -> None:
    """`array.shape = shape`, as a function, so that it can be a node."""
    array.shape = shape


def set_part(array: Any, part: str, value: Any) -> None:
    """`array.real = value` or `array.imag = value`, as a function, so that it can be a node."""
    setattr(array, part, value)


def flat_item(array: Any, key: Any) -> Any:
    """`array.flat[key]`, as a function, so that it can be a node."""
    return array.flat[key]


def set_flat_item(array: Any, key: Any, value: Any) -> None:
    """`array.flat[key] = value`, as a function, so that it can be a node."""
    array.flat[key] = value


def count_of_range(*args: int) -> int:
    """How often a loop over `range(*args)` runs (`len(range(*args))`)."""
    return len(range(*args))


def copy_of(array: Any) -> Any:
    """`array.copy()`, as a function, so that it can be a node."""
    return array.copy()
