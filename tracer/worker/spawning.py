"""The worker where there is no fork: a started spare process takes each request, and a new spare is started.

The same frames and messages as `forking`.  The examples of a file share its process; where one is
stopped, the process is gone with it, and a new one goes on with the examples after it.  A memory limit is not
enforced.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

from . import descriptors, handover, tasks, wire
from .frames import NEXT_EXAMPLE, Ending, Frames, Kind, Outcome
from .protocol import Protocol
from .scratch import Scratch, remove
from .stopped import summary, unloaded
from .wire import (
    Cancel,
    CompareCall,
    Compared,
    ExampleSettled,
    ExampleStarted,
    FileDone,
    Request,
    Studied,
    StudyCall,
    TraceFile,
    time_limit,
)

if sys.platform != "win32":
    from . import guards

_SLACK = 0.75
"""Seconds beyond the limit that a process has for writing its stack."""
_START = 60.0
"""Seconds that a spare process may take to come up on a busy machine."""


def serve(protocol: Protocol) -> None:
    """Answer requests until the protocol ends."""
    spares = _Spares()
    requests: dict[int, _Request] = {}
    while not protocol.ended:
        for message in protocol.receive():
            if isinstance(message, Request):
                requests = {number: request for number, request in requests.items() if not request.finished}
                requests[message.id] = _Request(message, protocol, spares)
            elif isinstance(message, Cancel):
                if message.id in requests:
                    requests.pop(message.id).cancel()
                protocol.say(FileDone(message.id))
    for request in requests.values():
        request.cancel()
    spares.close()


class _Child:
    """A process that waits for one request."""

    def __init__(self, scratch: str) -> None:
        self.scratch = scratch
        script = str(Path(__file__).with_name("bootstrap.py"))
        self.process = subprocess.Popen(
            [sys.executable, script, "--one", scratch],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            start_new_session=sys.platform != "win32",
        )
        self._stack = descriptors.Capture()
        self._overdue = False
        self._timer = threading.Timer(_START, self._expire)  # not started yet
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as stream:
            while data := os.read(stream.fileno(), 1 << 16):
                self._stack.add(data)

    def kill(self) -> None:
        """End it, and where there are process groups, what user code started in its group."""
        if sys.platform == "win32":
            self.process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def allow(self, seconds: float) -> None:
        """Set the deadline anew, from now."""
        self._timer.cancel()
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True
        self._timer.start()

    def _expire(self) -> None:
        self._overdue = True
        self.kill()

    def outcome(self, ended: bool, exception: bytes | None) -> Outcome:
        """How it ended: it said so, or its pipe is closed."""
        if ended:
            self.kill()
        status = self.process.wait()
        self._timer.cancel()
        self.kill()
        self._listener.join(1.0)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        left = self._stack.text().rpartition(NEXT_EXAMPLE.decode())[2]
        stack = left if exception is None else exception.decode("utf-8", "replace")
        if ended:
            return Outcome(Ending.FINISHED if exception is None else Ending.RAISED, 0, stack)
        if self._overdue:
            return Outcome(Ending.TIMED_OUT, 0, stack)
        return Outcome(Ending.SIGNALLED if status < 0 else Ending.EXITED, abs(status), stack)


class _Spares:
    """Always one process started ahead."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._scratch = Scratch()
        self._spare = _Child(self._scratch.new())
        self._living = {self._spare.process.pid}
        if sys.platform != "win32":
            guards.adopt_orphans()

    def take(self) -> _Child:
        with self._lock:
            child, self._spare = self._spare, _Child(self._scratch.new())
            self._living.add(self._spare.process.pid)
        return child

    def ended(self, child: _Child) -> None:
        """Forget a child, and end what user code has left behind."""
        with self._lock:
            self._living.discard(child.process.pid)
            if sys.platform != "win32":
                guards.kill_strays(self._living)
            remove(child.scratch)

    def close(self) -> None:
        self._spare.kill()
        self._spare.process.wait()
        self._scratch.close()


class _Request:
    """One request, followed by a thread of its own."""

    def __init__(self, request: Request, protocol: Protocol, spares: _Spares) -> None:
        self._request = request
        self._protocol = protocol
        self._spares = spares
        self.finished = False
        self._loaded = self._cancelled = False
        self._done = 0
        self._current: ExampleStarted | None = None
        self._last: bytes | None = None
        self._child = spares.take()
        threading.Thread(target=self._follow, daemon=True).start()

    def cancel(self) -> None:
        self._cancelled = True
        if not self.finished:
            self._child.kill()

    def _follow(self) -> None:
        while self._go_on(self._attend()):
            self._child = self._spares.take()
            if self._cancelled:
                self._child.kill()
        self.finished = True
        if not self._cancelled and isinstance(self._request, TraceFile):
            self._protocol.say(FileDone(self._request.id))

    def _attend(self) -> Outcome:
        """Give the request to the child and pass on what it says, until its end."""
        process, request, frames = self._child.process, self._request, Frames()
        assert process.stdin is not None
        assert process.stdout is not None
        if isinstance(request, TraceFile):
            request = replace(request, skip=self._done)
        with contextlib.suppress(OSError):
            process.stdin.write(wire.encode(request))
            process.stdin.flush()
        self._child.allow(_START)
        exception: bytes | None = None
        while data := os.read(process.stdout.fileno(), 1 << 16):
            for kind, content in frames.feed(data):
                if kind is Kind.END:
                    return self._outcome(True, exception)
                if kind in (Kind.BEGUN, Kind.STARTED, Kind.IMPORTING):
                    self._child.allow(time_limit(request) + _SLACK)
                if kind is Kind.HANDOVER:
                    self._child.allow(handover.patience(request.options.timeout))
                elif kind is Kind.RAISED:
                    exception = content
                elif not self._cancelled:
                    self._receive(kind, content)
        return self._outcome(False, exception)

    def _outcome(self, ended: bool, exception: bytes | None) -> Outcome:
        outcome = self._child.outcome(ended, exception)
        self._spares.ended(self._child)
        return outcome

    def _receive(self, kind: Kind, data: bytes) -> None:
        if kind in (Kind.BEGUN, Kind.LEARNED, Kind.HANDOVER) or (kind is Kind.LOADED and self._loaded):
            return
        if kind is Kind.LOADED:
            self._loaded = True
        elif kind is Kind.STARTED:
            started = wire.decode(data)
            assert isinstance(started, ExampleStarted)
            self._current, self._last, self._done = started, None, self._done + 1
        elif kind is Kind.REPORT:
            self._last = data
        elif kind is Kind.SETTLED:
            settled = wire.decode(data)
            assert isinstance(settled, ExampleSettled)
            self._done += settled.kept
        self._protocol.pass_on(data)

    def _go_on(self, outcome: Outcome) -> bool:
        """Say what the child could not say itself; whether examples are left for another one."""
        request = self._request
        if self._cancelled or outcome.ending is Ending.FINISHED:
            return False
        if isinstance(request, CompareCall):
            why = f"the comparison was stopped: {summary(outcome, request)}"
            self._protocol.say(Compared(request.id, equal=False, function="", graph="", error=why))
            return False
        if isinstance(request, StudyCall):
            self._protocol.say(Studied(request.id, request.study, f"it was stopped: {summary(outcome, request)}"))
            return False
        if not self._loaded:
            self._protocol.say(unloaded(outcome, request))
            return False
        if self._current is None:
            return False
        last, traced = self._last, self._last is not None
        self._protocol.pass_on(tasks.stopped_report(outcome, request, self._current, last, traced=traced))
        self._current = None
        return True
