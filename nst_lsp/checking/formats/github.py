"""GitHub Actions: workflow commands that become annotations, and the summary of a step.

Source: GitHub, "Workflow commands for GitHub Actions", and the runner, which drops the columns of a command whose
lines differ.  A step shows ten annotations of each kind at most; the summary has them all, or nearly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tracer.rules import Severity
from tracer.worker.wire import Finding

from ...analysis.ranking import RANK
from ..report import FileResult
from . import full_message, relative_path, title

_LEVEL = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}
_ROWS = 200
"""Findings in a summary; GitHub refuses one of more than a megabyte."""
_LONGEST = 1000
"""Characters of a message in a summary."""


def workflow_commands(results: Iterable[FileResult], root: Path) -> Iterator[str]:
    """One workflow command a finding, one for each file that could not be checked."""
    for result in results:
        if result.error:
            yield _command("error", {"file": relative_path(result.path, root), "title": "nst"}, result.error)
        for finding in result.findings:
            yield _command(_LEVEL[finding.severity], _properties(finding, root), full_message(finding))


def _properties(finding: Finding, root: Path) -> dict[str, str]:
    span = finding.place.span
    columns = {"col": str(span.column), "endColumn": str(span.end_column)} if span.line == span.end_line else {}
    return {
        "file": relative_path(finding.place.path, root),
        "line": str(span.line),
        "endLine": str(span.end_line),
        **columns,
        "title": title(finding),
    }


def _command(level: str, properties: dict[str, str], message: str) -> str:
    escaped = (f"{key}={_escape(value).replace(':', '%3A').replace(',', '%2C')}" for key, value in properties.items())
    return f"::{level} {','.join(escaped)}::{_escape(message)}"


def _escape(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


# ---- the summary of a step -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Links:
    """Where the lines of a file can be looked at."""

    base: str
    """Ends with a slash; empty where nobody knows."""

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Links:
        server, repository, commit = (
            environment.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "SHA")
        )
        return cls(f"{server}/{repository}/blob/{commit}/" if server and repository and commit else "")

    def place(self, path: str, line: int | None = None) -> str:
        """A place as Markdown; a path that leads out of the repository has no page."""
        shown = _code(f"{path}:{line}" if line else path)
        if not self.base or path.startswith("/"):
            return shown
        return f"[{shown}]({self.base}{quote(path)}{f'#L{line}' if line else ''})"


def step_summary(results: Sequence[FileResult], sentence: str, root: Path, links: Links) -> str:
    """What was found, as Markdown: a sentence and a table, the weightiest first."""
    rows = [
        f"| error | {links.place(relative_path(result.path, root))} | could not be checked: {_cell(result.error)} |"
        for result in results
        if result.error
    ]
    findings = [finding for result in results for finding in result.findings]
    rows += [_row(finding, root, links) for finding in sorted(findings, key=lambda finding: -RANK[finding.severity])]
    table = ["", "| severity | place | finding |", "|---|---|---|", *rows[:_ROWS]] if rows else []
    more = ["", f"… and {len(rows) - _ROWS} more, in the log of the step."] if len(rows) > _ROWS else []
    return "".join(f"{line}\n" for line in ["### nst check", "", _cell(sentence), *table, *more, ""])


def _row(finding: Finding, root: Path, links: Links) -> str:
    place = links.place(relative_path(finding.place.path, root), finding.place.span.line)
    function = f" in {_code(finding.function)}" if finding.function else ""
    message = full_message(finding)
    short = message if len(message) <= _LONGEST else message[: _LONGEST - 1] + "…"
    return f"| {finding.severity.value} | {place}{function} | **{title(finding)}**: {_cell(short)} |"


def _cell(text: str) -> str:
    """Plain text with code in backticks, as Markdown in a table: nothing else in it is markup."""
    parts = re.split(r"(`[^`\n]+`)", text)
    escaped = "".join(part if number % 2 else _MARKUP.sub(r"\\\1", part) for number, part in enumerate(parts))
    return re.sub(r"\r\n|\r|\n", "<br>", escaped.replace("|", "\\|"))


_MARKUP = re.compile(r"([\\`*_\[\]<>&~#])")


def _code(text: str) -> str:
    """A code span, which may contain backticks."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}".replace("|", "\\|").replace("\n", " ")
