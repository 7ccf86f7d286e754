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
    overloads = [getattr(packet, each) for each in packet.overloads()]
    return bool(overloads) and all(torch.Tag.pointwise in each.tags for each in overloads)
