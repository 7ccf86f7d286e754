"""The server's end of a worker: one warm process in the user's interpreter, asked from asyncio.

Errors:
    WorkerError: the worker cannot be started, or does not speak our language; the text says why and what to do.

A worker that dies takes the running requests with it (their streams end with an error) and is started
anew by the next request, later each time that it dies soon.  One that says nothing for longer than any of its
requests may take (it was stopped, or waits for a file system) is ended, and counts as one that died.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import shutil
import signal
import sys
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tracer.worker import wire
from tracer.worker.wire import (
    Cancel,
    CompareCall,
    Compared,
    ExampleDone,
    ExampleSettled,
    ExampleStarted,
    FileDone,
    Hello,
    Message,
    ModuleLoaded,
    Request,
    Studied,
    StudyCall,
    TraceFile,
)

from .collector import held_back

_BOOTSTRAP = Path(wire.__file__).with_name("bootstrap.py")
_START_SECONDS = 60.0
"""NumPy's first import from a slow disk can take long."""
_STOP_SECONDS = 3.0
_LONGEST_PAUSE = 30.0
_HELD_UP = 1.0
"""Seconds that a clock is late by, after which it was this process that stood still."""
_LOGGED = 64 * 1024
"""Bytes of a worker's stderr that reach the log."""
_TAIL = 2000
_LARGE = 1 << 18
"""Bytes of a message above which it is decoded off the event loop."""

News = ModuleLoaded | ExampleStarted | ExampleDone | ExampleSettled | FileDone
"""What a worker says about a file that it traces."""
Answer = News | Compared | Studied
_LAST = (FileDone, Compared, Studied)
"""After any of these nothing more comes of a request."""


class WorkerError(Exception):
    """The worker cannot be started; the text is for the user."""


