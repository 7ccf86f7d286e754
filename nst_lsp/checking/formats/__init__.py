"""The findings in the formats of other tools: GitHub's annotations and summaries, and SARIF 2.1.0."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tracer.rules import RULES
from tracer.worker.wire import Finding

from ...cells import spelled_out
from ...sources import Sources
from ..report import FileResult


def by_line(result: FileResult, sources: Sources) -> FileResult:
    """A result whose places are lines of files, as these formats know no cells of notebooks."""
    findings, known = (
        tuple(spelled_out(finding, sources) for finding in some) for some in (result.findings, result.known)
    )
    return replace(result, findings=findings, known=known)


def full_message(finding: Finding) -> str:
    """The message with the value and the witness, for formats that have one text a finding."""
    parts = [finding.message]
    if finding.witness:
        arguments = ", ".join(f"{name}={value}" for name, value in finding.witness.arguments.items())
        parts.append(
            f"For {arguments} the function gives {finding.witness.function}, the graph {finding.witness.graph}."
        )
    return "\n".join(parts)


def title(finding: Finding) -> str:
    """Code and name: `NST102 branch-on-shape`."""
    return f"{finding.code} {RULES[finding.code].name}" if finding.code in RULES else finding.code


def relative_path(path: str, root: Path) -> str:
    """With forward slashes, relative to `root` where it lies below it."""
    absolute = Path(path)
    return (absolute.relative_to(root) if absolute.is_relative_to(root) else absolute).as_posix()
