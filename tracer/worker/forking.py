"""The worker on POSIX: a warm parent that forks a child per request, which forks one per example.

The parent never runs user code and stays single threaded.  It has NumPy and the tracer loaded, and
imports ahead, when idle, what installed modules the user's files were seen to import.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
from importlib import import_module

from . import basis, confine, environment, guards, handover, importing, lastwords, run, supervise, tasks
from .frames import Emit, Ending, Kind, Outcome, body, with_output
from .protocol import Protocol
from .scratch import Scratch, remove
from .stopped import innermost, summary, unloaded
from .supervise import Limits, Task
from .warmup import warm_up, warm_up_libraries
from .wire import (
    Cancel,
    CompareCall,
    Compared,
    FileDone,
    Importing,
    Message,
    Request,
    Studied,
    StudyCall,
    TraceFile,
    time_limit,
)

_CORES = min(os.cpu_count() or 1, 4)
_AGAIN = 5.0
"""Seconds, at most, for tracing again what was stopped, up to there."""
_NICER = 5
_MOST = 16
"""Examples at most that are under way, be it that they wait for the others."""
_HELD = 3600.0
"""Seconds that an example may have to wait."""
_SLACK = 5.0
"""Seconds beyond all that an example may take after which its supervisor itself must be stuck."""


def serve(protocol: Protocol) -> None:
    """Answer requests until the protocol ends."""
    guards.adopt_orphans()
    scratch = Scratch()
    worker = _Worker(protocol, scratch)
    try:
        while not protocol.ended:
            worker.turn()
    finally:
        worker.close()
        scratch.close()


class _Worker:
    """The requests in progress, and the modules still to be imported ahead."""

    def __init__(self, protocol: Protocol, scratch: Scratch) -> None:
        self._protocol = protocol
        self._scratch = scratch
        self._requests: dict[int, _Request] = {}
        self._ahead: list[str] = []
        basis.package_folders()  # takes a while the first time: not in each child
        warm_up()
        basis.begin()
        gc.collect()
        gc.freeze()  # collections in the children leave the shared pages alone

    def turn(self) -> None:
        idle = bool(self._ahead) and not self._requests
        running = [request.task for request in self._requests.values()]
        if supervise.turn(running, {self._protocol.descriptor}, 0.0 if idle else None):
            for message in self._protocol.receive():
                self._accept(message)
        elif idle:
            self._import_ahead()
        for number, request in list(self._requests.items()):
            if request.task.outcome is not None:
                request.conclude(request.task.outcome)
                self._forget(number)

    def close(self) -> None:
        for number in list(self._requests):
            self._cancel(number)

    def _accept(self, message: Message) -> None:
        if isinstance(message, Request):
            while self._ahead and not self._requests:  # file after file: each would import them anew
                self._protocol.say(Importing(message.id, self._ahead[0]))
                self._import_ahead()
            self._requests[message.id] = _Request(message, self._protocol, self._ahead, self._scratch.new())
        elif isinstance(message, Cancel):
            if message.id in self._requests:
                self._cancel(message.id)
            self._protocol.say(FileDone(message.id))

    def _cancel(self, number: int) -> None:
        self._requests[number].task.discard()
        self._forget(number)

    def _forget(self, number: int) -> None:
        ended = self._requests.pop(number)
        guards.kill_strays({request.task.pid for request in self._requests.values()})
        remove(ended.scratch)

    def _import_ahead(self) -> None:
        with (
            contextlib.suppress(BaseException),
            environment.unchanged(),
        ):  # it could be imported in a child: a mere hope
            import_module(self._ahead.pop(0))
        if not self._ahead:
            with contextlib.suppress(Exception):  # of a version that is not known yet
                warm_up_libraries()
            gc.freeze()


class _Request:
    """One request and the child that works on it."""

    def __init__(self, request: Request, protocol: Protocol, ahead: list[str], scratch: str) -> None:
        self.scratch = scratch
        self._request = request
        self._protocol = protocol
        self._ahead = ahead
        self._answered = False
        self._seconds = time_limit(request)
        limits = Limits(self._seconds, request.options.memory_limit)
        self.task: Task = supervise.start(self._body, limits, self._receive)

    def conclude(self, outcome: Outcome) -> None:
        """Say the last words that the child could not say itself."""
        request, finished = self._request, outcome.ending is Ending.FINISHED
        if isinstance(request, CompareCall):
            if not finished:
                why = f"the comparison was stopped: {summary(outcome, request)}"
                self._protocol.say(Compared(request.id, equal=False, function="", graph="", error=why))
        elif isinstance(request, StudyCall):
            if not finished:
                why = f"it was stopped: {summary(outcome, request)}"
                self._protocol.say(Studied(request.id, request.study, why))
        elif finished:
            self._protocol.say(FileDone(request.id))
        elif self._answered:
            why = f"the module's own process was stopped: {summary(outcome, request)}"
            self._protocol.say(FileDone(request.id, why))
        else:
            self._protocol.say(unloaded(outcome, request))
            self._protocol.say(FileDone(request.id))

    def _body(self, emit: Emit) -> None:
        """In the child."""
        confine.enter(self._request.options, self.scratch)
        importing.tell(self._request.id, emit)
        if isinstance(self._request, CompareCall):
            tasks.compare(self._request, emit)
        elif isinstance(self._request, StudyCall):
            tasks.study(self._request, emit)
        else:
            handover.listen()
            tasks.trace_file(self._request, _run_examples, emit)

    def _receive(self, kind: Kind, data: bytes) -> None:
        if kind is Kind.LEARNED:
            self._ahead += [name for name in json.loads(data) if name not in self._ahead]
            return
        if kind is Kind.LOADED:
            data = with_output(data, self.task.printed())
        self._answered |= kind is not Kind.IMPORTING
        self._protocol.pass_on(data)
        again = handover.patience(self._seconds) + _AGAIN + _SLACK if self._answered else 0.0
        self.task.allow(self._seconds + again)


def _run_examples(request: TraceFile, loaded: run.Loaded, emit: Emit) -> None:
    """Each example in a child of its own, so that none influences another.

    As many at a time as there are cores for the first reports, and as many again that are being verified; those that
    only look for fixes are no hindrance to others.  A request may ask for fewer, and is then never at more.
    """
    gc.freeze()
    cores = request.at_once or _CORES
    limit = request.at_once or _MOST
    waiting = [number for number in range(len(loaded.examples)) if not tasks.keep(request, loaded, number, emit)]
    running: list[_Example] = []
    while waiting or running:
        while waiting and len(running) < limit and _has_room(running, cores):
            running.append(_Example(request, loaded, waiting.pop(0), emit))
        for example in _to_go_on(running, cores):
            example.go_on()
        supervise.turn([example.task for example in running])
        for example in [example for example in running if example.task.outcome is not None]:
            if example.conclude():
                running.remove(example)


def _has_room(running: list[_Example], cores: int) -> bool:
    """Whether another example may begin."""
    busy = [example for example in running if not example.held]
    return len(busy) < 2 * cores and sum(not example.reports for example in busy) < cores


def _to_go_on(running: list[_Example], cores: int) -> list[_Example]:
    """Those that may look for fixes now: nobody waits for the first reports or the verification of others."""
    held = [example for example in running if example.held]
    trying = [example for example in running if example.went_on]
    return held[: cores - len(trying)] if len(held) + len(trying) == len(running) else []


class _Example:
    """One example and the child that traces it."""

    def __init__(self, request: TraceFile, loaded: run.Loaded, number: int, emit: Emit) -> None:
        self._request = request
        self._loaded = loaded
        self._number = number
        self._emit = emit
        self._started = tasks.started(request, loaded, number)
        self.last: bytes | None = None
        self.reports = 0
        self.held = self.went_on = False
        """It waits, or has waited, until nobody waits for others."""
        self._stopped: Outcome | None = None
        emit(Kind.STARTED, body(self._started))
        limits = Limits(request.options.timeout, request.options.memory_limit, hands_over=True)
        self.task: Task = supervise.start(self._body, limits, self._receive)

    def conclude(self) -> bool:
        """Say what the child could not; False where another one looks for what was found before it was stopped."""
        outcome = self.task.outcome
        assert outcome is not None
        stopped, self._stopped = self._stopped or outcome, outcome
        if stopped.ending is Ending.FINISHED:
            return True
        at = innermost(stopped, self._request) if stopped is outcome and self.last is None else None
        if at is not None:
            limits = Limits(min(self._request.options.timeout, _AGAIN), self._request.options.memory_limit)
            self.task = supervise.start(lambda send: self._up_to(at, send), limits, self._keep)
            return False
        traced = self.reports > 0
        self._emit(Kind.REPORT, tasks.stopped_report(stopped, self._request, self._started, self.last, traced=traced))
        return True

    def _up_to(self, at: tuple[str, int], send: Emit) -> None:
        """In a second child: the trace again, up to the line where the first was stopped."""
        handover.halt_at(*at)
        tasks.trace_example(self._request, self._loaded, self._number, send)

    def _keep(self, kind: Kind, data: bytes) -> None:
        assert self._stopped is not None
        if kind is Kind.REPORT:
            self.last = with_output(data, self._stopped.output)

    def _body(self, send: Emit) -> None:
        """In the child."""

        def emit(kind: Kind, data: bytes) -> None:
            send(kind, data)
            os.nice(_NICER)  # first reports of other examples come before the verification of this one, and so on

        def wait() -> None:
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCONT])  # it may come before it is waited for
            send(Kind.WAITING, b"")
            signal.sigwait([signal.SIGCONT])

        importing.tell(self._request.id, send)
        handover.arm(send, self._request.options.timeout)
        tasks.trace_example(self._request, self._loaded, self._number, emit, wait)

    def go_on(self) -> None:
        self.held, self.went_on = False, True
        self.task.allow(self._request.options.timeout)
        lastwords.send_signal(self.task.pid, signal.SIGCONT)

    def _receive(self, kind: Kind, data: bytes) -> None:
        if kind is Kind.WAITING:
            self.held = True
            self.task.allow(_HELD)
            return
        if kind is Kind.REPORT:
            data = self.last = with_output(data, self.task.printed())
            self.reports += 1
        if kind in (Kind.REPORT, Kind.IMPORTING):
            self.task.allow(self._request.options.timeout)  # for what is tried after it
        self._emit(kind, data)
