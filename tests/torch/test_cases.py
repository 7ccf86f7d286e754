"""The marked cases on tensors: what is found in them is what their marks say, and what their graphs print as runs.

They are traced in this process, which has PyTorch imported; `test_command.py` takes the way of the command line.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.marks import marks, problems, with_marks
from tests.torch.versions import CASES_SINCE, TORCH
from tracer.addresses import UNNAMED
from tracer.examples import Example, collect, evaluate, written_arguments
from tracer.loader import load_module
from tracer.positions import FILES
from tracer.report import compare_results, run_plainly
from tracer.tracing import Trace, trace_call, verified
from tracer.trials import Trials

CASES = [
    path
    for path in sorted(Path(__file__).with_name("cases").glob("*.py"))
    if CASES_SINCE.get(path.stem, TORCH) <= TORCH
]
SECONDS = 30.0


@dataclass
class Traced:
    """One example of a case."""

    example: Example
    found: Trace
    arguments: tuple[Any, ...]


@pytest.fixture(scope="module", params=CASES, ids=lambda path: path.stem)
def case(request) -> tuple[Path, list[Traced]]:
    torch.manual_seed(0)
    module = load_module(request.param)
    examples, misplaced = collect(FILES[str(module.__file__)])
    assert examples
    assert not misplaced
    traced = []
    for example in examples:
        function, args, kwargs = evaluate(example, module)
        with Trials(function, args, kwargs, "symbolic") as trials:
            found = trace_call(function, args, kwargs, "symbolic")
            found = verified(found, trials, written_arguments(example, function), SECONDS)
        traced.append(Traced(example, found, (args, kwargs)))
    return request.param, traced


def test_the_findings_are_those_marked(case: tuple[Path, list[Traced]]):
    path, traced = case
    assert not [each.found.error for each in traced if each.found.error is not None]
    source = path.read_text(encoding="utf-8")
    reported = [_plain(finding) for each in traced for finding in each.found.findings]
    reported = [f for i, f in enumerate(reported) if f not in reported[:i]]  # a method that two examples reach
    wrong = problems(marks(source), reported, lambda: False)
    assert not wrong, "\n".join([*wrong, "", "the marks it got:", with_marks(source, reported)])


def test_printed_graphs_give_what_the_graphs_give(case: tuple[Path, list[Traced]]):
    for each in case[1]:
        graph, (args, kwargs) = each.found.graph, each.arguments
        space: dict[str, Any] = {}
        exec(compile(graph.code, "<graph>", "exec"), space)
        printed = space[graph.name]
        args = (*graph.brought().values(), *args)
        plain, own = run_plainly(printed, args, kwargs), run_plainly(graph.replay, args[len(graph.given) :], kwargs)
        assert own.error is None, f"{each.example.function}: {own.text}\n{graph.code}"
        if UNNAMED in graph.code:  # it says so, and does not pass for one that runs
            assert isinstance(plain.error, TypeError)
            continue
        assert compare_results(plain, own), f"{plain.text} is not {own.text}:\n{graph.code}"


def _plain(finding: Any) -> dict[str, Any]:
    span = finding.place.span
    start, end = {"line": span.line, "column": span.column}, {"line": span.end_line, "column": span.end_column}
    return {
        "code": finding.code, "severity": finding.severity.value, "message": finding.message,
        "range": {"start": start, "end": end},
    }  # fmt: skip
