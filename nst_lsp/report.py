"""What `nst check` found, as plain data and as the JSON of schema 1.

Everything within a file is sorted by place, so that two runs over the same text differ in their times at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tracer.rules import RULES, Severity
from tracer.worker.wire import ExampleReport, Finding, FunctionReport, Span

SCHEMA = 1

RANK = {Severity.HINT: 0, Severity.INFORMATION: 1, Severity.WARNING: 2, Severity.ERROR: 3}
"""How much a severity weighs; `--fail-on` compares by it."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """One file's functions with their examples, and the findings that lie in it."""

    path: str
    functions: tuple[FunctionReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    error: str | None = None
    """Why the file could not be checked at all, or None."""


def once(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each code and range: of the strongest evidence one with fixes, if any; the first among equals."""
    best: dict[tuple[str, Span], Finding] = {}
    for finding in findings:
        key = finding.code, finding.place.span
        if key not in best or _evidence(finding) > _evidence(best[key]):
            best[key] = finding
    return sorted(best.values(), key=lambda finding: (corners(finding.place.span), finding.code))


def _evidence(finding: Finding) -> tuple[int, bool, bool]:
    return RANK[finding.severity], finding.witness is not None, bool(finding.fixes)


def corners(span: Span) -> tuple[int, int, int, int]:
    return span.line, span.column, span.end_line, span.end_column


# ---- JSON ------------------------------------------------------------------------------------------


def report_json(version: str, results: Sequence[FileResult]) -> dict[str, Any]:
    """The whole report, file by file as given."""
    return {"schema": SCHEMA, "version": version, "files": [_file(result) for result in results]}


def _file(result: FileResult) -> dict[str, Any]:
    functions = sorted(result.functions, key=lambda function: (corners(function.place.span), function.name))
    return {
        "path": result.path,
        "error": result.error,
        "functions": [_function(function) for function in functions],
        "findings": [_finding(finding) for finding in result.findings],
    }


def _function(function: FunctionReport) -> dict[str, Any]:
    examples = sorted(function.examples, key=lambda example: example.index)
    return {
        "name": function.name,
        "line": function.place.span.line,
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


def _finding(finding: Finding) -> dict[str, Any]:
    witness = finding.witness
    return {
        "code": finding.code,
        "name": RULES[finding.code].name if finding.code in RULES else "",
        "severity": finding.severity.value,
        "message": finding.message,
        "function": finding.function,
        "example": finding.example,
        "range": _range(finding.place.span),
        "text": finding.text,
        "value": finding.value,
        "count": finding.count,
        "witness": witness and {"arguments": witness.arguments, "function": witness.function, "graph": witness.graph},
        "related": [
            {"message": related.message, "path": related.place.path, "range": _range(related.place.span)}
            for related in finding.related
        ],
        "fixes": [{"title": fix.title, "verified": fix.verified} for fix in finding.fixes],
    }


def _range(span: Span) -> dict[str, dict[str, int]]:
    return {
        "start": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
    }
