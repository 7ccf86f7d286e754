"""A spare process: it is started ahead, waits for one request, answers it, and ends (see `spawning`)."""

from __future__ import annotations

import contextlib
import os
import threading

from . import basis, confine, descriptors, handover, importing, lastwords, run, tasks, wire
from .channel import channel, finish
from .frames import NEXT_EXAMPLE, Emit, Ending, Kind, Outcome, body, raised, with_output
from .wire import CompareCall, Request, TraceFile, time_limit

_MARK = os.urandom(16)


def answer_one(scratch: str) -> None:
    """Wait for one request, answer it in this process, and end; files go to the folder `scratch`."""
    requests, results, stack = (descriptors.lift(standard) for standard in (0, 1, 2))
    output = _Output()
    basis.begin()
    request = wire.read(os.fdopen(requests, "rb", buffering=0, closefd=False))
    threading.Thread(target=_end_with_input, args=(requests,), daemon=True).start()
    lastwords.leave(stack)
    send = channel(results)

    def emit(kind: Kind, data: bytes) -> None:
        send(kind, with_output(data, output.text()) if kind in (Kind.LOADED, Kind.REPORT) else data)

    if not isinstance(request, Request):
        lastwords.exit_now(0)
    handover.listen()
    handover.watch(time_limit(request), stack)
    emit(Kind.BEGUN, b"")
    overlay = confine.enter(request.options, scratch)
    importing.tell(request.id, emit, lambda: handover.watch(time_limit(request), stack))

    def run_examples(request: TraceFile, loaded: run.Loaded, emit: Emit) -> None:
        forget_writes = overlay.remember()
        for number in range(request.skip, len(loaded.examples)):
            if tasks.keep(request, loaded, number, emit):
                continue
            output.forget()
            forget_writes()
            with contextlib.suppress(OSError):  # user code may have closed it
                descriptors.write_all(stack, NEXT_EXAMPLE)
            handover.watch(request.options.timeout, stack)
            _run_example(request, loaded, number, emit)

    if isinstance(request, TraceFile):
        traced = request
        finish(lambda emit: tasks.trace_file(traced, run_examples, emit), emit)
    elif isinstance(request, CompareCall):
        compared = request
        finish(lambda emit: tasks.compare(compared, emit), emit)
    else:
        studied = request
        finish(lambda emit: tasks.study(studied, emit), emit)
    lastwords.exit_now(0)


def _run_example(request: TraceFile, loaded: run.Loaded, number: int, emit: Emit) -> None:
    example = tasks.started(request, loaded, number)
    emit(Kind.STARTED, body(example))
    handover.arm(emit, request.options.timeout)
    try:
        tasks.trace_example(request, loaded, number, emit)
    except BaseException as error:  # noqa: BLE001  # SystemExit too; the next example goes on
        outcome = Outcome(Ending.RAISED, stack=raised(error))
        emit(Kind.REPORT, tasks.stopped_report(outcome, request, example, None, traced=False))


def _end_with_input(requests: int) -> None:
    """No orphans: the parent never writes more, so that anything to read is its end."""
    os.read(requests, 1)
    lastwords.exit_now(1)


class _Output:
    """No input, and all output through a pipe back into this process, where a thread keeps some of it."""

    def __init__(self) -> None:
        reading, writing = os.pipe()
        self._reading, self._writing = descriptors.lift(reading), descriptors.lift(writing)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for descriptor, standard in ((nothing, 0), (writing, 1), (writing, 2)):
            os.dup2(descriptor, standard)
        for descriptor in (reading, writing, nothing):
            os.close(descriptor)
        self._capture = descriptors.Capture()
        self._seen = threading.Semaphore(0)
        threading.Thread(target=self._listen, daemon=True).start()

    def text(self) -> str:
        """What has been written since `forget`; a mark in the pipe tells when all of it has arrived."""
        descriptors.flush()
        with contextlib.suppress(OSError):
            descriptors.write_all(self._writing, _MARK)
            self._seen.acquire(timeout=5.0)  # user code may have closed it
        return self._capture.text()

    def forget(self) -> None:
        self.text()
        self._capture = descriptors.Capture()

    def _listen(self) -> None:
        pending = b""
        while data := os.read(self._reading, 1 << 16):
            *before, pending = (pending + data).split(_MARK)
            for part in before:
                self._capture.add(part)
                self._seen.release()
            half = next((n for n in range(len(_MARK) - 1, 0, -1) if pending.endswith(_MARK[:n])), 0)
            self._capture.add(pending[: len(pending) - half])
            pending = pending[len(pending) - half :]
