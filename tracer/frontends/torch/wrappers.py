"""What is behind the wrappers of PyTorch's compilers: of `torch.compile`, and of `torch.compiler.disable`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from torch.nn import Module

_ORIGINAL = "_torchdynamo_orig_callable"
_LEFT_ALONE = "_torchdynamo_disable"


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function behind all of them."""
    while (inner := _behind(function)) is not None:
        function = inner
    return function


def uncompiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, or module, behind `torch.compile`; what Dynamo is told to leave alone stays what Dynamo sees."""
    while not _is_left_alone(function) and (inner := _behind(function)) is not None:
        function = inner
    return function


def _behind(function: Any) -> Callable[..., Any] | None:
    """What the outermost wrapper wraps; None where there is none."""
    if _is_lazy(function):
        return vars(function)["__wrapped__"]
    if "torch._dynamo" not in sys.modules:  # slow to import, and nothing else is wrapped without it
        return None
    if isinstance(function, Module):
        return function._modules.get("_orig_mod")
    if isinstance(function, MethodType):
        inner = _behind(function.__func__)
        return None if inner is None else MethodType(inner, function.__self__)
    return getattr(function, _ORIGINAL, None)


def _is_left_alone(function: Any) -> bool:
    return _is_lazy(function) or bool(getattr(function, _LEFT_ALONE, False))


def _is_lazy(function: Any) -> bool:
    """Whether it is a function of PyTorch's own that asks Dynamo to leave it alone once it is called."""
    return isinstance(function, FunctionType) and function.__globals__.get("__name__") == "torch._compile"
