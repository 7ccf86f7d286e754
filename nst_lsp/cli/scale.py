"""How a check is done that is large: by how many jobs, on which machines, with which results of before."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from .common import log, misuse

if TYPE_CHECKING:
    from ..checking.cache import Cache
    from ..checking.runners import Runner
    from ..project import Project


@dataclass(frozen=True, slots=True)
class Scale:
    jobs: int
    scheduler: str | None
    """Address of a Dask scheduler; None for this machine."""
    cached: bool
    cache_dir: str | None
    cleared: bool
    """Whether the cache is emptied before."""


def scale_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that `scale_of` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--jobs", type=click.IntRange(min=1), metavar="N", help="Examples at once (default: as many as cores)."
    ),
    click.option("--scheduler", metavar="ADDRESS", help="Spread over a Dask cluster (tcp://HOST:PORT)."),
    click.option(
        "--cache-dir",
        metavar="PATH",
        envvar="NST_CACHE_DIR",
        help="Folder of the results that are kept (default: the user's).",
    ),
    click.option("--no-cache", is_flag=True, help="Trace all files, also those that have not changed."),
    click.option("--clear-cache", is_flag=True, help="Forget the results that are kept, then check."),
)


def scale_of(
    jobs: int | None, scheduler: str | None, cache_dir: str | None, *, no_cache: bool, clear_cache: bool
) -> Scale:
    if scheduler is not None and jobs is not None:
        misuse("--jobs is about this machine: it does not go with --scheduler")
    folder = os.path.abspath(cache_dir) if cache_dir else None
    return Scale(jobs or os.cpu_count() or 1, scheduler, not no_cache, folder, clear_cache)


@asynccontextmanager
async def runner_of(scale: Scale) -> AsyncIterator[Runner]:
    """Who does the shares.  Raises WorkerError where there is no such cluster."""
    if scale.scheduler is None:
        from ..checking.runners import Local
        from ..workers import Workers

        workers = Workers(log, scale.jobs)
        try:
            yield Local(workers, scale.jobs, log)
        finally:
            await workers.close()
        return
    from ..checking.distributed import executor_of
    from ..checking.spread import Spread

    cluster = executor_of(scale.scheduler)
    executor = await asyncio.to_thread(cluster.__enter__)
    try:
        yield Spread(executor)
    finally:
        await asyncio.to_thread(cluster.__exit__, None, None, None)


class Caches:
    """The caches of a check: projects may have folders of their own."""

    def __init__(self, scale: Scale) -> None:
        self._scale = scale
        self._opened: dict[str | None, Cache] = {}

    def of(self, project: Project) -> Cache | None:
        from ..checking.cache import folder_of, open_cache

        if not self._scale.cached:
            return None
        folder = self._scale.cache_dir or folder_of(project.settings.cache_dir, project.root)
        if folder not in self._opened:
            cache = self._opened[folder] = open_cache(folder, _tell)
            if self._scale.cleared:
                cache.clear()
        return self._opened[folder]

    def renew(self) -> None:
        """Another check begins."""
        for cache in self._opened.values():
            cache.renew()

    def close(self) -> None:
        for cache in self._opened.values():
            cache.close()


def _tell(problem: str) -> None:
    click.echo(f"nst: {problem}", err=True)
