"""Hands the shares of a check to any `concurrent.futures.Executor`: threads, processes, processes of other machines.

A share goes out with the text of its file; what the file imports must be there, and is compared when the answer is
back.  What an executor raises (a worker was killed, once too often) is that share's error.
"""

from __future__ import annotations

import asyncio
import uuid
from concurrent.futures import Executor

from . import digests, own
from .remote import HostError, do
from .runners import Hear
from .shares import Answer, Share, answer_from, failed, share_json

_WAITING = 1024
"""Shares that are with the executor at a time: it has a queue of its own, but not all texts need lie in it."""


class Spread:
    """One check over an executor."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._check = uuid.uuid4().hex
        self._room = asyncio.Semaphore(_WAITING)

    def examples_at_once(self, shares: int) -> int:
        return 1

    async def run(self, share: Share, hear: Hear) -> Answer:
        """Do a share.  Raises HostError, for what concerns all of them."""
        async with self._room:
            future = self._executor.submit(do, share_json(share), own.sources(), self._check)
            try:
                answer = answer_from(await asyncio.wrap_future(future))
            except HostError:
                raise
            except Exception as error:  # noqa: BLE001  # an executor raises what it likes
                return failed(f"the executor gave no answer: {_in_words(error)}")
        differing = [path for path, there in answer.files.items() if there != _digest(path)]
        if differing:
            where = f"differs on {answer.host}, or was changed meanwhile"
            return failed(f"{differing[0]} {where}: the project's files must be the same there")
        for message in answer.messages:
            hear(message)
        return answer


def _digest(path: str) -> str:
    try:
        return digests.of_file(path)
    except OSError:
        return ""


def _in_words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
