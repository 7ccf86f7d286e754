"""What tracing costs an operation, beside NumPy's own time for it.

*Recorded* is the run that records (`capture`): every operation with its site.  *Complete* is `trace`: the graph with
its guards, and all findings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks import programs
from benchmarks.clock import ROUNDS, Side, least
from benchmarks.programs import PROGRAMS, Function, Program
from benchmarks.table import Section, number
from tracer import load_module, trace
from tracer.capture import capture

OPERATIONS = 2_000
SIZE = 8
GOAL = 3.0
"""µs an operation over NumPy's own time."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One program: µs an operation by NumPy, recorded, and with graph and findings."""

    name: str
    operations: int
    numpy: float
    recorded: float
    complete: float


def section(operations: int = OPERATIONS, rounds: int = ROUNDS) -> Section:
    rows = [
        (
            cost.name,
            f"{cost.operations:,}",
            number(cost.numpy),
            number(cost.recorded),
            number(cost.recorded - cost.numpy),
            f"≤ {GOAL:.0f}",
            number(cost.complete),
        )
        for cost in costs(operations, rounds)
    ]
    return Section(
        "Tracing",
        f"µs of CPU an operation, arrays of {SIZE} × {SIZE}, sizes symbolic. *Recorded*: every "
        "operation with its site. *Complete*: the graph with its guards, and all findings.",
        ("program", "operations", "NumPy", "recorded", "over NumPy", "goal", "complete"),
        tuple(rows),
    )


def costs(operations: int, rounds: int) -> list[Cost]:
    """The cost of each program."""
    return [_cost(program, operations, rounds) for program in PROGRAMS]


def _cost(program: Program, operations: int, rounds: int) -> Cost:
    steps = program.steps(operations)
    args, count = program.arguments(SIZE), steps * program.operations
    taken = least([plainly(program.make(steps), args), *ours(program, steps, args)], rounds)
    return Cost(program.name, count, *(seconds / count * 1e6 for seconds in taken))


def plainly(function: Callable[..., Any], args: Sequence[Any]) -> Side:
    """The function itself, on fresh copies of the arguments."""
    return lambda: partial(function, *(np.array(a) for a in args))


def ours(program: Program, steps: int, args: tuple[Any, ...]) -> list[Side]:
    """Recording a program, and tracing it."""
    function = rewritten(program, steps)
    return [lambda: lambda: capture(function, args, {}, "symbolic"), lambda: lambda: trace(function, *args)]


def rewritten(program: Program, steps: int) -> Function:
    """A program from a module that was loaded as the worker loads it."""
    made: Function = getattr(_module(), program.make.__name__)(steps)
    return made


@cache
def _module() -> ModuleType:
    return load_module(programs.__file__)
