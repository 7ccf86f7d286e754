"""Every program's graph does what the program does: on other data, at other sizes, and where it cannot, it refuses."""

from __future__ import annotations

import ast
import importlib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.marks import Report, marks, problems, problems_by_statement, with_marks
from tests.programs.registry import PROGRAMS, Program
from tests.programs.running import KERNELS, cases, plain, printed, rewritten, traced
from tests.tracer.oracle import agrees, outcome, same
from tests.tracer.versions import EXACT
from tracer import GuardError, trace
from tracer.worker.wire import Finding

MODULES = sorted(KERNELS.glob("*.py"))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _alike(args: tuple[Any, ...]) -> tuple[int, int] | None:
    """The positions of two arrays of one shape and dtype, if there are any."""
    known: dict[Any, int] = {}
    for position, value in enumerate(args):
        if isinstance(value, np.ndarray):
            first = known.setdefault((value.shape, value.dtype), position)
            if first != position:
                return first, position
    return None


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


@pytest.mark.parametrize("program", cases(PROGRAMS))
def test_the_graph_does_what_the_program_does(program: Program) -> None:
    """Replayed, called, printed and executed; the traced run's own result too."""
    found = agrees(rewritten(program), *program.at(program.size), plain=plain(program))
    same(found.output, plain(program)(*program.at(program.size)), "the traced run's result")


@pytest.mark.parametrize("program", cases(PROGRAMS))
def test_on_other_data(program: Program) -> None:
    for seed in (1, 2, 3):
        args = program.at(program.size, seed)
        wanted = outcome(plain(program), args)
        try:
            called = outcome(traced(program).graph, args)
        except GuardError:
            assert program.decided
            continue
        same(called, wanted, f"called, seed {seed}")
        same(outcome(traced(program).graph.replay, args), wanted, f"replayed, seed {seed}")
        same(outcome(printed(program), args), wanted, f"printed, seed {seed}")


@pytest.mark.parametrize("program", cases(p for p in PROGRAMS if p.right))
def test_at_other_sizes(program: Program) -> None:
    for size in program.right:
        args = program.at(size, 4)
        wanted = outcome(plain(program), args)
        same(outcome(traced(program).graph, args), wanted, f"called at size {size}")
        same(outcome(printed(program), args), wanted, f"printed, at size {size}")


@pytest.mark.parametrize("program", cases(p for p in PROGRAMS if p.refused))
def test_other_sizes_are_refused(program: Program) -> None:
    for size in program.refused:
        args = program.at(size, 5)
        plain(program)(*args)  # the function itself takes them
        with pytest.raises(GuardError):
            traced(program).graph(*program.at(size, 5))


@pytest.mark.parametrize("program", cases(p for p in PROGRAMS if any(map(_is_number, p.at(p.size)))))
def test_other_numbers_are_refused(program: Program) -> None:
    """A non-array argument is a constant: with another value the graph is right or refuses."""
    args = program.at(program.size)
    for position, value in enumerate(args):
        if _is_number(value):
            others = (*args[:position], value + 1, *args[position + 1 :])
            with pytest.raises(GuardError):
                traced(program).graph(*others)


WITHOUT_COLUMNS = {
    "converging": "NST210 needs the columns of what is returned",
    "flows": "NST205 stands at the first line of a sum over several lines",
}
"""What differs in Python 3.10 by more than columns, and why."""


def _known(path: Path) -> list[Any]:
    reason = None if EXACT else WITHOUT_COLUMNS.get(path.stem)
    return [] if reason is None else [pytest.mark.xfail(strict=True, reason=reason)]


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem, marks=_known(path)) for path in MODULES])
def test_the_findings_are_those_marked(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    findings: dict[Any, Report] = {}
    for program in PROGRAMS:
        if program.module == path.stem:
            findings |= {(f.code, f.place.span): _report(f) for f in traced(program).findings}
    found = list(findings.values())
    wrong = problems(marks(source), found, lambda: False) if EXACT else problems_by_statement(marks(source), found)
    assert not wrong, "\n".join([*wrong, "", "the marks it got:", with_marks(source, found)])


@pytest.mark.parametrize("program", cases(p for p in PROGRAMS if _alike(p.at(p.size)) is not None))
def test_one_array_given_twice(program: Program) -> None:
    """The graph writes where the function writes: what two arguments share, it shares too."""
    alike = _alike(program.at(program.size))
    assert alike is not None
    results = []
    for function in (plain(program), traced(program).graph, printed(program)):
        args = list(program.at(program.size, 7))
        args[alike[1]] = args[alike[0]]
        results.append((function(*args), args))
    same(results[1], results[0], "called")
    same(results[2], results[0], "printed")


@pytest.mark.parametrize("program", cases(PROGRAMS))
def test_symbolic_means_that_no_condition_speaks_of_what_varies(program: Program) -> None:
    """Guards that stay true at every size, or none; and those that fail name a size."""
    graph = traced(program).graph
    for size in program.right:
        assert graph.failed_guards(*program.at(size, 6)) == []
    for size in program.refused:
        failed = graph.failed_guards(*program.at(size, 6))
        assert any("shape" in guard.text or "len(" in guard.text or "size" in guard.text for guard in failed)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_imported_in_the_ordinary_way_a_program_has_the_same_graph(path: Path) -> None:
    kernels = importlib.import_module(f"tests.programs.kernels.{path.stem}")
    program = next(p for p in PROGRAMS if p.module == path.stem)
    found = trace(getattr(kernels, program.function), *program.at(program.size))
    assert found.recorded == "source"
    assert found.graph.code == traced(program).graph.code
    assert [(f.code, f.place.span) for f in found.findings] == [
        (f.code, f.place.span) for f in traced(program).findings
    ]


def test_every_function_of_the_modules_is_a_program() -> None:
    defined = {
        f"{path.stem}.{node.name}"
        for path in MODULES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }
    assert defined == {f"{p.module}.{p.function}" for p in PROGRAMS}
    assert len({p.name for p in PROGRAMS}) == len(PROGRAMS)


def _report(finding: Finding) -> Report:
    span = finding.place.span
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "range": {
            "start": {"line": span.line, "column": span.column},
            "end": {"line": span.end_line, "column": span.end_column},
        },
    }
