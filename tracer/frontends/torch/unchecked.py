"""Operations that do not look whether their arguments fit: for odd ones they read and write past the end of memory.

Layers look before they call them (`nn.LSTM`), in PyTorch's own code, which no graph has.  A graph runs on other
arguments than the function was traced with, so it must look, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


class Fitting:
    """An operation that raises ValueError where its arguments do not fit; equal to another of the same operation."""

    __slots__ = ("__name__", "fits", "function")

    def __init__(self, function: Callable[..., Any], fits: Callable[..., bool]) -> None:
        self.function = function
        self.fits = fits
        self.__name__ = function.__name__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.fits(*args, **kwargs):
            raise ValueError(f"the sizes of what {self.__name__} is given do not fit each other")
        return self.function(*args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fitting) and other.function == self.function

    def __hash__(self) -> int:
        return hash(self.function)


def _lstm_fits(data: Any, second: Any, third: Any, *settings: Any, **named: Any) -> bool:
    """`lstm(input, hx, params, …, batch_first)`, or of packed sequences `lstm(data, batch_sizes, hx, params, …)`."""
    packed = isinstance(second, torch.Tensor)
    states, weights = (third, settings[0]) if packed else (second, third)
    batch_first = not packed and bool(named.get("batch_first", settings[-1] if settings else False))
    batch = int(second[0]) if packed else data.shape[0 if batch_first else 1]
    return bool(data.shape[-1] == weights[0].shape[1] and all(state.shape[1] == batch for state in states))


CHECKED: dict[Any, Fitting] = {torch.lstm: Fitting(torch.lstm, _lstm_fits)}
"""What stands in a graph for each of them."""
