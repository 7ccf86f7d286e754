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
        self._unsuspected = 0
        """Shares that are not done, and have not failed."""
        self._quiet = asyncio.Event()
        """There are none."""
        self._alone = asyncio.Lock()

    def examples_at_once(self, shares: int) -> int:
        return 1

    async def run(self, share: Share, hear: Hear) -> Answer:
        """Do a share.  Raises HostError, for what concerns all of them."""
        answer = await self._try(share)
        if answer is None:
            answer = await self._try_alone(share)
        differing = [path for path, there in answer.files.items() if there != _digest(path)]
        if differing:
            where = f"differs on {answer.host}, or was changed meanwhile"
            return failed(f"{differing[0]} {where}: the project's files must be the same there")
        for message in answer.messages:
            hear(message)
        return answer

    async def _try(self, share: Share) -> Answer | None:
        """The answer to a share, or None where its executor gave it up."""
        self._unsuspected += 1
        self._quiet.clear()
        try:
            async with self._room:
                return await self._ask(share)
        except HostError:
            raise
        except Exception:  # noqa: BLE001  # an executor raises what it likes
            return None
        finally:
            self._unsuspected -= 1
            if not self._unsuspected:
                self._quiet.set()

    async def _try_alone(self, share: Share) -> Answer:
        """Once more, when nothing else is under way.

        A worker that is killed takes with it what waits for it, and Dask suspects that, too.
        """
        async with self._alone:
            await self._quiet.wait()
            try:
                return await self._ask(share)
            except HostError:
                raise
            except Exception as error:  # noqa: BLE001
                return failed(f"the executor gave no answer: {_in_words(error)}")

    async def _ask(self, share: Share) -> Answer:
        future = self._executor.submit(do, share_json(share), own.sources(), self._check)
        return answer_from(await asyncio.wrap_future(future))


def _digest(path: str) -> str:
    try:
        return digests.of_file(path)
    except OSError:
        return ""


def _in_words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
