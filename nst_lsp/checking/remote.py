"""What a process of an executor does with a share: trace it in a worker of its own, and give the answer as text.

It needs nst-lsp of the same sources, and the interpreter and the project's files at the same paths; what is not so is
told with the name of its host.  Workers are kept warm for one check, and ended when nothing comes for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import threading
from dataclasses import replace
from functools import cache

from tracer.worker.wire import ExampleSettled, ModuleLoaded

from ..pool import WorkerError
from ..workers import Workers
from . import digests, own
from .cache import seal
from .runners import Local
from .shares import Answer, Share, answer_json, share_from

_IDLE = 20.0
"""Seconds after which workers that have nothing to do are ended."""
_MOST = 1024
"""Shares of one process at a time: how many there are is for its executor to say."""


class HostError(WorkerError):
    """A host lacks what all shares of a check need; the text is for the user."""


def do(share: str, sources: str, check: str) -> str:
    """Do one share of a check: text in, text out, so that nothing but text is made of what comes from elsewhere.

    Raises HostError.
    """
    if own.sources() != sources:
        raise HostError(f"{_host()} has another version of nst-lsp: install the same there")
    given = share_from(share)
    _look_around(given)
    answer = _desk(os.getpid()).answer(given, check)
    return answer_json(replace(answer, host=_host(), files=_files(answer), seal=seal(given, answer)))


def _look_around(share: Share) -> None:
    if not os.path.isdir(share.root):
        raise HostError(f"{_host()} has no folder {share.root}: the project must be at the same path there, or shared")
    if os.sep in share.python and not os.path.exists(share.python):
        raise HostError(f"{_host()} has no interpreter {share.python}: choose one that is there by --python")


def _files(answer: Answer) -> dict[str, str]:
    """The project's files that were imported, by the digests of what they are here."""
    found: dict[str, str] = {}
    for message in answer.messages:
        if isinstance(message, (ModuleLoaded, ExampleSettled)):
            for path in message.dependencies:
                with contextlib.suppress(OSError):
                    found[path] = digests.of_file(path)
    return found


def _host() -> str:
    return platform.node() or "a host"


@cache
def _desk(process: int) -> _Desk:
    """The desk of this process: that of the one it was forked from is of no use to it."""
    return _Desk()


class _Desk:
    """Takes shares from any thread; the workers of each check are its own."""

    def __init__(self) -> None:
        self._workers: dict[str, Workers] = {}
        self._asked: dict[str, int] = {}
        """How many shares each check has handed in."""
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="nst-shares", daemon=True).start()

    def answer(self, share: Share, check: str) -> Answer:
        return asyncio.run_coroutine_threadsafe(self._answer(share, check), self._loop).result()

    async def _answer(self, share: Share, check: str) -> Answer:
        workers = self._workers.setdefault(check, Workers(lambda text: None, _MOST))
        count = self._asked[check] = self._asked.get(check, 0) + 1
        try:
            return await Local(workers, 1).run(share, lambda message: None)
        except WorkerError as error:
            raise HostError(f"{_host()}: {error}") from error
        finally:
            self._loop.call_later(_IDLE, self._end_if_idle, check, count)

    def _end_if_idle(self, check: str, count: int) -> None:
        """End the workers of a check that has handed in nothing since."""
        if self._asked.get(check) == count:
            del self._asked[check]
            self._closing = self._loop.create_task(self._workers.pop(check).close())
