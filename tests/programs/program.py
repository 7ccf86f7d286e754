"""What a program is: a function, its arguments as a function of a size and a seed, and where its graph holds.

A program's sizes are *symbolic* where no condition and no loop depends on them: a graph traced at one size is right
at all.  A program is *unrolled* where a loop runs over a size: its graph holds at the size of the example only.  It is
*decided* where contents decide: its graph is right or refuses.  Some functions stand in the tables twice, loops over
one axis and the others symbolic: `along` tells what `n` is the size of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

Arguments = Callable[[Generator, int], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Program:
    """One function of a module of `kernels`, with the arguments that it takes at size `n`."""

    module: str
    function: str
    arguments: Arguments
    size: int
    """The size of the example that is traced."""
    least: int
    """The smallest size that the function can take."""
    right: tuple[int, ...]
    """Other sizes, at which the graph must be right."""
    refused: tuple[int, ...]
    """Other sizes, which the graph must refuse."""
    decided: bool = False
    """Whether contents decide: then the graph may refuse at any size."""
    along: str = ""
    """What `n` is the size of, where the function stands here more than once."""

    @property
    def name(self) -> str:
        return f"{self.module}.{self.function}" + (f"-{self.along}" if self.along else "")

    @property
    def symbolic(self) -> bool:
        return not self.refused and not self.decided

    def at(self, size: int, seed: int = 0) -> tuple[Any, ...]:
        return self.arguments(np.random.default_rng([seed, size]), size)


def symbolic(path: str, arguments: Arguments, *, size: int = 5, least: int = 3, along: str = "") -> Program:
    """A program whose graph is right at any size."""
    module, function = path.split(".")
    return Program(module, function, arguments, size, least, (least, size + 1, 12), (), along=along)


def unrolled(path: str, arguments: Arguments, *, size: int = 5, least: int = 2, along: str = "") -> Program:
    """A program whose graph holds at the size of its example."""
    module, function = path.split(".")
    return Program(module, function, arguments, size, least, (), (least, size - 1, size + 1, 9), along=along)


def decided(path: str, arguments: Arguments, *, size: int = 5, least: int = 2) -> Program:
    """A program whose graph holds as long as conditions on contents come out the same."""
    module, function = path.split(".")
    return Program(module, function, arguments, size, least, (), (), decided=True)


# ---- arguments -------------------------------------------------------------------------------------


def single(r: Generator, *shape: int) -> Any:
    """Numbers around zero in single precision."""
    return r.standard_normal(shape, dtype=np.float32)


def phasors(r: Generator, *shape: int) -> Any:
    return r.standard_normal(shape) + 1j * r.standard_normal(shape)


def definite(r: Generator, n: int) -> Any:
    """A symmetric positive definite matrix."""
    a = r.random((n, n))
    return a @ a.T + n * np.eye(n)


def dominant(r: Generator, n: int) -> Any:
    """A matrix with a dominant diagonal: it needs no pivoting."""
    return r.random((n, n)) + n * np.eye(n)


def sparse(r: Generator, n: int) -> tuple[Any, ...]:
    """Compressed sparse rows with three entries in each, and a vector."""
    columns = np.concatenate([np.sort(r.choice(n, 3, replace=False)) for _ in range(n)])
    return np.arange(0, 3 * n + 1, 3), columns, r.random(3 * n), r.random(n)


def grids(r: Generator, n: int, count: int) -> tuple[Any, ...]:
    return tuple(r.random((n, n + 2)) for _ in range(count))


def columns_of_air(r: Generator, columns: int, levels: int) -> tuple[Any, ...]:
    """Velocity (between the columns), position and forcing."""
    return r.random((columns + 1, columns + 2, levels)), *r.random((2, columns, columns + 2, levels))


def hidden_markov(r: Generator, states: int, length: int) -> tuple[Any, ...]:
    """Logarithms of start, transition and emission probabilities, and what was observed."""
    start, *rest = np.log(r.random((1, states))[0]), np.log(r.random((states, states))), np.log(r.random((states, 5)))
    return start, *rest, r.integers(0, 5, length)
