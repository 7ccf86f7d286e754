"""Printing long graphs: time a node, and how long the text is."""

from __future__ import annotations

from benchmarks.clock import least
from benchmarks.programs import PROGRAMS
from benchmarks.table import Section, number
from benchmarks.tracing import SIZE, rewritten
from tracer import trace

NODES = 100_000


def section(nodes: int = NODES, rounds: int = 2) -> Section:
    rows = []
    for program in PROGRAMS:
        graph = trace(rewritten(program, program.steps(nodes)), *program.arguments(SIZE)).graph
        (taken,) = least([lambda: lambda: graph.code], rounds)  # noqa: B023  # run in this very turn of the loop
        lines = graph.code.count("\n")
        rows.append((program.name, f"{len(graph.nodes):,}", number(taken / len(graph.nodes) * 1e6), f"{lines:,}"))
    return Section(
        "Printing",
        "µs of CPU a node for the text of a graph (`graph.code`), and its lines.",
        ("program", "nodes", "text", "lines"),
        tuple(rows),
    )
