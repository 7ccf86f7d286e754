"""Who does the shares of a check: here the workers of this machine, in `spread` whatever executor there is.

Every share gets an answer, whatever becomes of a worker; what a file does to its worker is that answer's error, and no
other's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Protocol

from ..analysis.traced import News
from ..pool import WorkerError, WorkerPool
from ..workers import Home, Worker, Workers
from .shares import Answer, Share, essential

Hear = Callable[[News], object]
"""Hears what a worker says, as it says it."""


class Runner(Protocol):
    async def run(self, share: Share, hear: Hear) -> Answer:
        """Do a share.  Raises WorkerError where its interpreter cannot run a worker."""
        ...

    def examples_at_once(self, shares: int) -> int:
        """How many examples of a file to trace at a time, where there are so many files."""
        ...


class Local:
    """The workers of this machine: `jobs` files at a time, whatever projects they belong to."""

    def __init__(self, workers: Workers, jobs: int, log: Callable[[str], None] = lambda text: None) -> None:
        self._workers = workers
        self._log = log
        self._jobs = jobs
        self._room = asyncio.Semaphore(jobs)
        self._broken: dict[Home, WorkerError] = {}

    def examples_at_once(self, shares: int) -> int:
        """A job is one process at work: where there are fewer files than jobs, several are at one file."""
        return max(1, self._jobs // max(1, shares))

    async def run(self, share: Share, hear: Hear) -> Answer:
        async with self._room:
            worker = await self._worker(share.home)
            answer = await _ask(worker.pool, worker.name, share, hear)
            if answer.error is None or worker.pool.runs:
                return answer
        return await self._alone(share, hear)

    async def _worker(self, home: Home) -> Worker:
        """The worker of a home; one that could not be started is not tried for each file."""
        if home in self._broken:
            raise self._broken[home]
        try:
            return await self._workers.get(home)
        except WorkerError as error:
            self._broken[home] = error
            raise

    async def _alone(self, share: Share, hear: Hear) -> Answer:
        """Once more, in a worker that no other file can end: it may not have been this one that ended the first."""
        async with self._room:
            pool = WorkerPool(share.python, share.root, log=self._log)
            try:
                hello = await pool.start()
                return await _ask(pool, f"Python {hello.python} ({hello.executable})", share, hear)
            finally:
                await pool.close()


async def _ask(pool: WorkerPool, name: str, share: Share, hear: Hear) -> Answer:
    messages: list[News] = []
    async with aclosing(pool.trace(share.request())) as news:
        async for message in news:
            messages.append(message)
            hear(message)
    return Answer(essential(messages), name, pool.began)
