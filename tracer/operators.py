"""Operators of traced arrays and numbers, from tables."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from . import libraries
from .operations import apply
from .telling import lose
from .traced import TracedArray, TracedScalar, lift_constant, origins_of, raw


def scalar_operation(function: Callable[..., Any], args: tuple[Any, ...], frame: FrameType | None) -> Any:
    """An operation on numbers: folded where all are constant in the graph, else a node."""
    for arg in args:
        if type(arg) in (TracedArray, TracedScalar) and arg.node is not None:
            return _repeated(function, args, arg, frame) or apply(function, args, None, frame)
        if type(arg) is np.ndarray or libraries.of(arg) is not None:
            return apply(function, args, None, frame)
    result = function(*[raw(a) for a in args])
    if result is NotImplemented:
        return result
    return lift_constant(result, frozenset().union(*(origins_of(a) for a in args)))


def _repeated(function: Callable[..., Any], args: tuple[Any, ...], count: Any, frame: FrameType | None) -> Any:
    """`sequence * number`: a plain sequence, whose length no longer follows the number."""
    if function is not operator.mul or not any(isinstance(a, (list, tuple, str, bytes)) for a in args):
        return None
    lose(count, "repeat", frame)
    left, right = (a.value if a is count else a for a in args)
    return left * right


def _array_binary(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return apply(function, (self, other), None, sys._getframe(1))

    return method


def _array_reflected(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return apply(function, (other, self), None, sys._getframe(1))

    return method


def _array_inplace(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return apply(function, (self, other), None, sys._getframe(1), self)

    return method


def _scalar_binary(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return scalar_operation(function, (self, other), sys._getframe(1))

    return method


def _scalar_reflected(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return scalar_operation(function, (other, self), sys._getframe(1))

    return method


def _scalar_unary(function: Callable[..., Any]) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return scalar_operation(function, (self,), sys._getframe(1))

    return method


def _array_unary(function: Callable[..., Any]) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return apply(function, (self,), None, sys._getframe(1))

    return method


_BINARY = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow, "matmul": operator.matmul,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor, "lshift": operator.lshift,
    "rshift": operator.rshift, "divmod": divmod,
}  # fmt: skip
_INPLACE = {
    "iadd": operator.iadd, "isub": operator.isub, "imul": operator.imul, "itruediv": operator.itruediv,
    "ifloordiv": operator.ifloordiv, "imod": operator.imod, "ipow": operator.ipow, "iand": operator.iand,
    "ior": operator.ior, "ixor": operator.ixor, "ilshift": operator.ilshift, "irshift": operator.irshift,
    "imatmul": operator.imatmul,
}  # fmt: skip
_COMPARE = {
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge, "eq": operator.eq, "ne": operator.ne,
}  # fmt: skip
_UNARY: dict[str, Callable[..., Any]] = {
    "neg": operator.neg,
    "pos": operator.pos,
    "invert": operator.invert,
    "abs": abs,
}


def _install() -> None:
    """Give both classes their operators, from the tables above."""
    for name, function in {**_BINARY, **_COMPARE}.items():
        setattr(TracedArray, f"__{name}__", _array_binary(function))
        setattr(TracedScalar, f"__{name}__", _scalar_binary(function))
    for name, function in _BINARY.items():
        setattr(TracedArray, f"__r{name}__", _array_reflected(function))
        setattr(TracedScalar, f"__r{name}__", _scalar_reflected(function))
    for name, function in _INPLACE.items():
        setattr(TracedArray, f"__{name}__", _array_inplace(function))
    for name, unary in _UNARY.items():
        setattr(TracedArray, f"__{name}__", _array_unary(unary))
        setattr(TracedScalar, f"__{name}__", _scalar_unary(unary))


_install()
