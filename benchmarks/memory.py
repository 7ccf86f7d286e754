"""Memory a node: what Python and NumPy allocate for a trace, by tracemalloc, and what the process grows by.

`python -m benchmarks.memory NODES` prints the growth of a fresh process's resident memory, in bytes a node (Linux).
"""

from __future__ import annotations

import gc
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.programs import ELEMENTWISE, PROGRAMS, Program
from benchmarks.table import Section, number
from benchmarks.tracing import MODE, SIZE, rewritten
from tracer import trace
from tracer.capture import capture

NODES = 100_000
RESIDENT = 1_000_000
GOAL = 1_024
"""Bytes a node."""
_STATUS = Path("/proc/self/statm")


def section(nodes: int = NODES, resident: int = RESIDENT) -> Section:
    rows = [(program.name, *(number(size) for size in _sizes(program, nodes)), f"≤ {GOAL:,}") for program in PROGRAMS]
    told = (
        f"At {nodes:,} nodes, arrays of {SIZE} × {SIZE}, by tracemalloc. *Graph*: when all else of the trace is gone."
    )
    return Section(
        "Memory, bytes a node",
        told,
        ("program", "recorded", "complete trace", "highest while tracing", "graph", "goal"),
        tuple(rows),
        _resident(resident) if _STATUS.exists() else "",
    )


def _sizes(program: Program, nodes: int) -> list[float]:
    """Bytes a node: the recorded run; the complete trace, and the most it took on the way; the graph alone."""
    steps, args = program.steps(nodes), program.arguments(SIZE)
    function, count = rewritten(program, steps), steps * program.operations
    trace(rewritten(program, 1), *args)  # what is made once is not the nodes'
    with _allocations():
        recorded = capture(function, args, {}, MODE)
        sizes = [_allocated()]
        del recorded
    with _allocations():
        complete = trace(function, *args)
        highest = tracemalloc.get_traced_memory()[1]
        sizes += [_allocated(), highest]
        graph = complete.graph
        del complete
        sizes.append(_allocated())
        del graph
    return [size / count for size in sizes]


@contextmanager
def _allocations() -> Iterator[None]:
    """Count what is allocated in the `with` block."""
    gc.collect()
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


def _allocated() -> int:
    """Bytes that were allocated since counting began and are still in use."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _resident(nodes: int) -> str:
    command = [sys.executable, "-m", "benchmarks.memory", str(nodes)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    told = f"A fresh process grows by {number(float(done.stdout))} bytes a node for the complete trace of the "
    return f"{told}{ELEMENTWISE.name} of {nodes:,} nodes, and keeps that while it holds the trace."


def grown(nodes: int) -> float:
    """Bytes a node by which the resident memory of this process grows for a trace."""
    args = ELEMENTWISE.arguments(SIZE)
    trace(rewritten(ELEMENTWISE, 1), *args)
    gc.collect()
    before = _pages()
    kept = trace(rewritten(ELEMENTWISE, ELEMENTWISE.steps(nodes)), *args)
    gc.collect()
    return (_pages() - before) * 4096 / len(kept.graph.nodes)


def _pages() -> int:
    return int(_STATUS.read_text().split()[1])


if __name__ == "__main__":
    print(grown(int(sys.argv[1])))
