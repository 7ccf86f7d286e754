"""What is done a while later: after a pause in which nobody asks for the same again, and work that nobody waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Pauses:
    """Timers by what they are for and the file they are about."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], asyncio.TimerHandle] = {}

    def after(self, seconds: float, kind: str, path: str, do: Callable[[], object]) -> None:
        """Do something after a pause, unless the same is asked for again before, or the file is closed."""
        self.cancel(kind, path)

        def now() -> None:
            self._waiting.pop((kind, path), None)
            do()

        self._waiting[kind, path] = asyncio.get_running_loop().call_later(seconds, now)

    def cancel(self, kind: str, path: str) -> None:
        pause = self._waiting.pop((kind, path), None)
        if pause is not None:
            pause.cancel()

    def cancel_all(self, path: str | None = None) -> None:
        """All that is about a file, or about any."""
        for kind, about in list(self._waiting):
            if path is None or about == path:
                self.cancel(kind, about)

    def is_waiting(self, kind: str, path: str) -> bool:
        return (kind, path) in self._waiting

    async def over(self, kind: str, path: str) -> None:
        """Wait until a pause, and those that take its place, are over."""
        while pause := self._waiting.get((kind, path)):
            await asyncio.sleep(max(0.0, pause.when() - asyncio.get_running_loop().time()))


class Background:
    """Tasks that nobody waits for; they are held until they end."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self) -> None:
        for task in list(self._tasks):
            task.cancel()
