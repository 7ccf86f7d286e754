"""Traces candidates in a worker, all of a file at once: as the examples of its text, which is not written for that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from tracer.worker.wire import ExampleReport, Finding, TraceFile

from ..analysis.outline import Definition
from ..analysis.traced import Traced, advance
from ..project import Project, run_options
from ..workers import Workers
from .candidates import Candidate, Candidates
from .writing import with_examples


@dataclass(frozen=True, slots=True)
class Tried:
    candidate: Candidate
    report: ExampleReport | None
    """None where the run came to no end."""


@dataclass(frozen=True, slots=True)
class TriedFile:
    candidates: Candidates
    functions: dict[Definition, tuple[Tried, ...]]
    findings: tuple[Finding, ...] = ()
    """Why the file could not be loaded."""
    error: str | None = None
    """Why the run itself could not be done."""


async def try_all(
    files: Sequence[Candidates], project: Project, workers: Workers, done: Callable[[], None]
) -> list[TriedFile]:
    """Try the candidates of each file; `done` is called after each.  Raises WorkerError."""
    import asyncio

    await workers.get(project.home)

    async def one(file: Candidates) -> TriedFile:
        tried = await _try(file, project, workers)
        done()
        return tried

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(file)) for file in files]
    return [task.result() for task in tasks]


async def _try(file: Candidates, project: Project, workers: Workers) -> TriedFile:
    worker = await workers.get(project.home)
    examples = {definition: [one.arguments for one in found] for definition, found in file.functions.items()}
    names = tuple(definition.name for definition in file.functions)
    text = with_examples(file.text, examples)
    request = TraceFile(0, file.path, text, project.root, run_options(project), functions=names)
    traced = Traced(file.path)
    async with aclosing(worker.pool.trace(request)) as messages:
        async for message in messages:
            traced = advance(traced, message, {})
    functions = {definition: _tried(traced, definition, found) for definition, found in file.functions.items()}
    return TriedFile(file, functions, () if traced.loaded else traced.findings, traced.error)


def _tried(traced: Traced, definition: Definition, found: Sequence[Candidate]) -> tuple[Tried, ...]:
    function = traced.function(definition.name)
    reports = {outcome.report.index: outcome.report for outcome in function.outcomes} if function else {}
    return tuple(Tried(candidate, reports.get(index)) for index, candidate in enumerate(found))
