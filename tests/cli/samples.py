"""Findings as a worker sends them, for the tests of what is made of them."""

from __future__ import annotations

from tracer.rules import Severity
from tracer.worker.wire import (
    ExampleReport,
    Finding,
    Fix,
    FunctionReport,
    GraphInfo,
    NodeInfo,
    Place,
    Related,
    Span,
    Status,
    Verdict,
    Witness,
)

PATH = "/project/ops.py"

SOURCE = """\
import numpy as np

# nst: example(np.ones(3))
def scale(x):
    if x.shape[0] > 2:
        return x / (x.sum() +
                    1)
\treturn x, "数値", x.max().item()
"""


CONDITION = Span(5, 8, 5, 22)
"""`x.shape[0] > 2` in SOURCE."""


def finding(
    code: str = "NST102",
    at: Span = CONDITION,
    *,
    path: str = PATH,
    severity: Severity = Severity.WARNING,
    message: str = "decided by a size: True for the example",
    function: str = "scale",
    text: str = "x.shape[0] > 2",
    value: str | None = "True",
    count: int = 1,
    witness: Witness | None = None,
    related: tuple[Related, ...] = (),
    fixes: tuple[Fix, ...] = (),
    example: int = 0,
) -> Finding:
    return Finding(
        code, severity, message, function, example, Place(path, at), text, value, count, witness, related, fixes
    )


WITNESS = Witness({"x": "np.array([1., 2.])"}, "array([0., 1.])", "array([0.5, 0.7])")


def scale_report(*findings: Finding, milliseconds: float = 3.25) -> FunctionReport:
    node = NodeInfo("y", "numpy.sqrt", "y = np.sqrt(x)", ("x",), "float64[3]", None, None)
    example = ExampleReport(
        index=0,
        source="np.ones(3)",
        origin="comment",
        place=Place(PATH, Span(3, 1, 3, 27)),
        status=Status.TRACED,
        findings=findings,
        graph=GraphInfo("def graph(x): …", (node,), ("y",)),
        valid_for="x.shape[0] > 2",
        verdict=Verdict.DIFFERS,
        retraces=9,
        milliseconds=milliseconds,
    )
    return FunctionReport("scale", Place(PATH, Span(4, 5, 4, 10)), (example,))
