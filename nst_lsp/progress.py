"""Progress of a run, shown only when it takes long enough to be wondered about."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Protocol, Self

PATIENCE = 0.3
"""Seconds before anything is shown."""


class Bar(Protocol):
    """One progress bar of the editor."""

    async def create(self) -> None: ...
    def report(self, message: str) -> None: ...
    def end(self, message: str | None) -> None: ...


class Progress:
    """Shows a bar while the `with` block runs, unless that is over soon; without a bar it does nothing."""

    def __init__(self, bar: Bar | None) -> None:
        self._bar = bar
        self._latest = ""
        self._showing: asyncio.Task[None] | None = None

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._showing = asyncio.create_task(self._show(self._bar))
        return self

    async def _show(self, bar: Bar) -> None:
        await asyncio.sleep(PATIENCE)
        await bar.create()
        if self._latest:
            bar.report(self._latest)

    def report(self, message: str) -> None:
        self._latest = message
        if self._bar is not None and self._is_shown():
            self._bar.report(message)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None and self._is_shown():
            self._bar.end("stopped" if kind is asyncio.CancelledError else None)
        elif self._showing is not None:
            self._showing.cancel()

    def _is_shown(self) -> bool:
        showing = self._showing
        return showing is not None and showing.done() and not showing.cancelled() and showing.exception() is None
