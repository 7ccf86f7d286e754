"""Shapes of what works element by element, keeps the shape of its first argument, or adds a product to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ....shapes import Abstract, infer
from ....shapes.dims import broadcast
from .operands import Rule, in_numpy, like, named, tensors


def together(*args: Any, **kwargs: Any) -> Abstract:
    """What works element by element: all operands, broadcast."""
    operands = tensors((args, kwargs))
    return like(operands[0], broadcast(*[operand.shape for operand in operands]))


def as_first(x: Abstract, *args: Any, **kwargs: Any) -> Abstract:
    """What has the shape of its first argument."""
    return like(x, x.shape)


def _scattered(x: Abstract, mask: Abstract, source: Abstract) -> Abstract:
    return like(x, broadcast(x.shape, mask.shape))


def _added(x: Abstract, first: Abstract, second: Abstract, *more: Any, **named: Any) -> Abstract:
    """`addmm` and the like: a product, to which the input is broadcast."""
    return like(x, infer(np.matmul, in_numpy((first, second))).shape)


def _added_outer(x: Abstract, first: Abstract, second: Abstract, *more: Any, **named: Any) -> Abstract:
    return like(x, (first.shape[0], second.shape[0]))


def _added_over(x: Abstract, first: Abstract, second: Abstract, *more: Any, **named: Any) -> Abstract:
    """`addbmm`: the products of a batch, added up."""
    return like(x, (first.shape[1], second.shape[2]))


def _distances(x1: Abstract, x2: Abstract, *more: Any, **named: Any) -> Abstract:
    return like(x1, (*broadcast(x1.shape[:-2], x2.shape[:-2]), x1.shape[-2], x2.shape[-2]))


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    table: dict[str, Rule] = {
        "addmm addmv baddbmm": _added, "addr": _added_outer, "addbmm": _added_over, "cdist": _distances,
        "cross masked_fill": together, _TOGETHER: together, "masked_scatter": _scattered, _AS_FIRST: as_first,
    }  # fmt: skip
    made = {function: rule for names, rule in table.items() for function in named(names)}
    made[torch.linalg.cross] = together
    made.update(dict.fromkeys((torch.fft.fftshift, torch.fft.ifftshift), as_first))
    return made


_TOGETHER = (
    "true_divide floor_divide rsub divide multiply subtract greater greater_equal less less_equal not_equal remainder "
    "complex polar isclose float_power"
)
"""Element by element, too, and not tagged so: they are made of others."""
_AS_FIRST = (
    "clone contiguous detach to float double half bfloat16 long int short bool char byte type type_as cpu cuda "
    "requires_grad_ zeros_like ones_like empty_like full_like rand_like randn_like randint_like bernoulli flip fliplr "
    "flipud roll scatter scatter_add scatter_reduce index_add index_fill index_copy "
    "index_put slice_scatter select_scatter diagonal_scatter logcumsumexp renorm alias resolve_conj resolve_neg "
    "conj real imag cdouble cfloat chalf fill put index_reduce inverse matrix_exp cholesky "
    "cholesky_inverse cholesky_solve"
)
"""Functions and methods whose result is as large as what they are given first."""
