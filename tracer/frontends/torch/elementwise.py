"""Which of PyTorch's functions work element by element: their ATen operators are tagged so."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch


def is_elementwise(function: Any) -> bool:
    """Whether a function's result has an element for each of its operands'."""
    name = getattr(function, "__name__", None)
    return isinstance(name, str) and _is_pointwise(name)


@cache
def _is_pointwise(name: str) -> bool:
    packet = getattr(torch.ops.aten, name, None)
    if not isinstance(packet, torch._ops.OpOverloadPacket):
        return False
    overloads = [each for name in packet.overloads() if _makes_tensor(each := getattr(packet, name))]
    return bool(overloads) and all(torch.Tag.pointwise in each.tags for each in overloads)


def _makes_tensor(overload: torch._ops.OpOverload) -> bool:
    """Whether an overload makes a tensor of tensors: others are for TorchScript's numbers, or write into one given."""
    arguments = overload._schema.arguments
    return any(isinstance(a.type, torch.TensorType) for a in arguments) and not any(a.is_out for a in arguments)
