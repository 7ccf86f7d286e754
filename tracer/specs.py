"""Abstract examples: `spec(shape, dtype)` stands for an array of which only shape and dtype are known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Spec:
    """An array's shape and dtype without contents; `names` names its dimensions where they have names."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    names: tuple[str | None, ...]


def spec(shape: tuple[int, ...] | int | str, dtype: Any = "float64", **sizes: int) -> Spec:
    """An abstract example.

    `spec((3, 4), "float32")` gives sizes; `spec("b 4", b=3)` names dimensions and gives their sizes.
    Raises ValueError where a named dimension has no size.
    """
    if isinstance(shape, str):
        words = re.split(r"[\s,]+", shape.strip()) if shape.strip() else []
        missing = [w for w in words if not w.isdigit() and w not in sizes]
        if missing:
            raise ValueError(
                f"spec({shape!r}): give the size of {', '.join(missing)}, as in spec({shape!r}, {missing[0]}=3)"
            )
        numbers = tuple(int(w) if w.isdigit() else sizes[w] for w in words)
        return Spec(numbers, np.dtype(dtype), tuple(None if w.isdigit() else w for w in words))
    numbers = (shape,) if isinstance(shape, int) else tuple(shape)
    return Spec(numbers, np.dtype(dtype), (None,) * len(numbers))
