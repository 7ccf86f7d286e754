"""Abstract arrays: `spec(shape, dtype)` stands for an array of which only shape and dtype are known."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Spec:
    """An array's shape and dtype without contents; `names` names its dimensions where they have names."""

    shape: tuple[int, ...]
    dtype: Any
    """NumPy's, or that of the library whose tensor it stands for (`standing`)."""
    names: tuple[str | None, ...]
    given: Any = None
    """The dtype as it was given: as an object, or as a word."""


class OpenSpec:
    """`spec("b 4")` without the size of b: an annotation may say so, an example may not.

    No dataclass, as those are taken apart where they are arguments.
    """

    __slots__ = ("dtype", "sizes", "text")

    def __init__(self, text: str, dtype: np.dtype[Any], sizes: Mapping[str, int]) -> None:
        self.text = text
        self.dtype = dtype
        self.sizes = sizes
        """The sizes that are given."""

    def __repr__(self) -> str:
        return f"spec({self.text!r})"

    @property
    def problem(self) -> str:
        """Why it cannot be an argument, in words."""
        missing = [word for word in words(self.text) if not word.isdigit() and word not in self.sizes]
        return f"{self!r}: give the size of {', '.join(missing)}, as in spec({self.text!r}, {missing[0]}=3)"


def spec(shape: tuple[int, ...] | int | str, dtype: Any = None, **sizes: int) -> Any:
    """An abstract example, or the shape of an annotated parameter.

    `spec((3, 4), "float32")` gives sizes; `spec("b 4", b=3)` names dimensions and gives their sizes.  In an
    annotation (`Annotated[np.ndarray, spec("b 4")]`) sizes may be left out: then they are chosen.  It stands for
    an array, or for a tensor (`standing`); without a dtype its elements are NumPy's or the library's usual floats.
    Raises ValueError for words that are neither numbers nor names, and for negative sizes.
    """
    if not isinstance(shape, str):
        given = shape if isinstance(shape, Iterable) else (shape,)
        numbers = tuple(operator.index(size) for size in given)
        return Spec(_checked(numbers, f"spec({shape!r})"), _dtype(dtype), (None,) * len(numbers), dtype)
    wrong = [word for word in words(shape) if not word.isdigit() and not word.isidentifier()]
    if wrong:
        raise ValueError(f"spec({shape!r}): {wrong[0]!r} is neither a size nor the name of a dimension")
    if any(not word.isdigit() and word not in sizes for word in words(shape)):
        return OpenSpec(shape, _dtype(dtype), sizes)
    numbers = tuple(int(word) if word.isdigit() else operator.index(sizes[word]) for word in words(shape))
    names = tuple(None if word.isdigit() else word for word in words(shape))
    return Spec(_checked(numbers, f"spec({shape!r})"), _dtype(dtype), names, dtype)


def _dtype(given: Any) -> Any:
    """NumPy's dtype; that of another library as it is."""
    try:
        return np.dtype(given)  # of None, float64
    except TypeError:
        if type(given).__name__ != "dtype":
            raise
        return given


def words(shape: str) -> list[str]:
    """The dimensions of `b 4` or `b, 4`, as they are written."""
    return [word for word in re.split(r"[\s,]+", shape) if word]


def _checked(sizes: tuple[int, ...], written: str) -> tuple[int, ...]:
    if any(size < 0 for size in sizes):
        raise ValueError(f"{written}: a size is negative")
    return sizes
