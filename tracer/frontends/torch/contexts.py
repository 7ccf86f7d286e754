"""Contexts that change what operations compute: under autocast, an operation is one that enters it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch

from ...steps import count_of_range, size_of
from .unchecked import CHECKED

_DEVICES = ("cpu", "cuda")
_NOT_COMPUTING = frozenset({
    getattr, operator.getitem, operator.setitem, size_of, count_of_range, len, int, float, bool, torch.Tensor.item,
})  # fmt: skip


class Within:
    """A function that runs under autocast; equal to another of the same function and settings."""

    __slots__ = ("__name__", "function", "settings")

    def __init__(self, function: Callable[..., Any], settings: tuple[tuple[str, torch.dtype], ...]) -> None:
        self.function = function
        self.settings = settings
        self.__name__ = getattr(function, "__name__", "call")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        call = self.function
        for device, dtype in self.settings:
            call = torch.autocast(device, dtype=dtype)(call)
        return call(*args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Within) and (other.function, other.settings) == (self.function, self.settings)

    def __hash__(self) -> int:
        return hash((self.function, self.settings))


def within(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function that a node calls for one that ran just now: within autocast if that is on, and looking first."""
    function = CHECKED.get(function, function)
    if (not torch.is_autocast_enabled("cpu") and not torch.is_autocast_enabled("cuda")) or function in _NOT_COMPUTING:
        return function
    settings = tuple((d, torch.get_autocast_dtype(d)) for d in _DEVICES if torch.is_autocast_enabled(d))
    return Within(function, settings)
