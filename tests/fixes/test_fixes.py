"""Every kind of fix: where it is offered, its text is the right one, runs, and has the finding no more."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixes import choices, inputs, numbers, state
from tests.fixes.mending import NotOffered, Offered, applied, findings, fixes, reports
from tracer.rules import Severity
from tracer.worker.wire import ExampleReport, Status

MODULES = (choices, inputs, numbers, state)
OFFERED: dict[str, Offered] = {
    f"{m.__name__.rpartition('.')[2]}: {name}": case for m in MODULES for name, case in m.OFFERED.items()
}
NOT_OFFERED: dict[str, NotOffered] = {
    f"{m.__name__.rpartition('.')[2]}: {name}": case for m in MODULES for name, case in m.NOT_OFFERED.items()
}


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[ExampleReport]]:
    """The reports of all texts, from one worker."""
    texts = [case.before for case in OFFERED.values()] + [case.before for case in NOT_OFFERED.values()]
    texts += [case.after for case in OFFERED.values()]
    found: Any = reports(list(dict.fromkeys(texts)), tmp_path_factory.mktemp("fixes"))
    return dict(zip(dict.fromkeys(texts), found, strict=True))


@pytest.mark.parametrize("name", OFFERED)
def test_a_fix_makes_the_text(name: str, traced: dict[str, list[ExampleReport]]):
    case = OFFERED[name]
    made = [applied(case.before, fix.edits) for finding, fix in fixes(traced[case.before]) if finding.code == case.code]
    assert case.after in made, "\n----\n".join(made) or [f"{f.code} {f.text}" for f in findings(traced[case.before])]


@pytest.mark.parametrize("name", OFFERED)
def test_the_text_runs_and_the_finding_is_gone(name: str, traced: dict[str, list[ExampleReport]]):
    case = OFFERED[name]
    after = traced[case.after]
    assert after
    assert all(report.status is Status.TRACED for report in after)
    left = [f for f in findings(after) if f.code == case.code]
    if case.code == "NST206":  # a draw from an argument is the example's, as any argument that is no array
        assert all(f.severity is Severity.INFORMATION for f in left)
    else:
        assert not left


@pytest.mark.parametrize("name", NOT_OFFERED)
def test_there_is_none(name: str, traced: dict[str, list[ExampleReport]]):
    case = NOT_OFFERED[name]
    told = [f for f in findings(traced[case.before]) if f.code == case.code]
    assert told, [f"{f.code} {f.text}" for f in findings(traced[case.before])]
    made = [applied(case.before, fix.edits) for finding in told for fix in finding.fixes]
    assert not made, "\n----\n".join(made)


def test_all_that_is_offered_was_tried(traced: dict[str, list[ExampleReport]]):
    offered = [fix for case in traced.values() for _, fix in fixes(case)]
    assert offered
    assert all(fix.verified and fix.edits for fix in offered)
