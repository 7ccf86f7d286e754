"""The findings in the formats of other tools: GitHub's workflow commands and SARIF 2.1.0.

SARIF: OASIS, "Static Analysis Results Interchange Format Version 2.1.0".  Columns there are code points
(`columnKind`), from 1, the end exclusive: the very positions of our findings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tracer.rules import RULES, Rule, Severity
from tracer.worker.wire import Finding, Place, Span

from .report import FileResult
from .rulepages import rule_page
from .sources import Sources, shown_path

_GITHUB_LEVEL = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}
_SARIF_LEVEL = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}


# ---- GitHub ----------------------------------------------------------------------------------------


def github(results: Iterable[FileResult]) -> Iterator[str]:
    """One workflow command a finding, one for each file that could not be checked."""
    for result in results:
        if result.error:
            yield _command("error", {"file": _uri(result.path), "title": "nst"}, result.error)
        for finding in result.findings:
            yield _command(_GITHUB_LEVEL[finding.severity], _annotation(finding), full_message(finding))


def _annotation(finding: Finding) -> dict[str, str]:
    span = finding.place.span
    return {
        "file": _uri(finding.place.path),
        "line": str(span.line),
        "col": str(span.column),
        "endLine": str(span.end_line),
        "endColumn": str(span.end_column),
        "title": f"{finding.code} {_name(finding)}".rstrip(),
    }


def _command(level: str, properties: dict[str, str], message: str) -> str:
    escaped = (f"{key}={_escape(value).replace(':', '%3A').replace(',', '%2C')}" for key, value in properties.items())
    return f"::{level} {','.join(escaped)}::{_escape(message)}"


def _escape(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def full_message(finding: Finding) -> str:
    """The message with the value and the witness, for formats that have one text a finding."""
    parts = [finding.message]
    if finding.witness:
        arguments = ", ".join(f"{name}={value}" for name, value in finding.witness.arguments.items())
        parts.append(
            f"For {arguments} the function gives {finding.witness.function}, the graph {finding.witness.graph}."
        )
    return "\n".join(parts)


def _name(finding: Finding) -> str:
    return RULES[finding.code].name if finding.code in RULES else ""


def _uri(path: str) -> str:
    return Path(shown_path(path)).as_posix()


# ---- SARIF -----------------------------------------------------------------------------------------


def sarif(version: str, results: Sequence[FileResult], sources: Sources) -> dict[str, Any]:
    """A SARIF log with one run; `sources` gives the snippets."""
    index = {code: number for number, code in enumerate(RULES)}
    failures = [_notification(result) for result in results if result.error]
    return {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "nst",
                        "version": version,
                        "semanticVersion": version,
                        "rules": [_rule(rule) for rule in RULES.values()],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"SRCROOT": {"uri": Path.cwd().as_uri() + "/"}},
                "invocations": [{"executionSuccessful": not failures, "toolExecutionNotifications": failures}],
                "results": [_result(finding, index, sources) for result in results for finding in result.findings],
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    page = rule_page(rule.code)
    described: dict[str, Any] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": _SARIF_LEVEL[rule.default]},
    }
    return described | ({"help": {"text": page, "markdown": page}} if page else {})


def _result(finding: Finding, index: dict[str, int], sources: Sources) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _SARIF_LEVEL[finding.severity],
        "message": {"text": full_message(finding)},
        "locations": [{"physicalLocation": _location(finding.place, finding.text)} | _logical(finding.function)],
        "partialFingerprints": {"findingHash/v1": _fingerprint(finding, sources)},
        "properties": {"value": finding.value, "example": finding.example, "count": finding.count},
    }
    if finding.code in index:
        result["ruleIndex"] = index[finding.code]
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(related.place), "message": {"text": related.message}}
            for number, related in enumerate(finding.related)
        ]
    return result


def _location(place: Place, snippet: str = "") -> dict[str, Any]:
    """A file below the current folder is named relative to it, any other by its own URI."""
    path = Path(shown_path(place.path))
    artifact = {"uri": path.as_uri()} if path.is_absolute() else {"uri": quote(path.as_posix()), "uriBaseId": "SRCROOT"}
    region: dict[str, Any] = _region(place.span)
    if snippet:
        region["snippet"] = {"text": snippet}
    return {"artifactLocation": artifact, "region": region}


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


def _notification(result: FileResult) -> dict[str, Any]:
    span = Span(1, 1, 1, 1)
    return {
        "level": "error",
        "message": {"text": result.error},
        "locations": [{"physicalLocation": _location(Place(result.path, span))}],
    }
