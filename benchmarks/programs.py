"""The functions that are measured: plain NumPy, of known numbers of operations.

`PROGRAMS` is the list.  A program is made at a length (`program.make(steps)`), so that the same code is measured
with a hundred operations and with a million.  An operation is what stands in the source as one: an operator, a
call, a slice, a write.  `peers/` has the same functions for other libraries, under the same names.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Program:
    """A function of any length, and arguments for it."""

    name: str
    make: Callable[[int], Function]
    """The function that does its step so many times."""
    operations: int
    """How many operations a step has."""
    arguments: Callable[[int], tuple[Any, ...]]
    """Float64 arguments, square; however long the function runs, nothing in it overflows or dies away."""

    def steps(self, operations: int) -> int:
        """The steps that come nearest to so many operations."""
        return max(1, round(operations / self.operations))


def elementwise(steps: int) -> Function:
    """Four operations a step, of one array and numbers."""

    def elementwise(x: Any) -> Any:
        for _ in range(steps):
            x = np.sin(x) * 0.5 + 1.0
            x = -x
        return x

    return elementwise


def mlp(steps: int) -> Function:
    """Layers of five operations: a product, a bias, a kink, and two scalings."""

    def mlp(x: Any, weights: Any, bias: Any) -> Any:
        for _ in range(steps):
            x = np.maximum(x @ weights + bias, 0.0) * 0.5 + 0.1
        return x

    return mlp


def attention(steps: int) -> Function:
    """Blocks of fourteen operations: queries, keys, values, a softmax, and a residual."""

    def attention(x: Any, query: Any, key: Any, value: Any) -> Any:
        scale = 1.0 / math.sqrt(x.shape[-1])
        for _ in range(steps):
            scores = (x @ query) @ (x @ key).T * scale
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            weights = weights / weights.sum(axis=-1, keepdims=True)
            x = (x + weights @ (x @ value)) * 0.5
        return x

    return attention


def stencil(steps: int) -> Function:
    """Five operations a step: two slices, a sum, a scaling, and a write into the argument."""

    def stencil(x: Any) -> Any:
        for _ in range(steps):
            x[1:-1] = (x[:-2] + x[2:]) * 0.5
        return x

    return stencil


def _one(size: int) -> tuple[Any, ...]:
    return (np.linspace(0.1, 1.0, size * size).reshape(size, size),)


def _layers(size: int) -> tuple[Any, ...]:
    return *_one(size), np.eye(size) * 0.5, np.linspace(0.0, 0.1, size)


def _blocks(size: int) -> tuple[Any, ...]:
    return *_one(size), *(np.eye(size) * scale for scale in (0.5, 0.4, 1.0))


ELEMENTWISE = Program("element-wise chain", elementwise, 4, _one)
MLP = Program("MLP", mlp, 5, _layers)
ATTENTION = Program("attention", attention, 14, _blocks)
STENCIL = Program("stencil, in place", stencil, 5, _one)
PROGRAMS = (ELEMENTWISE, MLP, ATTENTION, STENCIL)
