"""Traces files for the tests of `pytest --nst`: in the workers, from a thread of its own, each file once.

Nothing of the user's runs in pytest's process.  All requests are handed in before the first test waits for its result,
so that several run at a time.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import aclosing
from dataclasses import dataclass, replace

from tracer.worker.wire import TraceFile

from ..analysis.traced import Traced, advance, begin
from ..pool import WorkerError
from ..project import ProjectOf, run_options
from ..workers import Workers


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file to trace, and which of its functions; None for all."""

    path: str
    functions: tuple[str, ...] | None = None


class Tracing:
    """Owns the workers of a run of pytest, and the thread that speaks with them."""

    def __init__(self, project_of: ProjectOf, jobs: int) -> None:
        self._project_of = project_of
        self._loop = asyncio.new_event_loop()
        self._workers = Workers(lambda text: None, jobs)
        self._results: dict[Wanted, Future[Traced]] = {}
        self._thread = threading.Thread(target=self._loop.run_forever, name="nst-tracing", daemon=True)
        self._thread.start()

    def ask(self, wanted: Iterable[Wanted]) -> None:
        """Trace these, in their order, as far as that was not asked before."""
        for one in wanted:
            if one not in self._results:
                self._results[one] = asyncio.run_coroutine_threadsafe(self._trace(one), self._loop)

    def result(self, wanted: Wanted) -> Traced:
        """What came of a file; waits for it."""
        self.ask([wanted])
        return self._results[wanted].result()

    def close(self) -> None:
        """Stop what still runs, and end the workers."""
        for result in self._results.values():
            result.cancel()
        asyncio.run_coroutine_threadsafe(self._workers.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _trace(self, wanted: Wanted) -> Traced:
        project = self._project_of(wanted.path)
        traced = Traced(wanted.path)
        try:
            worker = await self._workers.get(project.home)
        except WorkerError as error:
            return replace(traced, done=True, error=str(error))
        traced = begin(traced, worker.name)
        options = run_options(project)
        request = TraceFile(0, wanted.path, None, project.root, options, functions=wanted.functions)
        async with aclosing(worker.pool.trace(request)) as messages:
            async for message in messages:
                traced = advance(traced, message, {})
        return traced
