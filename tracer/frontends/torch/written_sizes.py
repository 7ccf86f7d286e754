"""Which sizes of a tensor the program wrote as numbers: they follow no input."""

from __future__ import annotations

from typing import Any

import torch

from ...nodes import Node

_SHAPING = frozenset({torch.reshape, torch.Tensor.reshape, torch.Tensor.view})
_PERMUTING = frozenset({torch.permute, torch.Tensor.permute})
_EXCHANGING = frozenset({torch.transpose, torch.Tensor.transpose, torch.swapaxes, torch.Tensor.swapaxes})


def is_size_written(operand: Any, axis: Any) -> bool:
    """Whether an axis is as long as a `view` or `reshape` says in plain numbers, also if axes change places since."""
    if not isinstance(operand, Node) or operand.shape is None or type(axis) is not int or operand.kwargs:
        return False
    rank, function, given = len(operand.shape), operand.function, _flat(operand.args[1:])
    if not -rank <= axis < rank or any(type(each) not in (int, Node) for each in given):
        return False
    axis %= rank
    if function in _SHAPING and len(given) == rank:
        return type(given[axis]) is int and given[axis] >= 0
    if function in _PERMUTING and len(given) == rank:
        return is_size_written(operand.args[0], given[axis])
    if function in _EXCHANGING and len(given) == 2 and all(type(each) is int for each in given):
        first, second = (each % rank for each in given)
        return is_size_written(operand.args[0], {first: second, second: first}.get(axis, axis))
    return False


def _flat(args: tuple[Any, ...]) -> list[Any]:
    """Sizes or axes, however they were given: one by one, or as one sequence."""
    return list(args[0]) if len(args) == 1 and isinstance(args[0], (tuple, list)) else list(args)
