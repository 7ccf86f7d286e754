"""`nst check`."""

from __future__ import annotations

import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from tracer.rules import Severity

from .baseline import Wanted, baseline_file, baseline_options, baseline_wanted, open_baseline, reopened, written
from .common import misuse, run, tell_problems
from .formats import print_checked
from .options import mode_option, python_option, rules_given
from .scale import Caches, Scale, runner_of, scale_of, scale_options

if TYPE_CHECKING:
    from ..analysis.traced import Traced
    from ..checking.check import Checked
    from ..checking.discovery import Memory
    from ..checking.runners import Runner
    from ..project import ProjectOf, Projects, Wishes


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(exists=True))
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    help="How the findings are told (default: text).",
)
@mode_option
@click.option("--select", multiple=True, metavar="CODE,..", callback=rules_given, help="Report these rules only.")
@click.option("--ignore", multiple=True, metavar="CODE,..", callback=rules_given, help="Do not report these rules.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "information", "never"]),
    default="warning",
    show_default=True,
    help="The least severity that makes the exit code 1.",
)
@python_option
@click.option("--no-verify", is_flag=True, help="Trace only: no replay, no re-traces, no witnesses.")
@click.option(
    "--force-exclude",
    is_flag=True,
    help="Leave out files that are excluded or have no example, also where they are named, as by pre-commit.",
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@scale_options
@baseline_options
def check(
    paths: tuple[str, ...],
    style: str,
    mode: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str,
    python: str | None,
    no_verify: bool,
    force_exclude: bool,
    watch: bool,
    jobs: int | None,
    scheduler: str | None,
    cache_dir: str | None,
    no_cache: bool,
    clear_cache: bool,
    baseline: str | None,
    write_baseline: bool,
    prune_baseline: bool,
    no_baseline: bool,
    show_known: bool,
) -> None:
    """Trace every example in PATHs (default: here) and report what the graphs lost.

    A code such as NST101 may be cut short: NST1 means every rule that begins so.
    """
    from ..project import Wishes

    wishes = Wishes(mode, python, not no_verify, select, ignore)
    wanted = baseline_wanted(
        baseline, write=write_baseline, prune=prune_baseline, none=no_baseline, show_known=show_known
    )
    if watch and wanted.writes:
        misuse("--watch does not go with writing a baseline")
    picked = Picked(paths or (".",), force_exclude)
    scale = scale_of(jobs, scheduler, cache_dir, no_cache=no_cache, clear_cache=clear_cache)
    try:
        sys.exit(run(_check(picked, wishes, wanted, scale, style, fail_on, watch)))
    except KeyboardInterrupt:
        if not watch:
            raise


@dataclass(frozen=True, slots=True)
class Picked:
    """Which files are to be checked."""

    paths: tuple[str, ...]
    picky: bool
    """Whether excluded files and those without examples are left out even where they are named."""

    def files(self, project_of: ProjectOf, memory: Memory | None = None) -> list[str]:
        from ..checking.discovery import files_of

        return files_of(self.paths, project_of, picky=self.picky, memory=memory)


async def _check(
    picked: Picked, wishes: Wishes, wanted: Wanted, scale: Scale, style: str, fail_on: str, watching: bool
) -> int:
    from ..checking.check import gather, trace_files
    from ..project import projects
    from ..sources import disk
    from .progress import progress
    from .stream import Stream

    project_of = projects(wishes)
    opened = open_baseline(wanted, picked.paths, wishes, project_of)
    began = time.monotonic()
    stream: Stream | None = None
    caches = Caches(scale)

    async def trace(files: Sequence[str], runner: Runner) -> list[Traced]:
        nonlocal began, stream
        began = time.monotonic()
        tell_problems(map(project_of, files))
        caches.renew()
        with progress(len(files), sys.stderr) as shown:
            if style == "text" and not watching and not wanted.writes:
                stream = Stream(files, project_of, disk(), opened.apart if opened else list, shown)
            return await trace_files(files, project_of, runner, caches.of, stream or shown)

    def show(tracings: Iterable[Traced]) -> Checked:
        nonlocal opened
        sources, known = disk(), list(tracings)
        if watching:
            opened = reopened(opened, wanted, picked.paths, wishes, project_of)
        ready = stream.results if stream else {}
        checked = gather(known, project_of, sources, opened.apart if opened else list, ready)
        if opened and wanted.writes:
            opened = written(opened, checked.results, wanted.use)
            checked = gather(known, project_of, sources, opened.apart)
        print_checked(checked, style, sources, time.monotonic() - began, opened, stream, compact=watching)
        return checked

    with closing(caches):
        async with runner_of(scale) as runner:
            if watching:
                await _watch(picked, wanted, project_of, partial(trace, runner=runner), show, document=style != "text")
            return _exit_code(show(await trace(picked.files(project_of), runner)), fail_on)


async def _watch(
    picked: Picked,
    wanted: Wanted,
    project_of: Projects,
    trace: Callable[[Sequence[str]], Awaitable[list[Traced]]],
    show: Callable[[Iterable[Traced]], Checked],
    *,
    document: bool,
) -> None:
    from ..checking.discovery import Memory
    from ..checking.watch import watch
    from .watching import Watched

    memory = Memory()
    baseline = partial(baseline_file, wanted, picked.paths, project_of)
    await watch(Watched(partial(picked.files, project_of, memory), project_of, memory, baseline, trace, show, document))


def _exit_code(checked: Checked, fail_on: str) -> int:
    """1 where a finding weighs enough, or a file could not be checked at all."""
    from ..analysis.ranking import RANK

    if any(result.error for result in checked.results):
        return 1
    return fail_on != "never" and any(RANK[finding.severity] >= RANK[Severity(fail_on)] for finding in checked.findings)
