"""The JSON of check and the formats made from the same results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from nst_lsp.analysis.text import Text
from nst_lsp.formats import github, sarif
from nst_lsp.report import FileResult, once, report_json
from tests.cli.samples import PATH, SOURCE, WITNESS, finding, scale_report
from tracer.rules import RULES, Severity
from tracer.worker.wire import Fix, Place, Related, Span


def test_the_fields_are_those_of_schema_1():
    full = finding(
        witness=WITNESS,
        related=(Related("here", Place("/project/helpers.py", Span(1, 2, 1, 5))),),
        fixes=(Fix("Use np.where", True),),
    )
    result = FileResult(PATH, (scale_report(full),), (full,))
    assert report_json("0.1.0", [result]) == snapshot(
        {
            "schema": 1,
            "version": "0.1.0",
            "files": [
                {
                    "path": "/project/ops.py",
                    "error": None,
                    "functions": [
                        {
                            "name": "scale",
                            "line": 4,
                            "examples": [
                                {
                                    "index": 0,
                                    "source": "np.ones(3)",
                                    "origin": "comment",
                                    "status": "traced",
                                    "nodes": 1,
                                    "valid_for": "x.shape[0] > 2",
                                    "verdict": "differs",
                                    "retraces": 9,
                                    "milliseconds": 3.25,
                                }
                            ],
                        }
                    ],
                    "findings": [
                        {
                            "code": "NST102",
                            "name": "branch-on-shape",
                            "severity": "warning",
                            "message": "decided by a size: True for the example",
                            "function": "scale",
                            "example": 0,
                            "range": {"start": {"line": 5, "column": 8}, "end": {"line": 5, "column": 22}},
                            "text": "x.shape[0] > 2",
                            "value": "True",
                            "count": 1,
                            "witness": {
                                "arguments": {"x": "np.array([1., 2.])"},
                                "function": "array([0., 1.])",
                                "graph": "array([0.5, 0.7])",
                            },
                            "related": [
                                {
                                    "message": "here",
                                    "path": "/project/helpers.py",
                                    "range": {"start": {"line": 1, "column": 2}, "end": {"line": 1, "column": 5}},
                                }
                            ],
                            "fixes": [{"title": "Use np.where", "verified": True}],
                        }
                    ],
                }
            ],
        }
    )


def test_one_finding_an_expression_and_the_strongest():
    weak = finding(severity=Severity.INFORMATION)
    strong = finding(severity=Severity.WARNING, witness=WITNESS, example=1)
    other_code = finding("NST103")
    other_range = finding(at=Span(5, 8, 5, 18))
    assert once([weak, strong, other_code, other_range, finding(example=2)]) == [other_range, strong, other_code]


def test_the_order_of_arrival_does_not_matter():
    findings = [
        finding(at=Span(line, column, line, column + 2), message=f"{line}") for line in (9, 2, 5) for column in (7, 3)
    ]
    assert once(findings) == once(findings[::-1])


# ---- GitHub ----------------------------------------------------------------------------------------


def test_github_annotations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / "my,dir" / "ops.py")
    results = [
        FileResult(path, (), (finding(path=path, message="50% off\nor not"),)),
        FileResult(str(tmp_path / "z.py"), error="the worker died: killed"),
    ]
    assert "\n".join(github(results)) == snapshot("""\
::warning file=my%2Cdir/ops.py,line=5,col=8,endLine=5,endColumn=22,title=NST102 branch-on-shape::50%25 off%0Aor not
::error file=z.py,title=nst::the worker died: killed\
""")


# ---- SARIF -----------------------------------------------------------------------------------------


def log(*results: FileResult) -> Any:
    """A log that has been through JSON, so that only what JSON knows is in it."""
    made = sarif("0.1.0", results, lambda path: Text(SOURCE) if path == PATH else None)
    return json.loads(json.dumps(made))


def assert_is_sarif(document: dict) -> None:
    """What section 3 of SARIF 2.1.0 asks of the objects we use: required properties, value sets, indices."""
    assert document["version"] == "2.1.0"
    assert document["$schema"].endswith("sarif-schema-2.1.0.json")
    for run in document["runs"]:
        driver = run["tool"]["driver"]
        assert isinstance(driver["name"], str)
        rules = driver["rules"]
        assert len({rule["id"] for rule in rules}) == len(rules)
        assert run["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
        assert all(base["uri"].endswith("/") for base in run["originalUriBaseIds"].values())
        for invocation in run["invocations"]:
            assert isinstance(invocation["executionSuccessful"], bool)
            for notification in invocation["toolExecutionNotifications"]:
                assert notification["message"]["text"]
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["level"] in {"none", "note", "warning", "error"}
            assert result["message"]["text"]
            for place in [*result["locations"], *result.get("relatedLocations", [])]:
                physical = place["physicalLocation"]
                assert physical["artifactLocation"].get("uriBaseId", "SRCROOT") in run["originalUriBaseIds"]
                assert " " not in physical["artifactLocation"]["uri"]
                region = physical["region"]
                assert 1 <= region["startLine"] <= region["endLine"]
                assert region["startColumn"] >= 1
                assert region["endColumn"] >= 1


def test_sarif_is_well_formed():
    document = log(
        FileResult(
            PATH, (), (finding(witness=WITNESS, related=(Related("here", finding().place),)), finding("NST201"))
        ),
        FileResult("/project/broken.py", error="the worker died: killed"),
    )
    assert_is_sarif(document)
    [run] = document["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["NST102", "NST201"]
    assert not run["invocations"][0]["executionSuccessful"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(RULES)


def test_a_sarif_region_is_the_finding_s_range():
    [result] = log(FileResult(PATH, (), (finding(),)))["runs"][0]["results"]
    physical = result["locations"][0]["physicalLocation"]
    assert physical == {
        "artifactLocation": {"uri": "file:///project/ops.py"},
        "region": {
            "startLine": 5,
            "startColumn": 8,
            "endLine": 5,
            "endColumn": 22,
            "snippet": {"text": "x.shape[0] > 2"},
        },
    }


def test_a_file_below_the_current_folder_is_named_relative_to_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / "my code" / "数.py")
    [run] = log(FileResult(path, (), (finding(path=path),)))["runs"]
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "my%20code/%E6%95%B0.py", "uriBaseId": "SRCROOT"}
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == tmp_path.as_uri() + "/"


def test_a_fingerprint_survives_a_move_to_another_line():
    [first] = log(FileResult(PATH, (), (finding(),)))["runs"][0]["results"]
    moved = sarif(
        "0.1.0",
        [FileResult(PATH, (), (finding(at=Span(7, 8, 7, 22)),))],
        lambda path: Text("\n\n" + SOURCE),
    )["runs"][0]["results"][0]
    other = log(FileResult(PATH, (), (finding(text="x.shape[0]"),)))["runs"][0]["results"][0]
    assert first["partialFingerprints"] == moved["partialFingerprints"]
    assert first["partialFingerprints"] != other["partialFingerprints"]
