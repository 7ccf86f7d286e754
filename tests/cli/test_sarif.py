"""SARIF: valid by its schema whatever is told, and what a viewer makes of it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nst_lsp.analysis.text import Text
from nst_lsp.checking.formats import by_line
from nst_lsp.checking.formats.sarif import Log, sarif
from nst_lsp.checking.report import FileResult
from nst_lsp.sources import disk
from tests.cli.command import nst
from tests.cli.samples import PATH, SOURCE, WITNESS, finding
from tests.cli.sarif import assert_is_sarif
from tests.cli.test_check import BRANCH, folder
from tests.cli.test_check import write as write_source
from tests.cli.test_notebooks import write as write_notebook
from tracer.rules import RULES, Severity
from tracer.worker.wire import Edit, Fix, Place, Related, Span

__all__ = ["folder"]

ROOT = Path("/project")


def made(*results: FileResult, root: Path = ROOT, **fields: Any) -> Any:
    """The run of a log that has been through JSON, so that only what JSON knows is in it."""
    log = Log("0.1.0", results, root, lambda path: Text(SOURCE) if path == PATH else None, **fields)
    document = json.loads(json.dumps(sarif(log)))
    assert_is_sarif(document)
    return document["runs"][0]


def test_all_that_a_finding_may_have_is_valid():
    edits = (Edit(Span(5, 8, 5, 22), "np.where(größe)"), Edit(Span(7, 1, 7, 1), "\n"))
    full = finding(
        witness=WITNESS,
        related=(Related("here", Place("/elsewhere/my lib.py", Span(1, 2, 3, 1))),),
        fixes=(Fix("Choose", True, edits), Fix("Guess", False, edits), Fix("No text", True)),
    )
    run = made(
        FileResult(PATH, (), (full, finding("NST201"), finding("unused-ignore", function=""))),
        FileResult("/project/broken.py", error="the worker died: killed"),
    )
    assert [result["ruleId"] for result in run["results"]] == ["NST102", "NST201", "unused-ignore"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]][: len(RULES)] == list(RULES)
    [invocation] = run["invocations"]
    assert not invocation["executionSuccessful"]
    [fix] = run["results"][0]["fixes"]
    [change] = fix["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "ops.py", "uriBaseId": "SRCROOT"}
    assert [one["insertedContent"]["text"] for one in change["replacements"]] == ["np.where(größe)", "\n"]


@settings(deadline=None, max_examples=40)  # the whole schema is walked each time
@given(st.text(), st.text(), st.text(), st.none() | st.text(), st.sampled_from(Severity))
def test_any_text_is_valid(message, text, function, value, severity):
    odd = finding(message=message or "?", text=text, function=function, value=value, severity=severity)
    made(FileResult(PATH, (), (odd,)))


def test_a_region_is_the_finding_s_range():
    [result] = made(FileResult(PATH, (), (finding(),)))["results"]
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "ops.py", "uriBaseId": "SRCROOT"},
        "region": {
            "startLine": 5,
            "startColumn": 8,
            "endLine": 5,
            "endColumn": 22,
            "snippet": {"text": "x.shape[0] > 2"},
        },
    }


@pytest.mark.parametrize(
    ("path", "artifact"),
    [
        ("/project/my code/数.py", {"uri": "my%20code/%E6%95%B0.py", "uriBaseId": "SRCROOT"}),
        ("/project/50%#?.py", {"uri": "50%25%23%3F.py", "uriBaseId": "SRCROOT"}),
        (os.fsdecode(b"/project/caf\xe9.py"), {"uri": "caf%E9.py", "uriBaseId": "SRCROOT"}),
        ("/elsewhere/a b.py", {"uri": "file:///elsewhere/a%20b.py"}),
        (os.fsdecode(b"/elsewhere/caf\xe9.py"), {"uri": "file:///elsewhere/caf%E9.py"}),
    ],
)
def test_a_path_is_a_uri(path: str, artifact: dict[str, str]):
    run = made(FileResult(path, (), (finding(path=path),)), FileResult(path, error="broken"))
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == artifact
    [notification] = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["locations"][0]["physicalLocation"]["artifactLocation"] == artifact
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == "file:///project/"


def test_the_root_of_the_file_system_may_be_the_root():
    run = made(FileResult(PATH, (), (finding(),)), root=Path("/"))
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == "file:///"
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "project/ops.py"


def test_a_fingerprint_survives_a_move_to_another_line():
    [first] = made(FileResult(PATH, (), (finding(),)))["results"]
    shifted = Log(
        "0.1.0", [FileResult(PATH, (), (finding(at=Span(7, 8, 7, 22)),))], ROOT, lambda _: Text("\n\n" + SOURCE)
    )
    [moved] = sarif(shifted)["runs"][0]["results"]
    [other] = made(FileResult(PATH, (), (finding(text="x.shape[0]"),)))["results"]
    assert first["partialFingerprints"] == moved["partialFingerprints"]
    assert first["partialFingerprints"] != other["partialFingerprints"]


def test_known_findings_are_left_out_or_marked():
    old, new = finding(), finding("NST201")
    result = FileResult(PATH, (), (new,), known=(old,))
    assert "baselineState" not in made(replace(result, known=()))["results"][0]
    [told] = made(result, against_baseline=True)["results"]
    assert (told["ruleId"], told["baselineState"]) == ("NST201", "new")
    run = made(result, against_baseline=True, with_known=True)
    assert [(one["ruleId"], one["baselineState"], "suppressions" in one) for one in run["results"]] == [
        ("NST201", "new", False),
        ("NST102", "unchanged", True),
    ]


def test_in_a_notebook_a_fix_has_no_place(tmp_path: Path):
    path = str(write_notebook(tmp_path / "a b.ipynb"))
    fixed = finding(path=path, at=Span(6, 16, 6, 20), fixes=(Fix("Choose", True, (Edit(Span(6, 16, 6, 20), "y"),)),))
    run = made(by_line(FileResult(path, (), (fixed,)), disk()), root=tmp_path)
    [result] = run["results"]
    assert "fixes" not in result
    assert result["message"]["text"].startswith("cell ")


def test_the_command_gives_the_same_log_at_every_run(folder: Path):
    """Three files, of which one cannot be imported and one is checked from a folder below the repository."""
    (folder / ".git").mkdir()
    write_source(folder, "pkg/ops.py", BRANCH)
    write_source(folder, "pkg/größe.py", BRANCH + "\nname = '\U0001f389'\n")
    write_source(folder, "pkg/broken.py", BRANCH + "def g(:\n")
    logs = [
        nst("check", "--format", "sarif", "--jobs", jobs, "../pkg", cwd=folder / "pkg").stdout
        for jobs in ("1", "3", "3")
    ]
    assert logs[0] == logs[1] == logs[2]
    document = json.loads(logs[0])
    assert_is_sarif(document)
    [run] = document["runs"]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert places == ["pkg/broken.py", "pkg/gr%C3%B6%C3%9Fe.py", "pkg/ops.py"]
    assert any("fixes" in result for result in run["results"])
