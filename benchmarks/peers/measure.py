"""Tracing beside JAX and PyTorch, on the same functions in the same run.

Before the clock starts, what a peer traced is run and held against NumPy's result: the functions are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.clock import Side, least
from benchmarks.peers import Peer, installed, missing
from benchmarks.programs import PROGRAMS, Program
from benchmarks.table import Section, factor, number
from benchmarks.tracing import SIZE, ours, plainly, rewritten
from tracer import trace

OPERATIONS = 2_000
ROUNDS = 3
GOALS = {"make_jaxpr": 10, "make_fx": 100}
"""How many times less µs an operation ours is to take."""


def section(operations: int = OPERATIONS, rounds: int = ROUNDS) -> list[Section]:
    found = installed()
    absent = " and ".join(missing())
    note = f"Not installed here, so not measured: {absent}. `make bench` installs them." if absent else ""
    versions = ", ".join(dict.fromkeys(peer.version for peer in found))
    taken = [_measured(program, found, operations, rounds) for program in PROGRAMS]
    names = tuple(peer.name for peer in found)
    costs = Section(
        "Beside other tracers",
        f"µs of CPU an operation, about {operations:,} operations, arrays of {SIZE} × {SIZE}, float64"
        f"{f'; {versions}' if versions else ''}. Each traces a new function object each time. An operation is one that "
        "stands in the source, whatever a library makes of it.",
        ("program", "NumPy", "recorded", "graph", "complete", *names),
        tuple((name, *map(number, row)) for name, row in taken),
        note,
    )
    ratios = Section(
        "Times less than other tracers",
        "The same figures as ratios: first to the graph, which is what the others give, then to the complete trace.",
        ("program", *(f"{name} (goal ≥ {GOALS[name.split(',')[0]]}×)" for name in names)),
        tuple(
            (name, *(f"{factor(cost / row[2])}, {factor(cost / row[3])}" for cost in row[4:])) for name, row in taken
        ),
    )
    nodes = Section(
        "What each recorded",
        "Nodes of the graphs (equations of the jaxpr), for the operations that stand in the source.",
        ("program", "operations", "nst", *names),
        tuple(_nodes(program, found, operations) for program in PROGRAMS),
    )
    return [costs, ratios, nodes] if found else [costs]


def _measured(program: Program, peers: list[Peer], operations: int, rounds: int) -> tuple[str, list[float]]:
    """µs an operation: NumPy, recorded, graph, complete, then each peer."""
    steps, args = program.steps(operations), program.arguments(SIZE)
    sides = [plainly(program.make(steps), args), *ours(program, steps, args)]
    sides += [_traced(peer, program, steps, args) for peer in peers]
    return program.name, [seconds / (steps * program.operations) * 1e6 for seconds in least(sides, rounds)]


def _traced(peer: Peer, program: Program, steps: int, args: tuple[Any, ...]) -> Side:
    def ready() -> Callable[[], Any]:
        return partial(peer.trace, peer.make(program.name, steps), peer.arguments(args))

    return ready


def _nodes(program: Program, peers: list[Peer], operations: int) -> tuple[str, ...]:
    steps, args = program.steps(operations), program.arguments(SIZE)
    expected = program.make(steps)(*(np.array(a) for a in args))
    mine = sum(node.function is not None for node in trace(rewritten(program, steps), *args).graph.nodes)
    counts = [f"{steps * program.operations:,}", f"{mine:,}"]
    for peer in peers:
        traced = peer.opened(peer.trace(peer.make(program.name, steps), peer.arguments(args)))
        if not np.allclose(traced.run(*args), expected):
            raise AssertionError(f"{peer.name} traced another function than NumPy's {program.name}")
        counts.append(f"{traced.nodes:,}")
    return program.name, *counts
