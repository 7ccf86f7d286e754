"""What the rules for PyTorch share: its functions by name, its dtypes as NumPy's, and calls of NumPy's functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from ....shapes import Abstract, Shape, infer
from ....shapes.registry import present

Rule = Callable[..., Any]
"""What a call gives: `rule(*args, **kwargs)` is an `Abstract`, or several in a tuple."""

FLOATING: frozenset[Any] = frozenset({torch.float16, torch.bfloat16, torch.float32, torch.float64})
_OWNERS = (torch, torch.Tensor, torch.nn.functional, torch.special, torch._C._nn)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function of NumPy's."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)

    def result(self) -> Any:
        """What it gives: shapes are right, dtypes are NumPy's."""
        return infer(self.function, in_numpy(self.args), in_numpy(self.kwargs))

    def shape(self) -> Shape:
        """The shape of the array that it gives."""
        made = self.result()
        assert isinstance(made, Abstract)
        return made.shape


def named(names: str) -> list[Any]:
    """PyTorch's functions and methods of these names; versions differ in which there are."""
    return [function for owner in _OWNERS for function in present(owner, names)]


def like(tensor: Any, shape: Shape) -> Abstract:
    """A tensor of another shape and the same dtype."""
    return Abstract(shape, tensor.dtype)


def in_numpy(value: Any) -> Any:
    """An argument as NumPy's rules take it: its tensors are arrays of NumPy's dtype of the same kind."""
    kind = type(value)
    if kind is Abstract:
        return Abstract(value.shape, _dtype(value.dtype))
    if isinstance(value, (tuple, list)):
        return (list if kind is list else tuple)([in_numpy(part) for part in value])
    if kind is dict:
        return {name: in_numpy(part) for name, part in value.items()}
    if kind is slice:
        return slice(in_numpy(value.start), in_numpy(value.stop), in_numpy(value.step))
    return value


def in_torch(result: Any, dtype: Any) -> Any:
    """A result of NumPy's rules, its arrays as tensors of a dtype."""
    if isinstance(result, Abstract):
        return Abstract(result.shape, dtype)
    return tuple(in_torch(part, dtype) for part in result) if isinstance(result, (tuple, list)) else result


def _dtype(dtype: Any) -> np.dtype[Any]:
    if not isinstance(dtype, torch.dtype):
        return np.dtype(dtype)
    if dtype is torch.bool:
        return np.dtype(bool)
    return np.dtype(complex if dtype.is_complex else float if dtype.is_floating_point else int)


def tensors(value: Any) -> list[Abstract]:
    """The tensors in arguments, in their order."""
    if type(value) is Abstract:
        return [value]
    if isinstance(value, dict):
        value = value.values()
    return [tensor for part in value for tensor in tensors(part)] if _is_nesting(value) else []


def holds_tensor(value: Any) -> bool:
    """Whether a tensor is among arguments."""
    if type(value) is Abstract:
        return isinstance(value.dtype, torch.dtype)
    if isinstance(value, dict):
        value = value.values()
    return _is_nesting(value) and any(map(holds_tensor, value))


def _is_nesting(value: Any) -> bool:
    return isinstance(value, (tuple, list, type({}.values())))


def sizes(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Sizes or axes, however they were given: one by one, or as one sequence."""
    return tuple(given[0]) if len(given) == 1 and isinstance(given[0], (tuple, list)) else given


def several(value: Any, count: int) -> tuple[Any, ...]:
    """A setting for each of so many axes: a number stands for all."""
    if isinstance(value, (tuple, list)):
        return tuple(value) if len(value) == count else tuple(value) * count
    return (value,) * count
