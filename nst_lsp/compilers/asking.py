"""Asks one of PyTorch's own tracers about an example, and our trace of the same where the two are set side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tracer.worker.wire import ExampleReport, Studied, Study, StudyCall, TraceFile

from ..analysis.studies import BESIDE, Answer
from ..graphs import NOTHING_OPEN, Target, shown, texts_for
from ..project import Project, run_options
from ..workers import Workers


@dataclass(frozen=True, slots=True)
class Asked:
    target: Target
    example: int
    study: Study
    studied: Studied
    ours: ExampleReport | None = None

    @staticmethod
    def of(path: str, function: str, answer: Answer) -> Asked:
        """An answer that is at hand, with our trace where the two are set side by side."""
        studied, report = answer.studied, answer.outcome.report
        ours = report if studied.study in BESIDE else None
        return Asked(Target(path, function), report.index, studied.study, studied, ours)


async def ask(
    target: Target,
    example: int,
    study: Study,
    project: Project,
    workers: Workers,
    texts: Mapping[str, str] = NOTHING_OPEN,
    ours: ExampleReport | None = None,
) -> Asked:
    """Ask, by the texts of open files where there are any, which win over the disk; `ours` is our trace, if at hand.

    Raises NotFoundError where the function or the example is not there, and WorkerError where there is no worker.
    """
    pool = (await workers.get(project.home)).pool
    text, others = texts_for(target, texts)
    options = replace(run_options(project), verify=False)
    request = StudyCall(1, target.path, target.function, study, example, text, project.root, options, others)
    studied = await pool.study(request)
    if study not in BESIDE or studied.error is not None or ours is not None:
        return Asked(target, example, study, studied, ours)
    trace = TraceFile(2, target.path, text, project.root, options, functions=(target.function,), overlay=others)
    found = await shown(trace, target.function, example, pool)
    return Asked(target, example, study, studied, found.report)
