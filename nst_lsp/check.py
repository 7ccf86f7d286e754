"""Check files: trace every example of each in its project's worker, then gather what is to be said, file by file.

What a comment or the settings silence is decided by the same functions as in the editor (`analysis.diagnostics`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tracer.worker.wire import Finding, FunctionReport, Place, TraceFile

from .analysis.diagnostics import UNUSED_IGNORE, Diagnostic, diagnostics
from .analysis.places import Places
from .analysis.syntax import UNKNOWN_ARGUMENT, UNKNOWN_RULE
from .analysis.text import Text
from .analysis.traced import Function, Traced, advance, begin
from .notebooks import NotebookError
from .project import Project, ProjectOf, run_options
from .report import FileResult, corners
from .sources import Sources, notebook_text
from .workers import Workers


async def trace_files(
    files: Sequence[str], project_of: ProjectOf, workers: Workers, done: Callable[[], None]
) -> list[Traced]:
    """Trace the files, in their order; `done` is called after each.

    Raises WorkerError where an interpreter cannot run a worker.
    """
    for path in files:
        await workers.get(project_of(path).home)

    async def one(number: int, path: str) -> Traced:
        traced = await _trace(number, path, project_of(path), workers)
        done()
        return traced

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(number, path)) for number, path in enumerate(files)]
    return [task.result() for task in tasks]


async def _trace(number: int, path: str, project: Project, workers: Workers) -> Traced:
    worker = await workers.get(project.home)
    traced = begin(Traced(path), worker.name)
    try:
        text = notebook_text(path)
    except NotebookError as error:
        return replace(traced, error=str(error))
    request = TraceFile(number, path, text, root=project.root, options=run_options(project))
    async for message in worker.pool.trace(request):
        traced = advance(traced, message, {})
    return traced


# ---- what is said ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checked:
    """What is said about some files: those that were traced, and others in which their findings lie."""

    results: Sequence[FileResult]
    """Sorted by path."""
    functions: int
    touched: int
    """Functions with at least one finding."""
    cut_short: tuple[str, ...] = ()
    """Functions for which the time to search for witnesses ran out."""

    @property
    def findings(self) -> Iterator[Finding]:
        return (finding for result in self.results for finding in result.findings)

    @property
    def known(self) -> int:
        """How many findings the baseline has."""
        return sum(len(result.known) for result in self.results)


Apart = Callable[[list[FileResult]], list[FileResult]]
"""Sets the findings apart that a baseline knows."""


def gather(tracings: Iterable[Traced], project_of: ProjectOf, sources: Sources, apart: Apart = list) -> Checked:
    """Each finding, once, in the entry of the file it lies in, unless settings or a comment there silence it.

    `apart` sets those apart that are known.
    """
    own = {traced.path: traced for traced in sorted(tracings, key=lambda traced: traced.path)}
    speaking = {path: [traced] for path, traced in own.items()}
    for traced in own.values():
        for path in {finding.place.path for finding, _ in traced.all_findings()} - {traced.path}:
            speaking.setdefault(path, []).append(traced)
    results = apart(
        [
            _result(path, own.get(path), speaking[path], project_of, sources(path) or Text(""))
            for path in sorted(speaking)
        ]
    )
    shown = {(finding.code, finding.place) for result in results for finding in result.findings}
    functions = [function for traced in own.values() for function in traced.functions]
    touched = sum(_is_touched(function, shown) for function in functions)
    cut_short = tuple(f.name for f in functions if any(o.report.cut_short for o in f.outcomes))
    return Checked(results, len(functions), touched, cut_short)


def _result(path: str, own: Traced | None, speaking: list[Traced], project_of: ProjectOf, text: Text) -> FileResult:
    project = project_of(path)
    said = diagnostics(path, text.source, speaking, Places({}), project.settings, project.root)
    findings = [finding for one in said if (finding := _finding(one, path, text))]
    return FileResult(
        path=path,
        functions=tuple(map(_report, own.functions)) if own else (),
        findings=tuple(sorted(findings, key=lambda finding: (corners(finding.place.span), finding.code))),
        error=own.error if own else None,
    )


def _finding(said: Diagnostic, path: str, text: Text) -> Finding | None:
    """A diagnostic's finding; a comment that does nothing becomes one; a faded branch is for editors only."""
    if said.code not in (UNUSED_IGNORE, UNKNOWN_ARGUMENT, UNKNOWN_RULE):
        return said.finding
    return Finding(said.code, said.severity, said.message, "", 0, Place(path, said.span), text.at(said.span))


def _report(function: Function) -> FunctionReport:
    return FunctionReport(function.name, function.place, tuple(outcome.report for outcome in function.outcomes))


def _is_touched(function: Function, shown: set[tuple[str, Place]]) -> bool:
    return any(
        (finding.code, finding.place) in shown for outcome in function.outcomes for finding in outcome.report.findings
    )
