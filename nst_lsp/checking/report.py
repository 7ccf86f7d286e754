"""What `nst check` found, as plain data and as the JSON of schema 1.

Everything within a file is sorted by place, so that two runs over the same text differ in their times at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tracer.rules import RULES
from tracer.worker.wire import ExampleReport, Finding, FunctionReport, Span

from ..analysis.ranking import corners
from ..cells import Spot, Spots, in_files

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class FileResult:
    """One file's functions with their examples, and the findings that lie in it."""

    path: str
    functions: tuple[FunctionReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    error: str | None = None
    """Why the file could not be checked at all, or None."""
    known: tuple[Finding, ...] = ()
    """Findings that the baseline has: they are not reported."""


# ---- JSON ------------------------------------------------------------------------------------------


def report_json(
    version: str, results: Sequence[FileResult], spots: Spots = in_files, *, with_known: bool = False
) -> dict[str, Any]:
    """The whole report, file by file as given; what lies in a notebook has the number of its `cell`."""
    return {"schema": SCHEMA, "version": version, "files": [_file(result, spots, with_known) for result in results]}


def _file(result: FileResult, spots: Spots, with_known: bool) -> dict[str, Any]:
    functions = sorted(result.functions, key=lambda function: (corners(function.place.span), function.name))
    return {
        "path": result.path,
        "error": result.error,
        "functions": [_function(function, spots) for function in functions],
        "findings": [finding_json(finding, spots) for finding in result.findings],
        **({"known": [finding_json(finding, spots) for finding in result.known]} if with_known else {}),
    }


def _function(function: FunctionReport, spots: Spots) -> dict[str, Any]:
    spot = spots(function.place)
    examples = sorted(function.examples, key=lambda example: example.index)
    return {
        "name": function.name,
        **_cell(spot),
        "line": spot.span.line,
        "examples": [_example(example) for example in examples],
    }


def _example(example: ExampleReport) -> dict[str, Any]:
    return {
        "index": example.index,
        "source": example.source,
        "origin": example.origin,
        "status": example.status.value,
        "nodes": (example.graph.size or len(example.graph.nodes)) if example.graph else 0,
        "valid_for": example.valid_for,
        "verdict": example.verdict.value,
        "retraces": example.retraces,
        "milliseconds": round(example.milliseconds, 3),
    }


def finding_json(finding: Finding, spots: Spots = in_files) -> dict[str, Any]:
    witness, spot = finding.witness, spots(finding.place)
    return {
        "code": finding.code,
        "name": RULES[finding.code].name if finding.code in RULES else "",
        "severity": finding.severity.value,
        "message": finding.message,
        "function": finding.function,
        "example": finding.example,
        **_cell(spot),
        "range": range_json(spot.span),
        "text": finding.text,
        "value": finding.value,
        "count": finding.count,
        "witness": witness and {"arguments": witness.arguments, "function": witness.function, "graph": witness.graph},
        "related": [
            {"message": related.message, "path": related.place.path, **_cell(at), "range": range_json(at.span)}
            for related in finding.related
            for at in [spots(related.place)]
        ],
        "fixes": [{"title": fix.title, "verified": fix.verified} for fix in finding.fixes],
    }


def _cell(spot: Spot) -> dict[str, int]:
    return {} if spot.cell is None else {"cell": spot.cell}


def range_json(span: Span) -> dict[str, dict[str, int]]:
    return {
        "start": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
    }
