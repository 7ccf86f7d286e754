"""The findings as SARIF 2.1.0: OASIS, "Static Analysis Results Interchange Format Version 2.1.0".

Columns there are code points (`columnKind`), from 1, the end exclusive: the very positions of our findings.  Paths are
relative to the repository, which is what GitHub's code scanning shows; it also asks for a `fullDescription` and `help`
of every rule.  Nothing in a log tells of time, so that two runs give the same bytes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tracer.rules import RULES, Rule, Severity
from tracer.worker.wire import Finding, Fix, Place, Span

from ...analysis.diagnostics import UNUSED_IGNORE
from ...analysis.syntax import UNKNOWN_ARGUMENT, UNKNOWN_RULE
from ...rulepages import rule_page
from ...sources import Sources
from ..report import FileResult
from . import full_message

_LEVEL = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}
_PROBLEM = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "recommendation",
    Severity.HINT: "recommendation",
}
"""GitHub's words for the same."""
_OF_COMMENTS = (
    Rule(UNUSED_IGNORE, UNUSED_IGNORE, "a comment silences nothing", Severity.HINT),
    Rule(UNKNOWN_ARGUMENT, UNKNOWN_ARGUMENT, "a comment names an argument that there is not", Severity.WARNING),
    Rule(UNKNOWN_RULE, UNKNOWN_RULE, "a comment names a rule that there is not", Severity.WARNING),
)
"""What is told of our comments; no rule of tracing, and with no page."""
_ALL = (*RULES.values(), *_OF_COMMENTS)
_INDEX = {rule.code: number for number, rule in enumerate(_ALL)}


@dataclass(frozen=True, slots=True)
class Log:
    """What a log is made of."""

    version: str
    results: Sequence[FileResult]
    root: Path
    """Paths below it are told relative to it."""
    sources: Sources
    against_baseline: bool = False
    """Whether a baseline had its say: then each result says whether it is new."""
    with_known: bool = False
    """Whether the known findings are told, as suppressed.  GitHub shows such ones as open alerts: not by default."""


def sarif(log: Log) -> dict[str, Any]:
    """A SARIF log with one run."""
    failures = [_notification(log, result) for result in log.results if result.error]
    results = [_result(log, finding, known=False) for result in log.results for finding in result.findings]
    if log.with_known:
        results += [_result(log, finding, known=True) for result in log.results for finding in result.known]
    return {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "nst",
                        "version": log.version,
                        "semanticVersion": log.version,
                        "rules": [_rule(rule) for rule in _ALL],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"SRCROOT": {"uri": _folder_uri(log.root)}},
                "invocations": [{"executionSuccessful": not failures, "toolExecutionNotifications": failures}],
                "results": results,
            }
        ],
    }


def _folder_uri(folder: Path) -> str:
    uri = folder.as_uri()
    return uri if uri.endswith("/") else f"{uri}/"


def _rule(rule: Rule) -> dict[str, Any]:
    page = rule_page(rule.code) or rule.summary
    sentence = rule.summary[:1].upper() + rule.summary[1:] + "."
    return {
        "id": rule.code,
        **({"name": rule.name} if rule.name != rule.code else {}),  # 3.49.7: a name that is not the id
        "shortDescription": {"text": sentence},
        "fullDescription": {"text": sentence},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": _LEVEL[rule.default]},
        "properties": {"tags": ["non-strict-tracing"], "problem.severity": _PROBLEM[rule.default]},
    }


def _result(log: Log, finding: Finding, *, known: bool) -> dict[str, Any]:
    location = {"physicalLocation": _location(log, finding.place, finding.text), **_logical(finding.function)}
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": _INDEX[finding.code],
        "level": _LEVEL[finding.severity],
        "message": {"text": full_message(finding)},
        "locations": [location],
        "partialFingerprints": {"findingHash/v1": _fingerprint(finding, log.sources)},
        "properties": {"value": finding.value, "example": finding.example, "count": finding.count},
    }
    if log.against_baseline:
        result["baselineState"] = "unchanged" if known else "new"
    if known:
        result["suppressions"] = [{"kind": "external", "justification": "in the baseline"}]
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(log, related.place), "message": {"text": related.message}}
            for number, related in enumerate(finding.related)
        ]
    if fixes := [_fix(log, finding, fix) for fix in finding.fixes if fix.verified and fix.edits]:
        result["fixes"] = fixes
    return result


def _fix(log: Log, finding: Finding, fix: Fix) -> dict[str, Any]:
    replacements = [{"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}} for edit in fix.edits]
    change = {"artifactLocation": _artifact(log, finding.place.path), "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}


def _location(log: Log, place: Place, snippet: str = "") -> dict[str, Any]:
    region: dict[str, Any] = _region(place.span)
    if snippet:
        region["snippet"] = {"text": snippet}
    return {"artifactLocation": _artifact(log, place.path), "region": region}


def _artifact(log: Log, path: str) -> dict[str, str]:
    """A file below the root is named relative to it, any other by its own URI."""
    file = Path(path)
    if not file.is_relative_to(log.root):
        return {"uri": file.as_uri()}
    return {"uri": quote(os.fsencode(file.relative_to(log.root).as_posix())), "uriBaseId": "SRCROOT"}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _logical(function: str) -> dict[str, Any]:
    return {"logicalLocations": [{"fullyQualifiedName": function, "kind": "function"}]} if function else {}


def _fingerprint(finding: Finding, sources: Sources) -> str:
    """The same for a finding that only moved to another line: code, function, expression and its line's text."""
    source, span = sources(finding.place.path), finding.place.span
    line = source.line(span.line).strip() if source else ""
    parts = [finding.code, finding.function, finding.text, line, str(span.column)]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def _notification(log: Log, result: FileResult) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {"text": result.error},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(log, result.path)}}],
    }
