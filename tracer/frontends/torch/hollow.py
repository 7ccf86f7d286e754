"""Tensors without contents: PyTorch's own fake tensors, which know shape, dtype and device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensorMode,
    UnsupportedOperatorException,
)

from ...shapes import Reason, Unknown


class Hollows:
    """The fake tensors of one process."""

    def __init__(self) -> None:
        self._mode = FakeTensorMode(allow_non_fake_inputs=True)

    def hollow(self, tensor: torch.Tensor) -> Any:
        return self._mode.from_tensor(tensor)

    def make(self, shape: tuple[int, ...], dtype: torch.dtype) -> Any:
        with self._mode:
            return torch.empty(shape, dtype=dtype)

    def run(self, function: Callable[..., Any], values: list[Any], named: dict[str, Any]) -> Any:
        """The result of an operation.  Raises `Unknown` where shapes and dtypes do not tell it."""
        with self._mode:
            try:
                return function(*values, **named)
            except (DataDependentOutputException, DynamicOutputShapeException) as error:
                raise Unknown(Reason.CONTENTS) from error
            except UnsupportedOperatorException as error:
                raise Unknown(Reason.RULE) from error
