"""How an example that must end hands over what it has: its findings so far, and the graph up to there.

The process that watches it sends one signal to look whether too much was recorded, and another when its time is up
(`supervise`); where there is no such process, a thread of its own does (`watch`).  The handler ends the trace where the
user's function is, by `Halt`.  Code in C that does not come back to the interpreter never gets to hear of it; it is
killed, and its trace can be done again up to the line where it was (`halt_at`).
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass
from types import FrameType
from typing import Any

from .. import ledger
from ..events import Effect
from ..halting import Halt
from ..recorder import site, underway
from .frames import Emit, Kind

LOOK_EVERY = 1.0
"""Seconds between looks at how much was recorded."""
MOST_NODES = 300_000
"""Operations of a trace: about half a gigabyte."""
if sys.platform != "win32":
    ASK, LOOK = signal.SIGXCPU, signal.SIGXFSZ


def patience(seconds: float) -> float:
    """Seconds that an example has for handing over, once it has said that it does."""
    return 5.0 + seconds


@dataclass(slots=True)
class _Armed:
    """The example that this process traces."""

    emit: Emit
    timeout: float
    owner: int
    halted: bool = False


_armed: list[_Armed] = []


def listen() -> None:
    """Handle the signals from now on, here and in what is forked; they do nothing where no example is armed."""
    if sys.platform != "win32":
        signal.signal(ASK, lambda *_: time_is_up())
        signal.signal(LOOK, lambda *_: look())


def arm(emit: Emit, timeout: float) -> None:
    """From now on, a trace in this process can be ended; that it hands over is told to `emit`."""
    _armed[:] = [_Armed(emit, timeout, os.getpid())]


def disarm() -> None:
    _armed.clear()


def time_is_up() -> None:
    if _armed:
        halt(f"still running after {_armed[0].timeout:g} s (setting `timeout`)")


def look() -> None:
    recorder = underway()
    if recorder is not None and len(recorder.nodes) > MOST_NODES:
        halt(f"more than {MOST_NODES:,} operations were recorded")


def halt(reason: str) -> None:
    """End the trace that is under way in this thread, if one is: raises `Halt`."""
    recorder = underway()
    if not _armed or recorder is None or recorder.floor is None:
        return
    run = _armed[0]
    if run.halted or run.owner != os.getpid() or threading.current_thread() is not threading.main_thread():
        return
    run.halted = True
    run.emit(Kind.HANDOVER, b"")
    ledger.note(
        Effect(site(sys._getframe(1)), "NST504", reason, stopped=True)
    )  # nothing holds that up: `__del__` could
    raise Halt(reason)


def halt_at(path: str, line: int) -> None:
    """End the next trace before it gets to a line."""

    def local(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line" and frame.f_lineno == line and underway() is not None:
            raise Halt
        return local

    sys.settrace(lambda frame, *_: local if frame.f_code.co_filename == path else None)


def watch(timeout: float, stack: int) -> None:
    """Look, and ask in time, from a thread of this process, which nobody else can ask; call it anew for each example.

    It writes the stack to the descriptor `stack` first.  A thread cannot do so while code in C keeps the interpreter;
    then `faulthandler` does, a little later: it may do so at no other time, as it would read a stack that moves.
    """
    watching = _watching[:] = [object()]
    faulthandler.dump_traceback_later(timeout + _LATER, file=stack)
    threading.Thread(target=_watch, args=(timeout, stack, watching[0]), daemon=True).start()


_LATER = 0.05
_watching: list[object] = []


def _watch(timeout: float, stack: int, own: object) -> None:
    end = time.monotonic() + timeout
    while _watching == [own]:
        left = end - time.monotonic()
        time.sleep(max(0.0, min(left, LOOK_EVERY)))
        if _watching != [own]:
            return
        if left <= LOOK_EVERY:
            faulthandler.cancel_dump_traceback_later()
            faulthandler.dump_traceback(file=stack, all_threads=True)
            _interrupt(asks=True)
            return
        _interrupt(asks=False)


def _interrupt(*, asks: bool) -> None:
    main = threading.main_thread().ident
    assert main is not None
    if sys.platform != "win32":
        signal.pthread_kill(main, ASK if asks else LOOK)
    else:
        recorder = underway()
        if asks and _armed and recorder is not None and recorder.floor is not None:
            _armed[0].halted = True
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(main), ctypes.py_object(Halt))
