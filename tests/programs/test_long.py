"""Long graphs: a loop of 100,000 nodes prints in the few lines that it was written in, and runs to the same bits."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.programs.program import Program
from tests.programs.registry import PROGRAMS
from tests.programs.running import cases, plain, rewritten
from tests.tracer.oracle import Table, outcome, same, table
from tracer import Trace, trace

STEPS = 12_500
SOURCE = f'''
import numpy as np

def rod(u):
    """Heat in a rod by explicit steps, the temperature of its middle kept every time."""
    middle = np.empty({STEPS})
    for t in range({STEPS}):
        flux = np.diff(u)
        u[1:-1] += 0.1 * np.diff(flux)
        middle[t] = u[u.shape[0] // 2]
    return u, middle
'''
ROD = np.random.default_rng(8).random(9)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(tmp_path_factory.mktemp("long"), SOURCE)


@pytest.fixture(scope="module")
def rod(made: Table) -> Trace:
    found = trace(made.traced.rod, ROD)
    assert found.error is None
    return found


def test_a_long_loop_is_recorded_whole(rod: Trace, made: Table) -> None:
    graph = rod.graph
    assert len(graph.nodes) >= 100_000
    wanted = outcome(made.plain["rod"], [ROD])
    same(outcome(graph.replay, [ROD]), wanted, "replayed")
    same(outcome(graph, [ROD * 2]), outcome(made.plain["rod"], [ROD * 2]), "called on other data")
    longer = np.concatenate([ROD, ROD])
    same(outcome(graph, [longer]), outcome(made.plain["rod"], [longer]), "called on a longer rod")


def test_a_statement_met_in_each_step_is_one_finding(rod: Trace) -> None:
    assert [(finding.code, finding.count) for finding in rod.findings] == [("NST303", STEPS)]


def test_it_prints_folded_and_runs_to_the_same_bits(rod: Trace, made: Table) -> None:
    text = rod.graph.code
    lines = text.splitlines()
    assert len(lines) < 30
    assert f"{STEPS:,} alike iterations" in text
    assert len([line for line in lines if line.lstrip().startswith("for ")]) == 1, text
    space: dict[str, Any] = {"__name__": "printed"}
    exec(text, space)
    same(outcome(space["rod"], [ROD]), outcome(made.plain["rod"], [ROD]), "printed and executed")


LOOPS = {
    "stencils.jacobi_1d": 2,
    "flows.channel_flow": 1,
    "solvers.conjugate_gradient": 2,
    "dynamics.lotka_volterra": 1,
}
"""Programs whose number of steps is an argument, with its position."""


@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_the_text_does_not_grow_with_the_steps(name: str) -> None:
    program = next(p for p in PROGRAMS if f"{p.module}.{p.function}" == name)
    texts = {}
    for steps in (20, 60):
        args = list(program.at(program.size))
        args[LOOPS[name]] = steps
        found = trace(rewritten(program), *args)
        texts[steps] = found.graph.code
        space: dict[str, Any] = {"__name__": "printed"}
        exec(texts[steps], space)
        same(outcome(space[program.function], args), outcome(plain(program), args), f"{steps} steps, printed")
    assert _without_numbers(texts[20]) == _without_numbers(texts[60])


GROWING = {"tables.nussinov", "transforms.fft", "recurrences.prefix_sum"}
"""Triangles within triangles, recursion and doubling, which fold in part."""


@pytest.mark.parametrize("program", cases(p for p in PROGRAMS if p.refused and p.name not in GROWING))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_text_does_not_grow_with_the_size(program: Program) -> None:
    lines = set()
    for size in (7, 9):
        text = trace(rewritten(program), *program.at(size)).graph.code
        lines.add(len(text.splitlines()))
        space: dict[str, Any] = {"__name__": "printed"}
        exec(text, space)
        wanted = outcome(plain(program), program.at(size, 1))
        same(outcome(space[program.function], program.at(size, 1)), wanted, f"size {size}, printed")
    assert len(lines) == 1, lines


def _without_numbers(text: str) -> str:
    """A printed graph without its numbers, and without the spaces that bring comments into a column."""
    return re.sub(r" +#", " #", re.sub(r"[\d,]+", "0", text))
