"""What is said about files once their examples are traced: each finding at its place, unless it is silenced."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from nst_lsp.analysis.traced import Traced, advance
from nst_lsp.checking.check import Checked, gather
from nst_lsp.checking.summary import sentence
from nst_lsp.project import Wishes, projects
from nst_lsp.sources import disk
from tests.cli.samples import finding, scale_report
from tracer.rules import Severity
from tracer.worker.wire import ExampleDone, FileDone, Finding, ModuleLoaded

SOURCE = """\
import numpy as np

# nst: example(np.ones(3))
def scale(x):
    if x.shape[0] > 2:
        return x * 2
    return x
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.nst]\n")
    path = tmp_path / "ops.py"
    path.write_text(SOURCE)
    return path


def traced(path: Path, *findings: Finding, error: str | None = None) -> Traced:
    """What the worker's messages about a file with one function and one example add up to."""
    function = scale_report(*findings)
    messages: list[ModuleLoaded | ExampleDone | FileDone] = [
        ModuleLoaded(1, (), (function,)),
        ExampleDone(1, function.name, function.examples[0]),
        FileDone(1, error),
    ]
    known = Traced(str(path))
    for message in messages:
        known = advance(known, message, {})
    return known


def gathered(*tracings: Traced, wishes: Wishes = Wishes()) -> Checked:  # noqa: B008 (frozen)
    return gather(tracings, projects(wishes), disk())


def test_findings_go_to_the_file_they_lie_in(file: Path):
    helper, other = file.with_name("a.py"), file.with_name("z.py")
    helper.write_text(SOURCE)
    there, here, unasked = (finding(path=str(path)) for path in (helper, file, other))
    checked = gathered(traced(file, there, here, unasked), traced(helper))
    assert [(result.path, list(result.findings), len(result.functions)) for result in checked.results] == [
        (str(helper), [there], 1),
        (str(file), [here], 1),
        (str(other), [unasked], 0),
    ]


def test_the_same_fault_of_a_helper_reached_from_two_files_is_one(file: Path):
    second = file.with_name("second.py")
    second.write_text(SOURCE)
    checked = gathered(traced(file, finding(path=str(file))), traced(second, finding(path=str(file), function="g")))
    assert [len(result.findings) for result in checked.results] == [1, 0]


def test_a_comment_silences(file: Path):
    file.write_text(SOURCE.replace("> 2:", "> 2:  # nst: ignore[NST102]"))
    checked = gathered(traced(file, finding(path=str(file)), finding("NST103", path=str(file))))
    assert [one.code for one in checked.findings] == ["NST103"]


def test_a_comment_that_silences_nothing_is_a_hint(file: Path):
    file.write_text(SOURCE.replace("> 2:", "> 2:  # nst: ignore[NST102]"))
    [hint] = gathered(traced(file)).findings
    assert (hint.severity, hint.text) == (Severity.HINT, "# nst: ignore[NST102]")


def test_wishes_and_settings_select(file: Path):
    (file.parent / "pyproject.toml").write_text('[tool.nst]\nselect = ["NST1"]\nseverity = { NST102 = "error" }\n')
    tracing = traced(file, finding(path=str(file)), finding("NST204", path=str(file)))
    assert [(one.code, one.severity) for one in gathered(tracing).findings] == [("NST102", Severity.ERROR)]
    by_wish = gathered(tracing, wishes=Wishes(select=("NST2",)))
    assert [one.code for one in by_wish.findings] == ["NST204"]
    assert not list(gathered(tracing, wishes=Wishes(ignore=("branch-on-shape",))).findings)


def test_the_summary_counts(file: Path):
    two = traced(file, finding(path=str(file)), finding("NST501", path=str(file), severity=Severity.ERROR))
    assert sentence(gathered(two), 0.84) == snapshot("2 findings (1 error, 1 warning) in 1 of 1 function, 0.8 s")
    assert sentence(gathered(traced(file)), 0.84) == snapshot("no findings in 1 function, 0.8 s")
    failed = traced(file, error="the worker died")
    assert sentence(gathered(failed), 0.84) == snapshot("no findings in 1 function, 1 file could not be checked, 0.8 s")
    assert sentence(gathered(Traced(str(file))), 0.84) == snapshot(
        "no examples found in 1 file: `nst init` proposes some, 0.8 s"
    )
