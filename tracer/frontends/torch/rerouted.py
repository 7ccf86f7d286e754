"""What PyTorch's own Python code calls of itself and that does not ask its operands: rerouted while a trace is on."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import torch
from torch.autograd import Function
from torch.distributions import Distribution

from ...operations import apply
from ...recorder import CURRENT
from ...traced import TracedShape, holds_traced

_FINFO = torch.finfo
_BROADCAST_SHAPES = torch.broadcast_shapes
_APPLY = inspect.getattr_static(Function, "apply")  # a class method of Python's, or of C's since 2.14


def shape_of_sizes(sizes: Iterable[Any] = (), /) -> tuple[Any, ...]:
    """`torch.Size(sizes)`, where sizes may be traced."""
    items = tuple(sizes)
    return TracedShape.of(items, torch.Size) if holds_traced(items) else torch.Size(items)


def _extended_shape(self: Distribution, sample_shape: Iterable[Any] = ()) -> tuple[Any, ...]:
    """The shape of what a distribution draws: as many samples as its parameters have, in any sizes."""
    return shape_of_sizes((*sample_shape, *self._batch_shape, *self._event_shape))


def _finfo(*dtype: Any) -> Any:
    """It takes a dtype alone, and distributions read theirs from their parameters."""
    return _as_operation(_FINFO, dtype, {}, sys._getframe(1))


@functools.wraps(_BROADCAST_SHAPES)
def _broadcast_shapes(*shapes: Any) -> Any:
    """It asks whether sizes are of the class `bool`."""
    return _as_operation(_BROADCAST_SHAPES, shapes, {}, sys._getframe(1))


@functools.wraps(Function.apply)
def _applied(cls: type[Function], *args: Any, **kwargs: Any) -> Any:
    """It hands its operands to C code, which takes tensors alone."""
    return _as_operation(_APPLY.__get__(None, cls), args, kwargs, sys._getframe(1))


_applied.__module__ = Function.__module__  # a method of C's has none, and the tracer asks whose a function is


def _as_operation(function: Callable[..., Any], args: Any, kwargs: dict[str, Any], frame: Any) -> Any:
    if CURRENT.get() is None or not holds_traced((args, kwargs)):
        return function(*args, **kwargs)
    return apply(function, args, kwargs or None, frame)


@contextmanager
def rerouting() -> Iterator[None]:
    """Let these record what they do as long as the block runs."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(Distribution, "_extended_shape", _extended_shape))
        stack.enter_context(patch.object(torch, "finfo", _finfo))
        stack.enter_context(patch.object(torch, "broadcast_shapes", _broadcast_shapes))
        stack.enter_context(patch.object(Function, "apply", classmethod(_applied)))
        yield
