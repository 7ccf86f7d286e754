"""A folded graph's text runs and gives what the graph gives, bit for bit; alike iterations are printed once."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.tracer.oracle import Function, outcome, same
from tests.tracer.straight import programs
from tracer import Trace, load_module, trace
from tracer.printing import code

_numbers = itertools.count()


def run(text: str) -> Function:
    """The function that a graph's text defines."""
    namespace: dict[str, Any] = {"__name__": "printed_graph"}
    exec(compile(text, "<graph>", "exec"), namespace)
    function: Function = next(v for v in namespace.values() if getattr(v, "__module__", "") == "printed_graph")
    return function


def traced(folder: Path, source: str, *args: Any, name: str = "f") -> Trace:
    path = folder / f"folding_{next(_numbers)}.py"
    path.write_text(source, encoding="utf-8")
    made = trace(getattr(load_module(path), name), *args)
    assert made.error is None, made.error
    return made


def agree(made: Trace, *args: Any) -> str:
    """Hold the folded and the unfolded text against the graph; the folded text."""
    folded, unfolded = made.graph.code, code(made.graph, folded=False)
    wanted = outcome(made.graph.replay, args)
    same(outcome(run(unfolded), args), wanted, f"unfolded\n{unfolded}")
    same(outcome(run(folded), args), wanted, f"folded\n{folded}\nunfolded\n{unfolded}")
    return folded


@given(program=programs())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_folded_programs_give_what_the_graph_gives(program: str, tmp_path_factory: pytest.TempPathFactory):
    args = (np.arange(6), np.arange(6) * 3 - 7, np.arange(8) % 5, [np.arange(6) * k for k in range(5)])
    made = traced(tmp_path_factory.getbasetemp(), program, *args)
    agree(made, *args)
    agree(made, *[a[::-1].copy() if isinstance(a, np.ndarray) else a[::-1] for a in args])
