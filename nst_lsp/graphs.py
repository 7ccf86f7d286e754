"""One function's graph, and its comparison with the function: the work behind `nst graph` and `nst compare`."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from tracer.worker.wire import CompareCall, Compared, ExampleReport, Finding, ModuleLoaded, TraceFile

from .analysis.outline import definitions
from .analysis.traced import Traced, advance
from .notebooks import NotebookError
from .pool import WorkerPool
from .project import Project, run_options
from .sources import notebook_text, read_text, shown_path
from .workers import Workers

NOTHING_OPEN: Mapping[str, str] = MappingProxyType({})


class NotFoundError(Exception):
    """There is no such function, or it has no such example; the message says what there is."""


@dataclass(frozen=True, slots=True)
class Target:
    """`FILE::QUALNAME`."""

    path: str
    function: str


def parse_target(text: str) -> Target:
    """Raises ValueError with a message for people."""
    path, separator, function = text.rpartition("::")
    if not separator or not path or not function:
        raise ValueError(f"{text!r} is not FILE::QUALNAME, such as {_such_as(text.removesuffix('::'))}")
    if not Path(path).is_file():
        raise ValueError(f"there is no file {path}")
    return Target(os.path.realpath(path), function)


def _such_as(path: str) -> str:
    """The functions of a file that look as if they had examples, as targets; of none, how one is written."""
    try:
        text = notebook_text(path)
        known = definitions(read_text(path) if text is None else text)
    except (OSError, SyntaxError, UnicodeDecodeError, NotebookError):
        known = None
    names = [one.name for one in known or () if one.has_example]
    return ", ".join(f"{path}::{name}" for name in names) or "ops.py::Layer.forward"


@dataclass(frozen=True, slots=True)
class Shown:
    """One example's report; without one, why: the findings of the module, or the error of the run."""

    report: ExampleReport | None
    findings: tuple[Finding, ...] = ()
    error: str | None = None
    traced: Traced | None = None
    """All that was told by the run."""


async def graph(target: Target, example: int, formats: tuple[str, ...], project: Project, workers: Workers) -> Shown:
    """Trace one function.  Raises NotFoundError, and WorkerError where no worker can be started."""
    pool = (await workers.get(project.home)).pool
    options = run_options(project, formats)
    request = TraceFile(1, target.path, _source_text(target), project.root, options, functions=(target.function,))
    return await shown(request, target.function, example, pool)


async def shown(request: TraceFile, name: str, example: int, pool: WorkerPool, when: str = "") -> Shown:
    """The report of one example of one function; `when` tells of which text, where that is not the present one.

    Raises NotFoundError.
    """
    traced = Traced(request.path)
    async for message in pool.trace(request):
        traced = advance(traced, message, {})
    function = traced.function(name)
    if function is None and traced.loaded and traced.error is None:
        raise NotFoundError(no_such_function(Target(request.path, name), await _functions(request, pool), when))
    reports = {outcome.report.index: outcome.report for outcome in function.outcomes} if function else {}
    if reports and example not in reports:
        there_is = ", ".join(map(str, reports))
        raise NotFoundError(f"{name} has no example {example}{when}; it has {there_is}")
    return Shown(reports.get(example), traced.findings, traced.error, traced)


def texts_for(target: Target, texts: Mapping[str, str]) -> tuple[str | None, dict[str, str]]:
    """The text of a target's file, None to take it from the disk, and those of the other files that are open.

    Raises NotFoundError where the file cannot be read.
    """
    others = dict(texts)
    text = others.pop(target.path, None)
    return _source_text(target) if text is None else text, others


def _source_text(target: Target) -> str | None:
    """Of a notebook its module.  Raises NotFoundError where the file is none."""
    try:
        return notebook_text(target.path)
    except NotebookError as error:
        raise NotFoundError(f"{shown_path(target.path)} is {error}") from error


async def _functions(request: TraceFile, pool: WorkerPool) -> list[str]:
    """The functions of the file that have examples; the file is loaded, nothing is traced."""
    async with aclosing(pool.trace(replace(request, id=2, functions=None))) as messages:
        async for message in messages:
            if isinstance(message, ModuleLoaded):
                return [function.name for function in message.functions]
    return []


def no_such_function(target: Target, names: list[str], when: str = "") -> str:
    """That a file has no such function, and which ones it has."""
    close = difflib.get_close_matches(target.function, names, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    where = shown_path(target.path)
    known = "\n".join(f"  {where}::{name}" for name in dict.fromkeys([*close, *names])) or "  none"
    return f"no function {target.function} with an example in {where}{when}{hint}\nFunctions with examples:\n{known}"


async def compare(
    target: Target, arguments: str, project: Project, workers: Workers, texts: Mapping[str, str] = NOTHING_OPEN
) -> Compared:
    """Run function and graph on `arguments`; `texts` are those of open files, which win over the disk.

    Raises NotFoundError where the file cannot be read, and where it has examples but none of the function; WorkerError
    where no worker can be started.
    """
    pool = (await workers.get(project.home)).pool
    text, others = texts_for(target, texts)
    options = run_options(project)
    call = CompareCall(1, target.path, target.function, arguments, text, project.root, options, others)
    compared = await pool.compare(call)
    if compared.known:
        raise NotFoundError(no_such_function(target, list(compared.known)))
    return compared
