"""What tracing costs an operation, beside NumPy's own time for it.

*Recorded* is the run that records (`capture`): every operation with its site.  *Graph* is `make_graph`: the graph with
its guards, ready to be called.  *Complete* is `trace`: graph and all findings.
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
from tracer import load_module, make_graph, trace
from tracer.capture import capture

OPERATIONS = 2_000
SIZE = 8
MODE = "symbolic"
GOAL = 3.0
"""µs an operation over NumPy's own time."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One program: µs an operation by NumPy, recorded, to the graph, and with all findings."""

    name: str
    operations: int
    numpy: float
    recorded: float
    graph: float
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
            number(cost.graph),
            number(cost.complete),
        )
        for cost in costs(operations, rounds)
    ]
    return Section(
        "Tracing",
        f"µs of CPU an operation, arrays of {SIZE} × {SIZE}, sizes symbolic. *Recorded*: every operation with its "
        "site. *Graph*: `make_graph`, a graph with its guards. *Complete*: `trace`, the graph and all findings.",
        ("program", "operations", "NumPy", "recorded", "over NumPy", "goal", "graph", "complete"),
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


def ours(program: Program, steps: int, args: tuple[Any, ...]) -> tuple[Side, Side, Side]:
    """Recording a program, making the graph of it, and tracing it with all findings."""
    function = rewritten(program, steps)
    return (
        lambda: partial(capture, function, args, {}, MODE),
        lambda: partial(make_graph(function, MODE), *args),
        lambda: partial(trace, function, *args, mode=MODE),
    )


def rewritten(program: Program, steps: int) -> Function:
    """A program from a module that was loaded as the worker loads it."""
    made: Function = getattr(_module(), program.make.__name__)(steps)
    return made


@cache
def _module() -> ModuleType:
    return load_module(programs.__file__)
