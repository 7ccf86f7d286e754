"""Sees PyTorch's operations in code that is not rewritten: the Python code of its own layers.

What is given a traced tensor asks it (`__torch_function__`); a mode also sees operations on parameters alone, and on
nothing (`torch.zeros(n)`).  Operations run with all of that switched off, so that one call is one operation.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar, cast

import torch
from torch.overrides import TorchFunctionMode

from ...operations import apply
from ...recorder import CURRENT
from ...traced import TracedArray, TracedScalar, raw
from .modules import working
from .rerouted import rerouting

_HOME = os.path.dirname(os.path.realpath(torch.__file__)) + os.sep
_AS_IT_IS = frozenset({
    "__get__", "__set__", "__delete__", "__bool__", "__len__", "__repr__", "__format__", "__hash__", "__reduce_ex__",
    "__deepcopy__", "__float__", "__int__", "__index__", "__complex__", "__contains__",
    "size", "dim", "ndimension", "numel", "nelement", "stride", "storage_offset", "is_contiguous",
    "is_floating_point", "is_complex", "is_tensor", "element_size", "data_ptr", "untyped_storage", "storage", "type",
    "_set_grad_enabled", "set_default_device", "get_default_device", "set_default_dtype", "is_same_size", "_is_view",
    "requires_grad_", "register_hook", "_make_subclass", "as_subclass", "__setstate__", "is_inference", "is_pinned",
    "manual_seed", "item", "tolist", "numpy", "result_type", "promote_types", "can_cast", "_assert_async",
})  # fmt: skip
"""Of tensors that are not traced: questions and settings, which are no operations."""


class _Mode(TorchFunctionMode):
    def __torch_function__(self, function: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        recorder = CURRENT.get()
        kwargs = kwargs or {}
        if recorder is None:
            return function(*raw(tuple(args)), **raw(kwargs))
        name = getattr(function, "__name__", "")
        if name in _AS_IT_IS:
            return function(*(working(recorder, arg) for arg in args), **kwargs)
        return apply(function, tuple(args), kwargs or None, sys._getframe(1))


@contextmanager
def intercepting() -> Iterator[None]:
    """Record what PyTorch's functions do as long as the block runs; threads of before a fork are not waited for."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with rerouting(), _Mode():
            yield
    finally:
        torch.set_num_threads(threads)


_Function = TypeVar("_Function", bound=Callable[..., Any])


def resting(function: _Function) -> _Function:
    """A function of the tracer's own, whose operations are not the user's and not recorded."""

    @functools.wraps(function)
    def rested(*args: Any, **kwargs: Any) -> Any:
        with torch._C.DisableTorchFunction():
            return function(*args, **kwargs)

    return cast(_Function, rested)


def is_own(frame: FrameType | None) -> bool:
    """Whether code is PyTorch's."""
    return frame is not None and frame.f_code.co_filename.startswith(_HOME)


def _asked(cls: type, function: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """What PyTorch asks a traced value that it is given where no mode is on."""
    recorder = CURRENT.get()
    if recorder is None:
        return function(*raw(tuple(args)), **raw(kwargs or {}))
    return apply(function, tuple(args), kwargs or None, sys._getframe(1))


for _kind in (TracedArray, TracedScalar):
    _kind.__torch_function__ = classmethod(_asked)  # type: ignore[union-attr]  # it is PyTorch that looks for it
