"""The JSON of check and the formats made from the same results."""

from __future__ import annotations

from inline_snapshot import snapshot

from nst_lsp.analysis.ranking import once
from nst_lsp.checking.report import FileResult, report_json
from tests.cli.samples import PATH, WITNESS, finding, scale_report
from tracer.rules import Severity
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
