"""Shapes and costs of PyTorch's operations, told from shapes and dtypes alone.

What is NumPy's by another name is told by NumPy's rules (`alike`); what is not has rules of its own (`arranging`,
`combining`, `making`, `reducing`, `layers`; `costs`); what works element by element is known by its tag
(`elementwise`).  Tests hold the rules against PyTorch's database of operators, on other sizes than those that they were
told for.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import torch

from .... import costs as numpy_costs
from ....costs import Traffic
from ....costs.elementwise import EACH
from ....costs.rule import Rule as CostRule
from ....shapes import Reason, Unknown, infer
from ..contexts import Within
from ..elementwise import is_elementwise
from ..naming import address, is_in_place
from ..unchecked import Fitting
from . import alike, arranging, combining, costs, layers, making, reducing
from .operands import Rule, holds_tensor, in_numpy, in_torch, tensors

CALLS = alike.calls()
SHAPES: dict[Any, Rule] = {
    **arranging.rules(),
    **combining.rules(),
    **making.rules(),
    **reducing.rules(),
    **layers.rules(),
}
COSTS: dict[Any, CostRule] = costs.rules()
TRAFFIC: dict[Any, Traffic] = costs.traffic()
_BY_OTHER_NAMES = {"axis": "dim", "keepdims": "keepdim", "self": "x", "input": "x", "A": "x"}
"""What the rules call arguments by names that PyTorch has for them."""


def told(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What an operation gives, as `shapes.infer` tells it; NotImplemented where none of PyTorch's is concerned."""
    function = _plain(function)
    if function is operator.getitem:
        return arranging.item(*args) if holds_tensor(args) else NotImplemented
    if function not in SHAPES and function not in CALLS and not holds_tensor((args, kwargs)):
        return NotImplemented
    named = _named(kwargs)
    if function in SHAPES:
        return SHAPES[function](*args, **named)
    if function in CALLS:
        return in_torch(CALLS[function](*args, **named).result(), tensors((args, kwargs))[0].dtype)
    if is_in_place(function):
        return _written(function, args, kwargs)
    if is_elementwise(function) or function in _OPERATORS:
        return combining.together(*args, **kwargs)
    if address(function) is not None:
        raise Unknown(Reason.RULE, f"no rule for {getattr(function, '__name__', function)}")
    return in_torch(infer(function, in_numpy(args), in_numpy(kwargs)), tensors((args, kwargs))[0].dtype)


def _written(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What a method gives that writes its tensor: that of the method that makes another one, or the tensor."""
    if function.__name__ in ("resize_", "resize_as_", "as_strided_", "set_"):
        raise Unknown(Reason.RULE, "another view of the memory")
    other = getattr(torch.Tensor, function.__name__[:-1], None)
    if other is None or (other not in SHAPES and other not in CALLS):
        return combining.as_first(*args)
    return told(other, args, kwargs)


def costs_of(function: Callable[..., Any]) -> tuple[CostRule | None, Traffic | None]:
    """The rules of a function's costs; None where there is none."""
    function = _plain(function)
    if function in COSTS:
        return COSTS[function], TRAFFIC.get(function)
    if function in CALLS:
        return _as_numpys(function), TRAFFIC.get(function)
    return (EACH, None) if is_elementwise(function) else (None, None)


def _as_numpys(function: Any) -> CostRule:
    def rule(result: Any, /, *args: Any, **kwargs: Any) -> Any:
        call = CALLS[function](*args, **_named(kwargs))
        its, _ = numpy_costs.rules_of(call.function)
        if its is None:
            raise Unknown(Reason.RULE)
        return its(in_numpy(result), *in_numpy(call.args), **in_numpy(call.kwargs))

    return rule


def _named(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    return {_BY_OTHER_NAMES.get(name, name): value for name, value in kwargs.items() if name != "out"}


def _plain(function: Any) -> Any:
    """The function behind what a graph calls for it."""
    while isinstance(function, (Within, Fitting)):
        function = function.function
    return function


_OPERATORS = frozenset({
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.lt, operator.le, operator.gt,
    operator.ge, operator.eq, operator.ne, operator.neg, operator.pos, operator.invert, operator.abs, abs, pow,
    operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod, operator.ipow,
    operator.iand, operator.ior, operator.ixor, operator.ilshift, operator.irshift,
})  # fmt: skip
"""Python's operators that work element by element."""
