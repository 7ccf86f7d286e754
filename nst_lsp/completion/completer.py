"""The server's end of the process that has jedi: started on first use, ended with us, started anew when it hangs.

A request is one line and so is its answer; one is under way at a time.  Whoever gives up waiting (the client cancelled)
leaves an answer behind that the next request passes over.  A newer request of a kind makes those that still wait
pointless, and they are answered with nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from .messages import Answer, Ask, Kind, answer, encode

PATIENCE = 20.0
"""Seconds after which an answer does not come any more: the first look into a large package takes long."""
_IDLE = 600.0
"""Seconds without a request after which the process gives its memory back."""
_PAUSE = 30.0
"""Seconds without a process after one that never answered."""
_LIMIT = 1 << 26
"""Bytes of one answer."""
_PACKAGES = Path(__file__).resolve().parents[2]
_FLAGS = ("-I", "-S") if sys.flags.no_site else ("-P",)
"""Where an editor's extension carries us we run without the interpreter's own packages, and so does jedi."""
_PROGRAM = f"import sys; sys.path.append({str(_PACKAGES)!r}); from nst_lsp.completion.process import main; main()"


class Completer:
    """Owns the process.  Nothing of it is there before the first request."""

    def __init__(
        self,
        log: Callable[[str], None],
        patience: float = PATIENCE,
        command: tuple[str, ...] = (sys.executable, *_FLAGS, "-c", _PROGRAM),
    ) -> None:
        self._log, self._patience, self._command = log, patience, command
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._numbers = itertools.count(1)
        self._newest: dict[Kind, int] = {}
        self._works = False
        """Whether the process has answered anything."""
        self._rests_until = 0.0
        self._idle: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def pid(self) -> int | None:
        """The process' number while it runs."""
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if running and self._process else None

    async def ask(self, question: Ask) -> Answer:
        """The answer; an empty one where there is none to be had in time."""
        number = self._newest[question.kind] = next(self._numbers)
        nothing = Answer(number, error="no answer in time")
        async with self._turn:
            if self._newest[question.kind] != number or time.monotonic() < self._rests_until:
                return nothing
            answered = None
            while answered is None and time.monotonic() >= self._rests_until:
                answered = await self._try(replace(question, id=number))
            return answered or nothing

    async def close(self) -> None:
        """End the process, and be there until it is gone."""
        if self._idle is not None:
            self._idle.cancel()
        self._stop()
        await asyncio.gather(*self._ending)

    async def _try(self, question: Ask) -> Answer | None:
        """One attempt; a process that worked before is started anew at once, any other after a pause."""
        try:
            async with asyncio.timeout(self._patience):
                answered = await self._exchange(question)
        except TimeoutError:
            self._fail(f"gave no answer within {self._patience:g} s")
            return Answer(question.id, error="no answer in time")
        except (OSError, ValueError, KeyError, TypeError) as error:
            self._fail(f"failed ({str(error) or type(error).__name__})")
            return None
        self._works = True
        return answered

    async def _exchange(self, question: Ask) -> Answer:
        process = await self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(encode(question))
        await process.stdin.drain()
        while line := await process.stdout.readline():
            found = answer(line)
            if found.id == question.id:
                if found.error is not None:
                    self._log(f"completion: {found.error}")
                return found
        raise OSError("it has ended")

    async def _running(self) -> asyncio.subprocess.Process:
        self._rest_later()
        if self._process is None or self._process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=pipe,
                stdout=pipe,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_LIMIT,
                env={**os.environ, "PYTHONUTF8": "1"},
                start_new_session=sys.platform != "win32",
            )
        return self._process

    def _rest_later(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(_IDLE, self._stop)

    def _fail(self, why: str) -> None:
        self._log(f"the process that completes example comments {why}")
        self._rests_until = time.monotonic() + (0.0 if self._works else _PAUSE)
        self._works = False
        self._stop()

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            _kill(process)
            task = asyncio.create_task(_gone(process))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)


async def _gone(process: asyncio.subprocess.Process) -> None:
    assert process.stdin is not None
    process.stdin.close()
    await process.wait()


def _kill(process: asyncio.subprocess.Process) -> None:
    """The process, and what jedi started in it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
