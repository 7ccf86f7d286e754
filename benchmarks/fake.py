"""Fake mode: what a trace costs when no data is touched must not depend on the size of the example."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.clock import ROUNDS, Side, least
from benchmarks.programs import PROGRAMS, Program
from benchmarks.table import Section, factor, number
from benchmarks.tracing import rewritten
from tracer import spec, trace

OPERATIONS = 1_000
SIZES = (10, 1_000, 1_000_000)


def section(operations: int = OPERATIONS, sizes: tuple[int, ...] = SIZES, rounds: int = ROUNDS) -> Section:
    rows = []
    for program in PROGRAMS:
        costs = _costs(program, sizes, operations, rounds)
        highest = _highest(_traced(program, sizes[-1], operations))
        rows.append((program.name, *map(number, costs), factor(costs[-1] / costs[0]), "1×", number(highest / 2**20)))
    return Section(
        "Fake mode",
        f'µs of CPU an operation for `trace(f, spec((n, n)), mode="fake")`, {operations:,} operations, complete.',
        ("program", *(f"n = {size:,}" for size in sizes), "last to first", "goal", f"highest MB at n = {sizes[-1]:,}"),
        tuple(rows),
    )


def _costs(program: Program, sizes: tuple[int, ...], operations: int, rounds: int) -> list[float]:
    taken = least([_side(program, size, operations) for size in sizes], rounds)
    return [seconds / (program.steps(operations) * program.operations) * 1e6 for seconds in taken]


def _side(program: Program, size: int, operations: int) -> Side:
    return lambda: _traced(program, size, operations)


def _traced(program: Program, size: int, operations: int) -> Callable[[], Any]:
    shaped = [spec((size,) * array.ndim, array.dtype) for array in program.arguments(2)]
    return partial(trace, rewritten(program, program.steps(operations)), *shaped, mode="fake")


def _highest(function: Callable[[], Any]) -> int:
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
