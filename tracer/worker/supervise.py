"""One primitive: run a function in a forked child, within limits, and learn how it ended.

`start` forks; `turn` waits until something happens to any of the tasks; `run` is both for a single one.
A child hands back frames over a private pipe, its stdout and stderr are captured, and where it is
stopped, its Python stack is kept.  A child starts children of its own by the same primitive.
POSIX only; `spawning` stands in elsewhere.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NoReturn

from . import descriptors, guards, handover, lastwords
from .channel import channel, finish
from .frames import Emit, Ending, Frames, Kind, Outcome

_TICK, _SHORT_TICK = 0.05, 0.001
"""Seconds between looks at a child: its pipes tell of its end, unless user code's own children hold them
open; once they are closed, the end is near."""
_GRACE = 3.0
"""Seconds that a child past its deadline has for writing its stack and so ending, which a busy machine holds up."""
_ANSWER = 0.25
"""Seconds that a child whose time is up has for saying that it hands over what it has."""
_STACK = 64 * 1024
"""Bytes kept of what the child leaves as its stack; the last dump counts."""
_CHUNK = 1 << 16
_PIPEFULS = 16
"""Chunks that a pipe can hold at most (1 MiB on Linux)."""


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float
    memory: int | None = None
    hands_over: bool = False
    """Whether the child, when its time is up, is first asked for what it has (`handover`)."""


@dataclass(frozen=True, slots=True)
class _Pipes:
    """Reading end first.  The child has the writing ends, but of the lifeline the reading one."""

    results: tuple[int, int]
    output: tuple[int, int]
    stack: tuple[int, int]
    lifeline: tuple[int, int]

    def of_parent(self) -> tuple[int, ...]:
        return self.results[0], self.output[0], self.stack[0], self.lifeline[1]

    def of_child(self) -> tuple[int, ...]:
        return self.results[1], self.output[1], self.stack[1], self.lifeline[0]


class Task:
    """A forked child as its parent sees it; `outcome` is None while it runs."""

    def __init__(self, pid: int, pipes: _Pipes, limits: Limits, receive: Emit) -> None:
        self.pid = pid
        self.outcome: Outcome | None = None
        self._pipes = pipes
        self._receive = receive
        self._frames = Frames()
        self._output = descriptors.Capture()
        self._stack = bytearray()
        self._exception: bytes | None = None
        self._open = {pipes.results[0], pipes.output[0], pipes.stack[0]}
        for descriptor in self._open:
            os.set_blocking(descriptor, False)
        self._ended = self._overdue = False
        self._seconds = limits.seconds
        self._hands_over = limits.hands_over
        self._next_look = time.monotonic() + handover.LOOK_EVERY
        self.allow(limits.seconds)

    def allow(self, seconds: float) -> None:
        """Set the deadline anew, from now."""
        self._deadline = time.monotonic() + seconds

    def printed(self) -> str:
        """What the child has written to stdout and stderr so far."""
        self._drain({self._pipes.output[0]})
        return self._output.text()

    def discard(self) -> None:
        """Kill, reap and forget: nobody wants the outcome."""
        if self.outcome is None:
            self._kill()
            self._wait(0)
            self._close()
            self.outcome = Outcome(Ending.SIGNALLED, signal.SIGKILL)

    def descriptors(self) -> set[int]:
        return self._open

    def patience(self) -> float:
        """Seconds until the next `step`, also if nothing comes."""
        return min(self._remaining(), _TICK if self._open else _SHORT_TICK)

    def _remaining(self) -> float:
        return max(0.0, self._deadline - time.monotonic())

    def step(self, ready: Iterable[int]) -> None:
        """Read what has come; notice that the child has ended, or that it must."""
        for descriptor in ready:
            self._take(descriptor)
        if self._ended:
            self._kill()
        status = self._wait(0 if self._ended else os.WNOHANG)
        if status is not None:
            self._conclude(status)
        elif self._remaining() == 0.0 and self._hands_over:
            lastwords.send_signal(self.pid, handover.ASK)
            self._hands_over = False
            self.allow(_ANSWER)
        elif self._remaining() == 0.0:
            # First ask for the stack, which SIGABRT makes faulthandler write.
            lastwords.send_signal(self.pid, signal.SIGKILL if self._overdue else signal.SIGABRT)
            self._overdue = True
            self.allow(_GRACE)
        elif self._hands_over and time.monotonic() >= self._next_look:
            lastwords.send_signal(self.pid, handover.LOOK)
            self._next_look = time.monotonic() + handover.LOOK_EVERY

    def _take(self, descriptor: int) -> None:
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:  # `printed` was here before
            return
        except OSError:  # user code of this process closed it
            data = b""
        if not data:
            self._open.discard(descriptor)
        elif descriptor == self._pipes.output[0]:
            self._output.add(data)
        elif descriptor == self._pipes.stack[0]:
            self._stack = (self._stack + data)[-_STACK:]
        else:
            for kind, body in self._frames.feed(data):
                self._accept(kind, body)

    def _drain(self, wanted: set[int]) -> None:
        """Read what is there now.  Bounded: what user code left behind may write for ever."""
        for _ in range(_PIPEFULS):
            for descriptor in _ready(wanted & self._open, 0.0):
                self._take(descriptor)

    def _accept(self, kind: Kind, body: bytes) -> None:
        if kind is Kind.END:
            self._ended = True
        elif kind is Kind.RAISED:
            self._exception = body
        elif kind is Kind.HANDOVER:
            self._hands_over = False
            self.allow(handover.patience(self._seconds))
        else:
            self._hands_over = False  # what it has is here
            self._receive(kind, body)

    def _kill(self) -> None:
        """End the child and its process group, whatever they do."""
        for target in (-self.pid, self.pid):  # the group may not be there yet
            with contextlib.suppress(OSError):
                lastwords.send_signal(target, signal.SIGKILL)

    def _wait(self, flags: int) -> int | None:
        """The status of the ended child, or None while it runs."""
        try:
            pid, status = os.waitpid(self.pid, flags)
        except ChildProcessError:  # user code of this process reaped it, or ignores SIGCHLD
            return os.EX_SOFTWARE << 8
        return status if pid else None

    def _conclude(self, status: int) -> None:
        self._kill()  # what the child left behind in its group
        self._drain(self._open)
        self._close()
        self.outcome = Outcome(*self._ending(status), self._last_words(), self._output.text())

    def _ending(self, status: int) -> tuple[Ending, int]:
        if self._ended:
            return (Ending.FINISHED if self._exception is None else Ending.RAISED), 0
        if self._overdue:
            return Ending.TIMED_OUT, 0
        if os.WIFSIGNALED(status):
            return Ending.SIGNALLED, os.WTERMSIG(status)
        return Ending.EXITED, os.WEXITSTATUS(status)

    def _last_words(self) -> str:
        return (self._exception or bytes(self._stack)).decode("utf-8", "replace")

    def _close(self) -> None:
        descriptors.close(*self._pipes.of_parent())
        self._open = set()


def start(body: Callable[[Emit], None], limits: Limits, receive: Emit) -> Task:
    """Fork a child that runs `body`; its frames reach `receive` during `turn`."""
    pipes = _Pipes(*(descriptors.private_pipe() for _ in range(4)))
    parent = os.getpid()
    descriptors.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # 3.12 warns of threads; the child only has this one
        pid = os.fork()
    if pid == 0:
        _live(body, limits, pipes, parent)
    descriptors.close(*pipes.of_child())
    return Task(pid, pipes, limits, receive)


def turn(tasks: Iterable[Task], also: Iterable[int] = (), timeout: float | None = None) -> set[int]:
    """Wait until something happens to a task or to one of the descriptors `also`; return those that are ready."""
    running = [task for task in tasks if task.outcome is None]
    waits = [task.patience() for task in running] + ([] if timeout is None else [timeout])
    ready = _ready({*also, *(fd for task in running for fd in task.descriptors())}, min(waits, default=None))
    for task in running:
        task.step(ready & task.descriptors())
    return ready & set(also)


def run(body: Callable[[Emit], None], limits: Limits, receive: Emit) -> Outcome:
    """Run `body` in a child and wait for its end."""
    task = start(body, limits, receive)
    while task.outcome is None:
        turn([task])
    return task.outcome


def _ready(wanted: set[int], timeout: float | None) -> set[int]:
    poll = select.poll()  # like select, without its bound on the descriptors' numbers
    for descriptor in wanted:
        poll.register(descriptor, select.POLLIN)
    return {fd for fd, _ in poll.poll(None if timeout is None else timeout * 1000)}


def _live(body: Callable[[Emit], None], limits: Limits, pipes: _Pipes, parent: int) -> NoReturn:
    """The child's whole life."""
    try:
        os.setsid()
        descriptors.close_all_but(*pipes.of_child())
        guards.die_with_parent(parent, pipes.lifeline[0])
        _own_standard_streams(pipes.output[1])
        lastwords.leave(pipes.stack[1])
        guards.limit_memory(limits.memory)
        finish(body, channel(pipes.results[1]))
    except BaseException:  # noqa: BLE001  # the machinery failed; say so where someone reads it
        traceback.print_exc()
        descriptors.flush()
        lastwords.exit_now(os.EX_SOFTWARE)
    lastwords.exit_now(0)


def _own_standard_streams(output: int) -> None:
    """No input, and all output captured, also that of C code and of processes that user code starts."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    if nothing > 2:
        os.close(nothing)
    descriptors.close(output)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # what a hang printed is kept
