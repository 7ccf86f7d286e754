"""How the cost of a node grows with their number: it should not."""

from __future__ import annotations

from benchmarks.clock import least
from benchmarks.programs import ELEMENTWISE, STENCIL, Program
from benchmarks.table import Section, factor, number
from benchmarks.tracing import SIZE, ours

LENGTHS = (1_000, 10_000, 100_000, 1_000_000)
PROGRAMS = (ELEMENTWISE, STENCIL)
ROUNDS = {1_000: 15, 10_000: 7, 100_000: 3}
"""Rounds by number of nodes; two where there are more."""


def section(lengths: tuple[int, ...] = LENGTHS) -> Section:
    rows = []
    for program in PROGRAMS:
        costs = [_cost(program, length) for length in lengths]
        for place, what in enumerate(("recorded", "complete")):
            each = [cost[place] for cost in costs]
            rows.append((f"{program.name}, {what}", *map(number, each), factor(each[-1] / each[0]), "1×"))
    columns = ("µs of CPU a node, at nodes:", *(f"{length:,}" for length in lengths), "last to first", "goal")
    return Section("Growth", "The same programs, longer: the cost of a node when there are many.", columns, tuple(rows))


def _cost(program: Program, length: int) -> list[float]:
    """µs a node: recorded, complete."""
    steps = program.steps(length)
    recording, _, tracing = ours(program, steps, program.arguments(SIZE))
    taken = least([recording, tracing], ROUNDS.get(length, 2))
    return [seconds / (steps * program.operations) * 1e6 for seconds in taken]
