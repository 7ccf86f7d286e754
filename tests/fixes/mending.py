"""Real traces of texts, and the fixes that their findings come with."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nst_lsp.pool import WorkerPool
from tracer.worker.wire import Edit, ExampleDone, ExampleReport, FileDone, Finding, Fix, Options, TraceFile

SECONDS = 120.0
"""For each example: its share for trying fixes is enough on a busy machine."""
HEAD = "import numpy as np\n\n\n"


@dataclass(frozen=True, slots=True)
class Offered:
    """A text with a finding, and the text that one of its fixes makes of it."""

    code: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class NotOffered:
    """A text with a finding that has no fix."""

    code: str
    before: str


def reports(texts: Sequence[str], folder: Path) -> list[list[ExampleReport]]:
    """The last report of each example of each text, each traced as a file of its own."""
    return asyncio.run(_reports(texts, folder))


async def _reports(texts: Sequence[str], folder: Path) -> list[list[ExampleReport]]:
    pool = WorkerPool(sys.executable, str(folder), jobs=2)

    async def one(number: int, text: str) -> list[ExampleReport]:
        path = folder / f"case_{number}.py"
        path.write_text(text, encoding="utf-8", newline="")
        request = TraceFile(number, str(path), text, str(folder), Options(timeout=SECONDS))
        last = {}
        async for message in pool.trace(request):
            if isinstance(message, ExampleDone):
                last[message.function, message.report.index] = message.report
            elif isinstance(message, FileDone):
                assert message.error is None, message.error
        return list(last.values())

    try:
        return list(await asyncio.gather(*(one(number, text) for number, text in enumerate(texts))))
    finally:
        await pool.close()


def findings(traced: Sequence[ExampleReport]) -> list[Finding]:
    return [finding for report in traced for finding in report.findings]


def fixes(traced: Sequence[ExampleReport]) -> Iterator[tuple[Finding, Fix]]:
    for finding in findings(traced):
        for fix in finding.fixes:
            yield finding, fix


def applied(text: str, edits: Sequence[Edit]) -> str:
    """The text after edits, as an editor makes them: from the last to the first."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    for edit in sorted(edits, key=lambda e: (e.span.line, e.span.column), reverse=True):
        start = starts[edit.span.line - 1] + edit.span.column - 1
        end = starts[edit.span.end_line - 1] + edit.span.end_column - 1
        text = text[:start] + edit.text + text[end:]
    return text
