"""Shapes that are put together as a `torch.Size`, which makes numbers of sizes: the user's, and those of samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.distributions import Distribution

from ...traced import TracedShape, holds_traced


def shape_of_sizes(sizes: Iterable[Any] = (), /) -> tuple[Any, ...]:
    """`torch.Size(sizes)`, where sizes may be traced."""
    items = tuple(sizes)
    return TracedShape.of(items, torch.Size) if holds_traced(items) else torch.Size(items)


@contextmanager
def sampling_by_sizes() -> Iterator[None]:
    """Distributions draw as many samples as their parameters have, in other sizes than the example's, too."""
    own = Distribution._extended_shape
    Distribution._extended_shape = _extended_shape
    try:
        yield
    finally:
        Distribution._extended_shape = own


def _extended_shape(self: Distribution, sample_shape: Iterable[Any] = ()) -> tuple[Any, ...]:
    """The shape of what a distribution draws, as `Distribution._extended_shape` has it."""
    return shape_of_sizes((*sample_shape, *self._batch_shape, *self._event_shape))