class WorkerPool:
    """One worker for one interpreter and root.  At most `jobs` requests are with it at a time."""

    def __init__(
        self,
        python: str,
        root: str,
        *,
        jobs: int = 1,
        log: Callable[[str], None] = lambda text: None,
        died: Callable[[str], None] = lambda why: None,
        patience: Callable[[Request], float] = wire.longest_silence,
    ) -> None:
        """`died` hears, once for each worker that ends without having been asked to, how and with what last words.

        `patience` tells the seconds that a worker which has a request may say nothing.
        """
        self._python = python
        self._root = root
        self._log = log
        self._died = died
        self._patience = patience
        self._jobs = asyncio.Semaphore(jobs)
        self._starting = asyncio.Lock()
        self._numbers = itertools.count(1)
        self._worker: _Worker | None = None
        self._closed = False
        self._pause = 0.0
        self.began = 0.0
        """When the process was started, in seconds since the epoch."""

    async def start(self) -> Hello:
        """Start the worker, unless it runs.  Raises `WorkerError`."""
        async with self._starting:
            if self._closed:
                raise WorkerError("the worker was closed")
            if self._worker is None or self._worker.ended:
                await self._back_off()
                self.began = time.time()
                self._worker = await _start(self._python, self._root, self._log, self._died)
            return self._worker.hello

    @property
    def runs(self) -> bool:
        """Whether there is a process that takes requests."""
        return self._worker is not None and not self._worker.ended

    async def trace(self, request: TraceFile) -> AsyncGenerator[News]:
        """What the worker says about a file; the last message is a FileDone.

        Closing the generator, or cancelling the task that waits for it, ends the run.
        """
        async with contextlib.aclosing(self._ask(request)) as answers:
            async for answer in answers:
                if not isinstance(answer, (Compared, Studied)):
                    yield answer

    async def compare(self, request: CompareCall) -> Compared:
        """Run function and graph on the arguments."""
        async with contextlib.aclosing(self._ask(request)) as answers:
            async for answer in answers:
                if isinstance(answer, Compared):
                    return answer
                if isinstance(answer, FileDone) and answer.error is not None:
                    return _not_compared(request, answer.error)
        return _not_compared(request, "the worker gave no answer")

    async def study(self, request: StudyCall) -> Studied:
        """What one of PyTorch's own tracers says of an example."""
        async with contextlib.aclosing(self._ask(request)) as answers:
            async for answer in answers:
                if isinstance(answer, Studied):
                    return answer
                if isinstance(answer, FileDone) and answer.error is not None:
                    return Studied(request.id, request.study, answer.error)
        return Studied(request.id, request.study, "the worker gave no answer")

    async def close(self) -> None:
        """End the worker and all that it runs."""
        self._closed = True
        async with self._starting:
            if self._worker is not None:
                await self._worker.stop()

    async def _ask(self, request: Request) -> AsyncGenerator[Answer]:
        async with self._jobs:
            try:
                await self.start()
            except WorkerError as error:
                yield FileDone(request.id, str(error))
                return
            worker = self._worker
            assert worker is not None
            # A number of our own: callers need not agree on theirs.
            number = next(self._numbers)
            answers = worker.ask(replace(request, id=number), self._patience(request))
            last: Answer | None = None
            try:
                while not isinstance(last, _LAST):
                    last = await answers.get()
                    yield replace(last, id=request.id)
            finally:
                worker.cancel(number)

    async def _back_off(self) -> None:
        """A worker that died after a short life is not started again at once."""
        if self._worker is None:
            return
        lived = time.monotonic() - self._worker.born
        self._pause = 0.0 if lived > _LONGEST_PAUSE else min(max(0.25, 2 * self._pause), _LONGEST_PAUSE)
        await asyncio.sleep(self._pause)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request that a worker has, or was told to give up and has not said yet that it did."""

    answers: asyncio.Queue[Answer] | None
    """None where nobody waits for it any more."""
    patience: float
    """Seconds that the worker may say nothing while it has it."""


class _Worker:
    """A running process: its messages are sorted to those who asked, and it is ended where none come."""

    def __init__(
        self, process: asyncio.subprocess.Process, hello: Hello, stderr: _Stderr, died: Callable[[str], None]
    ) -> None:
        self.hello = hello
        self._died = died
        self._no_news = False
        """Whether its end is no news: it was asked to end, or that it did was told."""
        self.born = time.monotonic()
        self.ended = False
        self._process = process
        self._stderr = stderr
        self._asked: dict[int, _Asked] = {}
        self._silence: asyncio.TimerHandle | None = None
        """Runs while the worker owes a word."""
        self._reading = asyncio.create_task(self._read())

    def ask(self, request: Request, patience: float) -> asyncio.Queue[Answer]:
        answers: asyncio.Queue[Answer] = asyncio.Queue()
        if self.ended:
            answers.put_nowait(FileDone(request.id, "the worker has ended"))
            return answers
        self._asked[request.id] = _Asked(answers, patience)
        self._say(request)
        return answers

    def cancel(self, number: int) -> None:
        """Nobody waits for a request any more; the worker still has to say that it is done with it."""
        if number in self._asked:
            self._asked[number] = replace(self._asked[number], answers=None)
            self._say(Cancel(number))

    async def stop(self) -> None:
        """The end of its input ends a worker; one that does not hear is killed."""
        assert self._process.stdin is not None
        self._no_news = True
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _STOP_SECONDS)
        except TimeoutError:
            _kill(self._process)
        await asyncio.wait([self._reading], timeout=_STOP_SECONDS)  # what the system cannot end now is not waited for

    def _say(self, message: Message) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(wire.encode(message))  # requests are small beside the pipe's buffer in asyncio
        if self._silence is None:
            self._listen()

    async def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            while (message := await _message(self._process.stdout)) is not None:
                self._hear(message)
        except wire.WireError as error:
            await self._end(str(error))
        else:
            await self._end(None)

    def _hear(self, message: Message) -> None:
        number = getattr(message, "id", 0)
        asked = self._asked.get(number)
        if isinstance(message, _LAST):
            self._asked.pop(number, None)
        self._listen()
        if asked is not None and asked.answers is not None and isinstance(message, Answer):
            asked.answers.put_nowait(message)

    def _listen(self) -> None:
        """From now on, the worker may say nothing for as long as what it was asked allows."""
        if self._silence is not None:
            self._silence.cancel()
        longest = max((asked.patience for asked in self._asked.values()), default=None)
        loop = asyncio.get_running_loop()
        self._silence = None if longest is None else loop.call_later(longest, self._give_up, longest)

    def _give_up(self, seconds: float) -> None:
        """End a worker that is stuck; it may be in the hands of the system, and is not waited for."""
        assert self._silence is not None
        if asyncio.get_running_loop().time() > self._silence.when() + _HELD_UP:  # what it said has not been read yet
            self._listen()
            return
        self.ended = True
        _kill(self._process)
        self._tell(f"the worker said nothing for {seconds:g} s and was ended; it was stopped, or waited for something")

    async def _end(self, error: str | None) -> None:
        """Nothing more comes from this worker."""
        self.ended = True
        if error is not None:
            _kill(self._process)
        code = await self._process.wait()
        await self._stderr.finished()
        self._tell(f"the worker ended unexpectedly ({error or _exit_in_words(code)})" + self._stderr.quoted())

    def _tell(self, why: str) -> None:
        """Tell all who wait, and once whoever wants to know, how the worker ended."""
        if self._silence is not None:
            self._silence.cancel()
        if not self._no_news:
            self._no_news = True
            self._died(why)
        for number, asked in self._asked.items():
            if asked.answers is not None:
                asked.answers.put_nowait(FileDone(number, why))
        self._asked.clear()


class _Stderr:
    """What a worker writes to its stderr: logged up to a bound, and the last of it kept for error messages."""

    def __init__(self, stream: asyncio.StreamReader, log: Callable[[str], None]) -> None:
        self._room = _LOGGED
        self._tail = ""
        self._log = log
        self._reading = asyncio.create_task(self._read(stream))

    async def finished(self) -> None:
        """Wait for its end (a stray process may hold it open, so not for ever)."""
        await asyncio.wait([self._reading], timeout=0.5)

    def quoted(self) -> str:
        tail = self._tail.strip()
        return f":\n{tail}" if tail else ""

    async def _read(self, stream: asyncio.StreamReader) -> None:
        while data := await stream.read(4096):
            text = data.decode("utf-8", "replace")
            self._tail = (self._tail + text)[-_TAIL:]
            if self._room > 0:
                self._log(text[: self._room].rstrip("\n"))
                self._room -= len(data)
                if self._room <= 0:
                    self._log("(the worker writes a lot to stderr; the rest is not logged)")


async def _start(python: str, root: str, log: Callable[[str], None], died: Callable[[str], None]) -> _Worker:
    executable = shutil.which(os.path.expanduser(python))
    if executable is None:
        is_folder, exists = os.path.isdir(python), os.path.exists(python)
        why = "is a folder with no interpreter in its bin" if is_folder else "is not executable"
        raise WorkerError(f"the Python interpreter {python} {why if exists else 'does not exist'}")
    process = await _spawn(executable, root)
    assert process.stdout is not None
    assert process.stderr is not None
    stderr = _Stderr(process.stderr, log)
    try:
        hello = await asyncio.wait_for(_message(process.stdout), _START_SECONDS)
        _check(hello, executable)
    except BaseException as error:
        _kill(process)
        code = await process.wait()
        await stderr.finished()
        if isinstance(error, TimeoutError):
            raise WorkerError(f"{executable} did not answer within {_START_SECONDS:g} s{stderr.quoted()}") from error
        if isinstance(error, wire.WireError):
            why = f"{error}; {_exit_in_words(code)}"
            raise WorkerError(f"{executable} did not start the tracer ({why}){stderr.quoted()}") from error
        raise
    assert isinstance(hello, Hello)
    return _Worker(process, hello, stderr, died)


async def _spawn(executable: str, root: str) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    try:
        return await asyncio.create_subprocess_exec(
            executable,
            str(_BOOTSTRAP),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=root,
            env=environment(),
            start_new_session=sys.platform != "win32",  # a Ctrl-C in the terminal is ours to handle
        )
    except OSError as error:
        raise WorkerError(f"{executable} cannot be started in {root}: {error.strerror or error}") from error


def _check(hello: Message | None, executable: str) -> None:
    if not isinstance(hello, Hello):
        raise wire.WireError("it said nothing" if hello is None else f"it said {type(hello).__name__} first")
    if hello.version != wire.VERSION:
        raise WorkerError(f"the worker speaks version {hello.version}, the server {wire.VERSION}: reinstall nst-lsp")
    if hello.numpy is None:
        raise WorkerError(
            f"NumPy is not installed for {executable} (Python {hello.python}): "
            "install it there, or choose another interpreter"
        )


def environment() -> dict[str, str]:
    """The environment of workers: the user's environment, without what is there for the server alone.

    An editor's extension may start the server with its own libraries on PYTHONPATH; they are not the
    user's.  And set iteration does not change from one worker to the next, so that reports do not; nor does PyTorch's
    compiler start processes of its own as soon as it is imported (torch 2.6 does).
    """
    environment = dict(os.environ)
    ours = Path(__file__).resolve().parent.parent
    folders = environment.pop("PYTHONPATH", "").split(os.pathsep)
    folders = [folder for folder in folders if folder and Path(folder).resolve() != ours]
    if folders:
        environment["PYTHONPATH"] = os.pathsep.join(folders)
    environment.pop("__PYVENV_LAUNCHER__", None)
    environment.setdefault("PYTHONHASHSEED", "0")
    environment.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    return environment


async def _message(stream: asyncio.StreamReader) -> Message | None:
    """The next message, or None at the end of the stream."""
    try:
        head = await stream.readexactly(4)
        body = await stream.readexactly(int.from_bytes(head, "big"))
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise wire.WireError("the stream ended inside a frame") from error
        return None
    return await asyncio.to_thread(_decoded, body) if len(body) > _LARGE else wire.decode(body)


def _decoded(body: bytes) -> Message:
    with held_back():
        return wire.decode(body)


def _kill(process: asyncio.subprocess.Process) -> None:
    """End a process and its group: an interpreter may be a script that waits for the real one, which has our pipes.

    `Process.kill` of Python 3.11 may reap it by the way, and its exit status is lost then.
    """
    with contextlib.suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        elif process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)


def _exit_in_words(code: int) -> str:
    if code >= 0:
        return f"exit status {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def _not_compared(request: CompareCall, error: str) -> Compared:
    return Compared(request.id, equal=False, function="", graph="", error=error)
