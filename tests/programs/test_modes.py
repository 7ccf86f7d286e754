"""Tracing without contents: the same graph as with them, right on real data, and at no cost of memory."""

from __future__ import annotations

import tracemalloc
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.programs.graphs import abstract, rows
from tests.programs.program import Program
from tests.programs.registry import PROGRAMS
from tests.programs.running import cases, plain, rewritten, traced
from tests.tracer.oracle import executed, outcome, same
from tracer import GuardError, Trace, spec, trace
from tracer.trees import map_leaves

ASK_CONTENTS = {
    "indexing.mandelbrot": "NST404",
    "indexing.mandelbrot_shrinking": "NST404",
    "indexing.weighted_histogram": "NST404",
    "indexing.spmv_rows": "NST404",
    "indexing.page_rank": "NST404",
    "dynamics.elastic_collisions": "NST404",
    "geometry.rasterise": "NST404",
    "estimation.k_means": "NST404",
    "particles.drift": "NST404",
    **dict.fromkeys((f"{p.module}.{p.function}" for p in PROGRAMS if p.decided), "NST101"),
}
"""Programs that cannot be traced without contents, and the rule that says why."""

FREE = [p for p in PROGRAMS if f"{p.module}.{p.function}" not in ASK_CONTENTS]
MODES = ("real", "fake")
HUGE = {"networks.residual_block": 10**5}
"""The size of abstract examples is a million, unless NumPy itself has no place for such a shape."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def in_mode(program: Program, mode: str) -> Trace:
    found = trace(rewritten(program), *program.at(program.size), mode=mode)
    assert found.error is None, found.error
    return found


@pytest.mark.parametrize("program", cases(FREE))
def test_without_contents_the_graph_is_the_same(program: Program) -> None:
    real, fake = (in_mode(program, mode) for mode in MODES)
    assert rows(fake.graph) == rows(real.graph)
    assert fake.graph.code == real.graph.code
    findings = [[(f.code, f.place.span, f.count) for f in found.findings] for found in (real, fake)]
    assert findings[0] == findings[1]


@pytest.mark.parametrize("program", cases(FREE))
@pytest.mark.parametrize("mode", MODES)
def test_with_real_data_it_gives_the_right_bits(program: Program, mode: str) -> None:
    found = in_mode(program, mode)
    text = executed(found)
    for seed in (0, 1):
        args = program.at(program.size, seed)
        wanted = outcome(plain(program), args)
        same(outcome(found.graph, args), wanted, f"called, seed {seed}")
        same(outcome(text, args), wanted, f"printed, seed {seed}")


@pytest.mark.parametrize("program", cases(FREE))
def test_an_abstract_example_gives_the_graph_for_all_sizes(program: Program) -> None:
    """In symbolic mode too contents are not needed: the graph, what is said of it, and where it holds are the same."""
    args = [map_leaves(value, lambda leaf, _: abstract(leaf)) for value in program.at(program.size)]
    found, concrete = trace(rewritten(program), *args), traced(program)
    assert found.error is None, found.error
    assert rows(found.graph) == rows(concrete.graph)
    assert [guard.text for guard in found.guards] == [guard.text for guard in concrete.guards]
    assert [(f.code, f.place.span) for f in found.findings] == [(f.code, f.place.span) for f in concrete.findings]
    for size in program.right:
        wanted = outcome(plain(program), program.at(size, 5))
        same(outcome(found.graph, program.at(size, 5)), wanted, f"size {size}")
    for size in program.refused:
        with pytest.raises(GuardError):
            found.graph(*program.at(size, 5))


@pytest.mark.parametrize("program", cases(PROGRAMS))
@pytest.mark.parametrize("mode", MODES)
def test_constant_sizes_are_guarded(program: Program, mode: str) -> None:
    """Where sizes are constants, the graph is right at another size or refuses it: never a wrong number."""
    found = trace(rewritten(program), *program.at(program.size), mode=mode)
    if found.error is not None:
        return
    for size in (*program.right, *program.refused):
        args = program.at(size, 3)
        try:
            got = outcome(found.graph, args)
        except GuardError:
            continue
        same(got, outcome(plain(program), args), f"size {size}")


def test_a_constant_size_is_told_before_numpy_raises() -> None:
    def sized(x):
        return np.zeros(x.shape) + x

    graph = trace(sized, np.ones(3), mode="real").graph
    with pytest.raises(GuardError):
        graph(np.ones(5))


@pytest.mark.parametrize("program", cases(p for p in PROGRAMS if p not in FREE))
def test_what_asks_contents_says_so(program: Program) -> None:
    """The graph ends there, with one error, and is right as far as it goes."""
    found = trace(rewritten(program), *program.at(program.size), mode="fake")
    assert found.error is not None
    told = [f.code for f in found.findings if f.severity.value == "error"]
    assert told == [ASK_CONTENTS[f"{program.module}.{program.function}"]]
    assert "graph ends here" in next(f.message for f in found.findings if f.severity.value == "error")
    compile(found.graph.code, "<partial>", "exec")


MADE = {"buffers.triangles": "NumPy itself makes an array of the size of one side"}


@pytest.mark.parametrize("program", cases((p for p in FREE if p.symbolic), MADE))
def test_a_huge_example_costs_no_memory(program: Program) -> None:
    args = huge(program)
    if args is None:
        pytest.skip("its sizes do not grow by one rule")
    tracemalloc.start()
    try:
        found = trace(rewritten(program), *args)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.error is None, found.error
    assert peak < 4_000_000, f"{peak:,} bytes"
    assert len(found.graph.nodes) == len(traced(program).graph.nodes)


def huge(program: Program) -> list[Any] | None:
    """Abstract arguments at a size no computer holds; None where a size does not grow evenly with the program's."""
    args: list[Any] = []
    size = HUGE.get(program.name, 10**6)
    for a, b, c in zip(*(program.at(program.size + more) for more in (0, 1, 3)), strict=True):
        if not isinstance(a, np.ndarray):
            args.append(a)
            continue
        steps = [y - x for x, y in zip(a.shape, b.shape, strict=True)]
        if [x + 3 * step for x, step in zip(a.shape, steps, strict=True)] != list(c.shape):
            return None
        sizes = (x + (size - program.size) * step for x, step in zip(a.shape, steps, strict=True))
        args.append(spec(tuple(sizes), a.dtype))
    return args
