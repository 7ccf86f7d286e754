"""One function's graph, and its comparison with the function: the work behind `nst graph` and `nst compare`."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from tracer.worker.wire import (
    CompareCall,
    Compared,
    ExampleDone,
    ExampleReport,
    FileDone,
    Finding,
    FunctionReport,
    ModuleLoaded,
    TraceFile,
)

from .project import Project, run_options
from .sources import shown_path
from .workers import Workers


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
        raise ValueError(f"{text!r} is not FILE::QUALNAME, such as ops.py::Layer.forward")
    if not Path(path).is_file():
        raise ValueError(f"there is no file {path}")
    return Target(str(Path(path).absolute()), function)


@dataclass(frozen=True, slots=True)
class Shown:
    """One example's report; without one, why: the findings of the module, or the error of the run."""

    report: ExampleReport | None
    findings: tuple[Finding, ...] = ()
    error: str | None = None


async def graph(target: Target, example: int, formats: tuple[str, ...], project: Project, workers: Workers) -> Shown:
    """Trace one function.  Raises NotFoundError, and WorkerError where no worker can be started."""
    worker = await workers.get(project.home)
    request = TraceFile(
        1,
        target.path,
        root=project.root,
        options=run_options(project, formats),
        functions=(target.function,),
    )
    reports: dict[int, ExampleReport] = {}
    functions: tuple[FunctionReport, ...] = ()
    findings: tuple[Finding, ...] = ()
    error = None
    async for message in worker.pool.trace(request):
        match message:
            case ModuleLoaded():
                functions, findings = message.functions, message.findings
            case ExampleDone(function=target.function):
                reports[message.report.index] = message.report
            case FileDone():
                error = message.error
            case _:
                pass
    if example in reports:
        return Shown(reports[example])
    if error is None and (functions or not findings):
        raise NotFoundError(_what_there_is(target, example, functions, sorted(reports)))
    return Shown(None, findings, error)


def _what_there_is(target: Target, example: int, functions: tuple[FunctionReport, ...], examples: list[int]) -> str:
    names = [function.name for function in functions]
    if examples:
        return f"{target.function} has no example {example}; it has {', '.join(map(str, examples))}"
    close = difflib.get_close_matches(target.function, names, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    known = "\n".join(f"  {name}" for name in names) or "  none"
    path = shown_path(target.path)
    return f"no function {target.function} with an example in {path}{hint}\nFunctions with examples:\n{known}"


async def compare(target: Target, arguments: str, project: Project, workers: Workers) -> Compared:
    """Run function and graph on `arguments`.  Raises WorkerError where no worker can be started."""
    worker = await workers.get(project.home)
    return await worker.pool.compare(
        CompareCall(
            1,
            target.path,
            target.function,
            arguments,
            root=project.root,
            options=run_options(project),
        )
    )
