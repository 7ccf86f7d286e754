"""By which names a printed graph reaches PyTorch's functions, methods, dtypes and devices."""

from __future__ import annotations

import importlib
from functools import cache
from types import FunctionType
from typing import Any

import torch

from .calls import OWNERS

_HOMES = (
    "torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special", "torch.sparse", "torch.nested",
    "torch.signal.windows", "torch.nn.init", "torch.nn.utils.rnn", "torch.autograd", "torch._VF",
)  # fmt: skip
"""The public parts of PyTorch: the first that has a function is its home."""
OBJECTS = (torch.dtype, torch.device, torch.layout, torch.memory_format, torch.Generator, torch.finfo, torch.iinfo)

_CLASSES = {
    torch.nn.Parameter: ("torch", "nn.Parameter"), torch.Generator: ("torch", "Generator"),
    torch.finfo: ("torch", "finfo"), torch.iinfo: ("torch", "iinfo"),
}  # fmt: skip


def address(function: Any) -> tuple[str, str] | None:
    """The module and the dotted name in it that lead to a function; None where it is not PyTorch's."""
    if isinstance(function, torch._ops.OpOverload):
        return "torch", f"ops.{function}"
    if isinstance(function, torch._ops.OpOverloadPacket):
        return "torch", f"ops.{str(function).replace('::', '.')}"
    if is_method(function):
        owner = "Generator" if getattr(function, "__objclass__", None) is torch.Generator else "Tensor"
        return "torch", f"{owner}.{function.__name__}"
    if isinstance(function, torch.jit.ScriptFunction):
        written = getattr(function, "_torchdynamo_inline", None)
        return (written.__module__, written.__qualname__) if isinstance(written, FunctionType) else None
    if isinstance(function, type):
        return _CLASSES.get(function)
    try:
        return _public().get(function)
    except TypeError:  # what cannot be hashed is no function of a module
        return None


@cache
def _public() -> dict[Any, tuple[str, str]]:
    """The functions of the public parts, by themselves."""
    found: dict[Any, tuple[str, str]] = {}
    for home in _HOMES:
        for name, value in vars(importlib.import_module(home)).items():
            if callable(value) and not isinstance(value, type) and not name.startswith("__"):
                try:
                    found.setdefault(value, (home, name))
                except TypeError:
                    continue
    return found


def is_method(function: Any) -> bool:
    """Whether a function is a method of tensors, to be written behind its tensor."""
    owner = getattr(function, "__objclass__", None)
    if owner is not None:
        return issubclass(owner, (OWNERS[0], torch.Generator))
    if not isinstance(function, FunctionType):
        return False
    return getattr(torch.Tensor, function.__name__, None) is function


def is_in_place(function: Any) -> bool:
    """Whether a function is one of those whose names end in an underscore: they write their first argument."""
    name = getattr(function, "__name__", "")
    return name.endswith("_") and not name.endswith("__") and name != "requires_grad_"


def dtype(given: Any) -> torch.dtype:
    """The dtype of a name.  Raises ValueError where there is none."""
    if isinstance(given, torch.dtype):
        return given
    found = torch.get_default_dtype() if given is None else getattr(torch, given, None)
    if not isinstance(found, torch.dtype):
        raise ValueError(f"PyTorch has no dtype {given!r}")
    return found


def width(given: Any) -> tuple[str, int] | None:
    """A dtype's kind, by NumPy's letter, and its bytes; None of what is none."""
    if not isinstance(given, torch.dtype):
        return None
    if given is torch.bool:
        return "b", 1
    return "c" if given.is_complex else "f" if given.is_floating_point else "i", given.itemsize


def literal(value: Any) -> str | None:
    """A dtype, device, layout or memory format as Python behind the module's name; None for other objects."""
    if isinstance(value, (torch.Generator, torch.finfo, torch.iinfo)):
        return None
    if isinstance(value, torch.device):
        return f"device({str(value)!r})"
    return str(value).removeprefix("torch.")
