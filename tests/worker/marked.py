"""Files with marks under their lines (`#   ~ NST504`), and what a worker says about them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from nst_lsp.pool import WorkerPool
from tracer.worker.wire import ExampleDone, ExampleReport, FileDone, Finding, ModuleLoaded, Options, TraceFile

HOSTILE = Path(__file__).parent.parent / "hostile"
QUICK = Options(timeout=2.0, verify=False)

_MARK = re.compile(r"^#\s*~\s+(?P<codes>NST\d{3}(?:\|NST\d{3})*)(?P<optional>\?)?\s*$")


@dataclass(frozen=True, slots=True)
class Mark:
    line: int
    codes: frozenset[str]
    optional: bool

    def meets(self, finding: Finding) -> bool:
        return finding.place.span.line == self.line and finding.code in self.codes


def marks(text: str) -> list[Mark]:
    """The marks of a file, each with the line of code above it."""
    found, code_line = [], 0
    for number, line in enumerate(text.splitlines(), 1):
        if match := _MARK.match(line):
            found.append(Mark(code_line, frozenset(match["codes"].split("|")), match["optional"] is not None))
        else:
            code_line = number
    return found


@dataclass(slots=True)
class Traced:
    """All that one request brought."""

    loaded: ModuleLoaded | None = None
    reports: dict[str, ExampleReport] = field(default_factory=dict)
    """By function: the last report on its one example."""
    error: str | None = None

    @property
    def findings(self) -> list[Finding]:
        of_module = self.loaded.findings if self.loaded is not None else ()
        return [*of_module, *(finding for report in self.reports.values() for finding in report.findings)]


async def trace(pool: WorkerPool, path: Path, text: str | None = None, options: Options = QUICK) -> Traced:
    traced = Traced()
    request = TraceFile(1, str(path), text=text, root=str(path.parent), options=options)
    async for message in pool.trace(request):
        if isinstance(message, ModuleLoaded):
            traced.loaded = message
        elif isinstance(message, ExampleDone):
            traced.reports[message.function] = message.report
        elif isinstance(message, FileDone):
            traced.error = message.error
    return traced


def mismatches(text: str, findings: list[Finding]) -> list[str]:
    """What is missing and what is too much, one to one; hints are not counted."""
    left = [finding for finding in findings if finding.severity.value != "hint"]
    problems = []
    for mark in marks(text):
        met = next((finding for finding in left if mark.meets(finding)), None)
        if met is not None:
            left.remove(met)
        elif not mark.optional:
            problems.append(f"line {mark.line}: no {'|'.join(sorted(mark.codes))}")
    return problems + [f"line {extra.place.span.line}: unexpected {extra.code} ({extra.message})" for extra in left]
