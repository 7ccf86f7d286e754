"""What several commands do: run to the end, use workers, tell of troubles."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

T = TypeVar("T")

if TYPE_CHECKING:
    from ..graphs import Target
    from ..project import Project, Wishes
    from ..workers import Workers


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end; an interpreter that cannot be used is a misuse."""
    import asyncio

    from ..pool import WorkerError

    try:
        return asyncio.run(work)
    except WorkerError as error:
        misuse(str(error))


def misuse(message: str) -> NoReturn:
    click.echo(f"nst: {message}", err=True)
    sys.exit(2)


def tell_problems(projects: Iterable[Project]) -> None:
    """Each problem with the settings once."""
    for problem in dict.fromkeys(problem for project in projects for problem in project.problems):
        click.echo(f"nst: {problem}", err=True)


def log(message: str) -> None:
    """What the workers' machinery has to say; for those who ask."""
    if os.environ.get("NST_DEBUG"):
        click.echo(f"nst: {message}", err=True)


def print_json(value: Any, *, compact: bool = False) -> None:
    """As UTF-8 whatever the terminal's encoding; a lone surrogate becomes the escape that JSON has for it."""
    text = json.dumps(value, indent=None if compact else 2, ensure_ascii=False)
    click.echo(text.encode("utf-8", "backslashreplace"))


def with_worker(target: Target, wishes: Wishes, work: Callable[[Project, Workers], Awaitable[T]]) -> T:
    """Run `work` with the workers of the target's project."""
    from ..project import projects

    project = projects(wishes)(target.path)
    tell_problems([project])
    return run(use_workers(partial(work, project)))


async def use_workers(work: Callable[[Workers], Awaitable[T]]) -> T:
    from ..workers import Workers

    workers = Workers(log)
    try:
        return await work(workers)
    finally:
        await workers.close()
