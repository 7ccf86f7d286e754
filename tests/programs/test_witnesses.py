"""A search for witnesses raises no alarm where there is nothing to find, and proves what there is."""

from __future__ import annotations

import pytest

from tests.programs.program import Program
from tests.programs.registry import PROGRAMS
from tests.programs.running import cases, plain, rewritten, traced
from tracer import GuardError, trace
from tracer.rules import Severity
from tracer.worker.wire import Verdict

RIGHT = frozenset({"NST303", "NST404"})
"""After these the graph is right for all arguments: it writes what the function writes, and asks its own arrays."""
MODULES = sorted({p.module for p in PROGRAMS})
UNROLLED = ("factorizations.thomas", "factorizations.lu", "tables.nussinov", "recurrences.durbin", "integers.go_fast")


@pytest.mark.parametrize("module", MODULES)
def test_no_witness_against_a_graph_that_is_right(module: str) -> None:
    mine = [p for p in PROGRAMS if p.module == module and not p.along]
    for program in mine:
        before = traced(program).findings
        if not {f.code for f in before} <= RIGHT:
            continue
        found = trace(rewritten(program), *program.at(program.size), verify=True)
        assert found.verdict is Verdict.AGREES, program.name
        assert [(f.code, f.place.span) for f in found.findings] == [(f.code, f.place.span) for f in before], (
            program.name
        )
        loud = [f for f in found.findings if f.witness or f.severity in (Severity.WARNING, Severity.ERROR)]
        assert not loud, program.name


@pytest.mark.parametrize("program", cases(p for p in PROGRAMS if p.name in UNROLLED))
def test_an_unrolled_loop_is_proven_by_another_size(program: Program) -> None:
    """The witness is real: for these arguments replaying the graph goes wrong, and calling it refuses."""
    found = trace(rewritten(program), *program.at(program.size), verify=True)
    assert found.verdict is Verdict.DIFFERS
    loops = [f for f in found.findings if f.code == "NST106"]
    assert loops
    for finding in loops:
        assert finding.severity is Severity.WARNING
        assert finding.witness is not None
        assert finding.witness.function != finding.witness.graph
    other = program.at(program.refused[-1], 1)
    with pytest.raises(GuardError):
        found.graph(*other)
    plain(program)(*program.at(program.refused[-1], 1))
