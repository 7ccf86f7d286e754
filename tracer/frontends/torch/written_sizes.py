"""Which sizes of a tensor the program decides, as numbers or by its parameters: they follow no input."""

from __future__ import annotations

import operator
from typing import Any

import torch

from ...nodes import Kind, Node
from ...recorder import CURRENT
from .elementwise import is_elementwise

_SHAPING = frozenset({torch.reshape, torch.Tensor.reshape, torch.Tensor.view})
_PERMUTING = frozenset({torch.permute, torch.Tensor.permute})
_EXCHANGING = frozenset({torch.transpose, torch.Tensor.transpose, torch.swapaxes, torch.Tensor.swapaxes})
_PRODUCTS = frozenset({operator.matmul, torch.matmul, torch.Tensor.matmul})
_ARITHMETIC = frozenset({operator.add, operator.sub, operator.mul, operator.truediv})


_FAR = 8
"""So many operations back is a size looked for."""


def is_size_written(operand: Any, axis: Any, far: int = _FAR) -> bool:
    """Whether an axis is as long as a `view` or `reshape` says in plain numbers, or as a parameter of a module is.

    Axes may change places since, and be combined with others of their length.
    """
    if not isinstance(operand, Node) or operand.shape is None or type(axis) is not int or not far:
        return False
    rank = len(operand.shape)
    if not -rank <= axis < rank:
        return False
    axis %= rank
    if operand.kind is not Kind.CALL:
        return _is_parameter(operand)
    if operand.kwargs:
        return False
    function, given = operand.function, operand.args
    if function is torch.nn.functional.linear:
        return axis == rank - 1 and is_size_written(given[1], 0, far - 1)
    if function in _PRODUCTS:
        return axis == rank - 1 and len(given[1].shape) > 1 and is_size_written(given[1], -1, far - 1)
    if function in _ARITHMETIC or is_elementwise(function):
        alike = (o for o in operand.operands() if o.shape and o.shape[axis - rank :] == operand.shape[axis - rank :])
        return any(is_size_written(o, axis - rank, far - 1) for o in alike)
    return _is_said(operand, axis, rank, far - 1)


def _is_said(operand: Node, axis: int, rank: int, far: int) -> bool:
    """Whether the call that made a tensor says how long an axis is, or where it was before."""
    function, given = operand.function, _flat(operand.args[1:])
    if any(type(each) not in (int, Node) for each in given):
        return False
    if function in _SHAPING and len(given) == rank:
        return type(given[axis]) is int and given[axis] >= 0
    if function in _PERMUTING and len(given) == rank:
        return is_size_written(operand.args[0], given[axis], far)
    if function in _EXCHANGING and len(given) == 2 and all(type(each) is int for each in given):
        first, second = (each % rank for each in given)
        return is_size_written(operand.args[0], {first: second, second: first}.get(axis, axis), far)
    return False


def _is_parameter(node: Node) -> bool:
    recorder = CURRENT.get()
    return recorder is not None and any(found.node is node for found in recorder.parameters.values())


def _flat(args: tuple[Any, ...]) -> list[Any]:
    """Sizes or axes, however they were given: one by one, or as one sequence."""
    return list(args[0]) if len(args) == 1 and isinstance(args[0], (tuple, list)) else list(args)
