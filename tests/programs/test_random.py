"""Random programs without contents: the graph, and what is said of it, are those of a trace with contents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz import check
from tests.fuzz.programs import Program, programs
from tests.programs.graphs import abstract, rows
from tracer import Trace, trace

SETTLED = frozenset({"NST206", "NST207", "NST209", "NST301", "NST302", "NST304", "NST305"})
"""After one of these a second run need not be like the first."""


@pytest.mark.parametrize("turn", range(4))
def test_contents_change_nothing_where_none_are_asked(turn: int, tmp_path: Path) -> None:
    @settings(max_examples=25, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(programs(turn))
    def holds(program: Program) -> None:
        with check._quietly():
            space = vars(check._rewritten(program, str(tmp_path / "program.py")))
            concrete = traced(program, space)
            if concrete.error is not None or SETTLED & {f.code for f in concrete.findings}:
                return
            compared(traced(program, space, without_contents=True), concrete)
            compared(traced(program, space, mode="fake"), traced(program, space, mode="real"))

    holds()


def traced(program: Program, space: dict[str, Any], *, mode: str = "symbolic", without_contents: bool = False) -> Trace:
    """A trace of a program on its example, or on the shapes and dtypes of that."""
    arrays = check._example(program.leaves)
    args, kwargs = check._arguments(program, space, [abstract(a) for a in arrays] if without_contents else arrays)
    return trace(check._target(program, space), *args, mode=mode, **kwargs)


def compared(found: Trace, wanted: Trace) -> None:
    """The same nodes and findings; or one error that tells what was asked."""
    if found.error is not None:
        assert len([f for f in found.findings if f.severity.value == "error"]) == 1
        return
    assert rows(found.graph) == rows(wanted.graph)
    assert [(f.code, f.place.span) for f in found.findings] == [(f.code, f.place.span) for f in wanted.findings]
