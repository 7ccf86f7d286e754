"""What is known of a value without its contents, and what is said where that is not enough."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from .size import Dim

Shape = tuple[Dim, ...]


@dataclass(frozen=True, slots=True, init=False)
class Abstract:
    """An array of which shape and dtype are known; `scalar` tells a NumPy scalar from an array of no dimensions."""

    shape: Shape
    dtype: np.dtype[Any]
    scalar: bool

    def __init__(self, shape: Shape, dtype: np.dtype[Any], scalar: bool = False) -> None:
        _set_shape(self, shape)  # three times as fast as what a frozen dataclass makes of itself
        _set_dtype(self, dtype)
        _set_scalar(self, scalar)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> Dim:
        total: Dim = 1
        for dim in self.shape:
            total = total * dim
        return total


_set_shape, _set_dtype, _set_scalar = (vars(Abstract)[name].__set__ for name in ("shape", "dtype", "scalar"))


class Reason(Enum):
    """Why a result is not known."""

    CONTENTS = "its shape, or the plain value that it is, depends on contents"
    RULE = "there is no rule for this function"


class Unknown(Exception):  # noqa: N818  # no error: a gap that is said
    """The result cannot be told from shapes and dtypes."""

    def __init__(self, reason: Reason, text: str = "") -> None:
        super().__init__(text or reason.value)
        self.reason = reason
        self.text = text
