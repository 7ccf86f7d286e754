"""Which findings are reported, and how severely: `select`, `ignore`, `severity`, `per-file-ignores`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tracer.rules import RULES, Severity
from tracer.worker.wire import Finding

from ..settings import Settings, matches


def selected(findings: Iterable[Finding], settings: Settings, root: str) -> list[Finding]:
    """The findings that the settings let through, with the severity they ask for.

    A rule is named by its code, a beginning of its code (`NST1`) or its name; for `severity`, the longest wins.
    """
    result = []
    for finding in findings:
        code = finding.code
        if settings.select and not named(code, settings.select):
            continue
        if named(code, settings.ignore) or named(code, _ignored_in(finding.place.path, settings, root)):
            continue
        severity = _severity(finding, settings)
        if severity is not None:
            result.append(finding if severity is finding.severity else replace(finding, severity=severity))
    return result


def named(code: str, rules: Iterable[str]) -> bool:
    """Whether one of `rules` means the rule with this code."""
    name = RULES[code].name if code in RULES else None
    return any(code.startswith(rule) or name == rule for rule in rules)


def _ignored_in(path: str, settings: Settings, root: str) -> list[str]:
    return [rule for glob, rules in settings.per_file_ignores.items() if matches([glob], path, root) for rule in rules]


def _severity(finding: Finding, settings: Settings) -> Severity | None:
    meant = [rule for rule in settings.severity if named(finding.code, [rule])]
    if not meant:
        return finding.severity
    by_name_or_longest = max(meant, key=lambda rule: (not finding.code.startswith(rule), len(rule)))
    return settings.severity[by_name_or_longest]
