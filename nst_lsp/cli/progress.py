"""The progress of a long check, on a terminal: files and functions, time, and what is being traced."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from tracer.worker.wire import ExampleStarted

from ..console import rich_console

if TYPE_CHECKING:
    from ..analysis.traced import News, Traced

_PATIENCE = 1.0
"""Seconds before anything is shown."""


class Quiet:
    """Shows nothing: there is no terminal."""

    def begun(self, path: str) -> None: ...
    def heard(self, path: str, message: News) -> None: ...
    def ended(self, traced: Traced, *, cached: bool) -> None: ...

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While something else is written."""
        yield


class Bar(Quiet):
    """One bar, which makes way for whatever is printed."""

    def __init__(self, files: int, stream: TextIO) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        told = "files, {task.fields[functions]} functions"
        self._bar = Progress(
            TextColumn("tracing"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn(told),
            TimeElapsedColumn(),
            TextColumn("{task.fields[now]}", style="dim"),
            console=rich_console(stream),
            transient=True,
        )
        self._task = self._bar.add_task("tracing", total=files, functions=0, now="")
        self._functions = 0
        self._shown = False
        self._timer = asyncio.get_running_loop().call_later(_PATIENCE, self._show)

    def heard(self, path: str, message: News) -> None:
        if isinstance(message, ExampleStarted):
            self._bar.update(self._task, now=f"{os.path.basename(path)}::{message.function}")

    def ended(self, traced: Traced, *, cached: bool) -> None:
        self._functions += len(traced.functions)
        self._bar.update(self._task, advance=1, functions=self._functions)

    @contextmanager
    def aside(self) -> Iterator[None]:
        if self._shown:
            self._bar.stop()
        try:
            yield
        finally:
            if self._shown:
                self._bar.start()

    def close(self) -> None:
        self._timer.cancel()
        self._shown = False
        self._bar.stop()

    def _show(self) -> None:
        self._shown = True
        self._bar.start()


@contextmanager
def progress(files: int, stream: TextIO) -> Iterator[Quiet]:
    """Shows how far a check is while the block runs, unless that is over soon.  Needs a running event loop."""
    if not stream.isatty():
        yield Quiet()
        return
    bar = Bar(files, stream)
    try:
        yield bar
    finally:
        bar.close()
