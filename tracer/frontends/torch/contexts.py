"""Contexts that change what operations do: under autocast, an operation is one that enters it.

So is one that writes into a tensor whose gradient is asked for, or writes its result into one (`out=`), where gradients
are off: elsewhere it is refused.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...steps import count_of_range, size_of
from .unchecked import CHECKED

_DEVICES = ("cpu", "cuda")
_NOT_COMPUTING = frozenset({
    getattr, operator.getitem, operator.setitem, size_of, count_of_range, len, int, float, bool, torch.Tensor.item,
})  # fmt: skip


class Within:
    """A function that runs under autocast, or without gradients; equal to another of the same."""

    __slots__ = ("__name__", "function", "gradless", "settings")

    def __init__(
        self, function: Callable[..., Any], settings: tuple[tuple[str, torch.dtype], ...], gradless: bool
    ) -> None:
        self.function = function
        self.settings = settings
        self.gradless = gradless
        self.__name__ = getattr(function, "__name__", "call")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        call = torch.no_grad()(self.function) if self.gradless else self.function
        for device, dtype in self.settings:
            call = torch.autocast(device, dtype=dtype)(call)
        return call(*args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Within) and other._key == self._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Any, ...]:
        return self.function, self.settings, self.gradless

    @property
    def called(self) -> str:
        """What a printed graph calls it."""
        return "within_autocast" if self.settings else "without_gradients"


def within(function: Callable[..., Any], written: Any, into: bool) -> Callable[..., Any]:
    """The function that a node calls for one that ran just now: within the contexts it needs, and looking first.

    `written` are the tensors that it wrote, or None; `into` tells that they were given for its result (`out=`).
    """
    function = CHECKED.get(function, function)
    refused = written is not None and (into or any(map(_asks_gradient, _each(written))))
    gradless = refused and not torch.is_grad_enabled()
    settings = tuple((d, torch.get_autocast_dtype(d)) for d in _DEVICES if torch.is_autocast_enabled(d))
    if function in _NOT_COMPUTING:
        settings = ()
    return Within(function, settings, gradless) if settings or gradless else function


def _each(written: Any) -> Iterator[Any]:
    yield from written if isinstance(written, (tuple, list)) else (written,)


def _asks_gradient(tensor: Any) -> bool:
    return isinstance(tensor, torch.Tensor) and tensor.requires_grad and tensor.is_leaf
