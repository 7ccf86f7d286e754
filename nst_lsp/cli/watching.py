"""`nst check --watch`, as a terminal shows it."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..analysis.traced import Traced
    from ..checking.discovery import Memory
    from ..project import Projects

_NAMED = 3
"""Files that are named when several changed."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The files of a check, their settings and their baseline (`watch.Subject`)."""

    look: Callable[[], Sequence[str]]
    projects: Projects
    memory: Memory
    baseline: Callable[[], Path | None]
    tracer: Callable[[Sequence[str]], Awaitable[Iterable[Traced]]]
    shower: Callable[[Iterable[Traced]], object]
    document: bool
    """Whether a report is a document for programs: then nothing else is printed."""

    def files(self) -> Sequence[str]:
        return self.look()

    def settings(self, files: Sequence[str]) -> Collection[str]:
        roots = {self.projects(path).root for path in (os.getcwd(), *files)}
        return {os.path.join(root, "pyproject.toml") for root in roots}

    def asides(self) -> Collection[str]:
        baseline = self.baseline()
        return () if baseline is None else {str(baseline)}

    def forget(self) -> None:
        self.projects.forget()
        self.memory.forget()

    async def trace(self, files: Sequence[str]) -> Iterable[Traced]:
        return await self.tracer(files)

    def show(self, tracings: Iterable[Traced], changed: Sequence[str]) -> None:
        if not self.document:
            _turn_the_page(changed)
        self.shower(tracings)
        if not self.document and sys.stdout.isatty():
            click.echo(click.style("watching for changes; Ctrl-C ends", dim=True))


def _turn_the_page(changed: Sequence[str]) -> None:
    """On a terminal a report takes the place of the one before; elsewhere they follow each other."""
    from ..sources import shown_path

    if not changed:
        return
    names = ", ".join(shown_path(path) for path in changed[:_NAMED])
    more = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
    if sys.stdout.isatty():
        click.clear()
    else:
        click.echo()
    click.echo(f"changed: {names}{more}\n")
