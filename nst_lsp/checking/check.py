"""Check files: trace every example of each in its project's worker, then gather what is to be said, file by file.

What a comment or the settings silence is decided by the same functions as in the editor (`analysis.diagnostics`).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Protocol

from tracer.worker.wire import Finding, FunctionReport, Place

from ..analysis.diagnostics import UNUSED_IGNORE, Diagnostic, diagnostics
from ..analysis.places import Places
from ..analysis.ranking import corners
from ..analysis.syntax import UNKNOWN_ARGUMENT, UNKNOWN_RULE
from ..analysis.text import Text
from ..analysis.traced import Function, News, Traced
from ..notebooks import NotebookError
from ..pool import WorkerError
from ..project import Project, ProjectOf, Wishes, projects
from ..sources import Sources, disk
from ..workers import Workers
from .cache import Cache
from .discovery import files_of
from .remote import HostError
from .report import FileResult
from .runners import Hear, Local, Runner
from .shares import Answer, Share, failed, known_by, share_of
from .spread import Spread


def check_files(
    paths: Iterable[str],
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    cache: Cache | None = None,
    wishes: Wishes = Wishes(),  # noqa: B008  # frozen
    listener: Listener | None = None,
) -> Checked:
    """Check files and folders, as `nst check` does, and give its results as plain data.

    `executor` is anything with the interface of `concurrent.futures.Executor`: its processes need nst-lsp, and the
    interpreter and the project at the same paths as here.  Without one, `jobs` examples are traced at a time on this
    machine.  Results are the same whoever finds them, in whatever order.  Raises WorkerError where no interpreter can
    run a worker, and where a host lacks what is needed.
    """
    project_of = projects(wishes)
    files = files_of(paths, project_of)

    async def trace(runner: Runner) -> list[Traced]:
        return await trace_files(files, project_of, runner, lambda project: cache, listener)

    async def trace_here() -> list[Traced]:
        at_once = jobs or os.cpu_count() or 1
        workers = Workers(lambda text: None, at_once)
        try:
            return await trace(Local(workers, at_once))
        finally:
            await workers.close()

    async def trace_there(executor: Executor) -> list[Traced]:
        return await trace(Spread(executor))

    tracings = asyncio.run(trace_here() if executor is None else trace_there(executor))
    return gather(tracings, project_of, disk())


class Listener(Protocol):
    """Hears how far a check is, in whatever order it happens."""

    def begun(self, path: str) -> None: ...
    def heard(self, path: str, message: News) -> None: ...
    def ended(self, traced: Traced, *, cached: bool) -> None: ...


async def trace_files(
    files: Sequence[str],
    project_of: ProjectOf,
    runner: Runner,
    cache_of: Callable[[Project], Cache | None] = lambda project: None,
    listener: Listener | None = None,
) -> list[Traced]:
    """Trace the files, or take from the cache what is known of them; the results are in the order of the files.

    Whatever a file does to its worker is told with that file.  Raises WorkerError where no file could be traced since
    no interpreter can run a worker, and where a host lacks what all need.
    """
    known: dict[str, Traced] = {}
    shares: list[tuple[Share, Cache | None]] = []
    for path in files:
        project = project_of(path)
        share, cache = _share(path, project), cache_of(project)
        answer = share if isinstance(share, Answer) else cache.look(share) if cache else None
        if answer is not None:
            known[path] = known_by(path, answer)
            _tell(listener, known[path], cached=True)
        elif isinstance(share, Share):
            shares.append((share, cache))
        await asyncio.sleep(0)  # a progress bar has its turn
    examples = runner.examples_at_once(len(shares))
    broken: dict[str, WorkerError] = {}

    async def one(share: Share, cache: Cache | None) -> None:
        try:
            answer = await runner.run(replace(share, at_once=examples), _hear(listener, share.path))
        except HostError:
            raise
        except WorkerError as error:
            broken[share.path] = error
            return
        if cache is not None:
            cache.keep(share, answer)
        known[share.path] = known_by(share.path, answer)
        _tell(listener, known[share.path], cached=False)

    await _all(one(share, cache) for share, cache in shares)
    if broken and len(broken) == len(files):
        raise next(iter(broken.values()))
    for path, error in broken.items():
        known[path] = known_by(path, failed(str(error)))
        _tell(listener, known[path], cached=False)
    return [known[path] for path in files]


def _share(path: str, project: Project) -> Share | Answer:
    """The share of a file, or the answer that tells why there is none."""
    try:
        return share_of(path, project)
    except (NotebookError, OSError) as error:
        return failed(str(error))


def _hear(listener: Listener | None, path: str) -> Hear:
    """Tells a listener what is heard of a file, and when the first of it is heard."""
    begun = False

    def hear(message: News) -> None:
        nonlocal begun
        if listener is not None:
            if not begun:
                listener.begun(path)
            begun = True
            listener.heard(path, message)

    return hear


def _tell(listener: Listener | None, traced: Traced, *, cached: bool) -> None:
    if listener is not None:
        listener.ended(traced, cached=cached)


async def _all(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Do all of it; the first that fails ends the others, and is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            for one in work:
                group.create_task(one)
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


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


def gather(
    tracings: Iterable[Traced],
    project_of: ProjectOf,
    sources: Sources,
    apart: Apart = list,
    ready: Mapping[str, FileResult] = MappingProxyType({}),
) -> Checked:
    """Each finding, once, in the entry of the file it lies in, unless settings or a comment there silence it.

    `apart` sets those apart that are known; `ready` has what `alone` said of some files.
    """
    own = {traced.path: traced for traced in sorted(tracings, key=lambda traced: traced.path)}
    speaking = {path: [traced] for path, traced in own.items()}
    for traced in own.values():
        for path in {finding.place.path for finding, _ in traced.all_findings()} - {traced.path}:
            speaking.setdefault(path, []).append(traced)

    def result(path: str) -> FileResult:
        if path in ready and len(speaking[path]) == 1:
            return ready[path]
        return _result(path, own.get(path), speaking[path], project_of, sources(path) or Text(""))

    results = apart([result(path) for path in sorted(speaking)])
    shown = {(finding.code, finding.place) for result in results for finding in result.findings}
    functions = [function for traced in own.values() for function in traced.functions]
    touched = sum(_is_touched(function, shown) for function in functions)
    cut_short = tuple(f.name for f in functions if any(o.report.cut_short for o in f.outcomes))
    return Checked(results, len(functions), touched, cut_short)


def alone(traced: Traced, project_of: ProjectOf, sources: Sources) -> FileResult:
    """What `gather` says of a file, as far as its own run tells: all, where no other run reaches it."""
    return _result(traced.path, traced, [traced], project_of, sources(traced.path) or Text(""))


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
