"""The worker pools of a session: one for each interpreter and root, started when it is first needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from tracer.worker.wire import Hello

from .pool import WorkerError, WorkerPool


@dataclass(frozen=True, slots=True)
class Home:
    """Where user code runs."""

    python: str
    root: str


@dataclass(frozen=True, slots=True)
class Worker:
    pool: WorkerPool
    hello: Hello

    @property
    def name(self) -> str:
        """The interpreter, for people."""
        return f"Python {self.hello.python} ({self.hello.executable})"


class Workers:
    """Owns the pools: each is started once however many ask for it, and none outlives `close`."""

    def __init__(
        self, log: Callable[[str], None], jobs: int = 1, died: Callable[[str], None] = lambda why: None
    ) -> None:
        self._log = log
        self._died = died
        self._jobs = jobs
        self._starting: dict[Home, asyncio.Task[Worker]] = {}

    async def get(self, home: Home) -> Worker:
        """The worker of a home, started if need be, also in place of one that died.

        Raises `WorkerError`; the next call then tries again.
        """
        task = self._starting.get(home)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._starting[home] = asyncio.create_task(self._start(home))
        try:
            worker = await asyncio.shield(task)  # who gives up waiting does not stop it for the others
        except asyncio.CancelledError:
            waits = asyncio.current_task()
            if task.cancelled() and waits is not None and not waits.cancelling():
                raise WorkerError("the worker was closed while it started") from None
            raise
        return replace(worker, hello=await worker.pool.start())

    async def _start(self, home: Home) -> Worker:
        pool = WorkerPool(home.python, home.root, jobs=self._jobs, log=self._log, died=self._died)
        try:
            return Worker(pool, await pool.start())
        except BaseException:
            await pool.close()
            raise

    def running(self) -> dict[Home, Worker]:
        """The workers that have started."""
        return {
            home: task.result()
            for home, task in self._starting.items()
            if task.done() and not task.cancelled() and task.exception() is None
        }

    async def keep(self, homes: AbstractSet[Home]) -> None:
        """Close the workers of all other homes."""
        await self._close([home for home in self._starting if home not in homes])

    async def close(self) -> None:
        await self._close(list(self._starting))

    async def _close(self, homes: list[Home]) -> None:
        tasks = [self._starting.pop(home) for home in homes]
        for task in tasks:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(worker.pool.close() for worker in done if isinstance(worker, Worker)))
