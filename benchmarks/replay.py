"""Running a graph again beside calling the function that it was traced from."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.clock import ROUNDS, Side, least
from benchmarks.programs import PROGRAMS, Function, Program
from benchmarks.table import Section, factor, number
from benchmarks.tracing import plainly, rewritten
from tracer import trace

OPERATIONS = 2_000
SIZES = (8, 128)


def section(operations: int = OPERATIONS, sizes: tuple[int, ...] = SIZES, rounds: int = ROUNDS) -> Section:
    rows = []
    for program in PROGRAMS:
        for size in sizes:
            called, replayed, guarded = _cost(program, size, operations, rounds)
            ratios = (factor(replayed / called), factor(guarded / called))
            rows.append((program.name, f"{size} × {size}", number(called), number(replayed), number(guarded), *ratios))
    return Section(
        "Replay",
        f"µs of CPU an operation, {operations:,} operations: the function itself, `graph.replay(…)`, and `graph(…)`, "
        "which looks at the guards.",
        ("program", "arrays", "function", "replay", "call", "replay to function", "call to function"),
        tuple(rows),
    )


def _cost(program: Program, size: int, operations: int, rounds: int) -> list[float]:
    """µs an operation: the function, the replayed graph, the called graph."""
    steps, args = program.steps(operations), program.arguments(size)
    graph = trace(rewritten(program, steps), *args).graph

    def side(function: Function) -> Side:
        return lambda: partial(function, *(np.array(a) for a in args))

    taken = least([plainly(program.make(steps), args), side(graph.replay), side(graph)], rounds)
    return [seconds / (steps * program.operations) * 1e6 for seconds in taken]
