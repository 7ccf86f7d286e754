"""A process that runs user code is confined: files of the outside stay as they are, and nobody else is disturbed.

Three things work together.  An audit hook (PEP 578) sees what Python code is about to do and stops it, unless the
setting `allow` permits it.  Before that, an overlay leads files that are opened for writing into the run's scratch
folder (`diverting`), so that most programs go on.  And on Linux the kernel binds native code as well (`landlock`).
Each effect is noted with its place in user code (`tracer.ledger`).

This keeps accidents from happening; it is no prison for code that means harm.  Native code is bound by the kernel
alone, and where that has no Landlock, by nothing.
"""

from __future__ import annotations

import errno
import mmap
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from .. import ledger
from ..events import Effect
from ..recorder import site, user_frame
from . import asked, diverting, landlock, lastwords, permits, reading, wire
from .attempts import READERS, Attempt, short
from .diverting import Overlay

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_MACHINERY = frozenset(
    {*(os.path.join(_FOLDER, name) for name in ("supervise.py", "guards.py", "confine.py", "attempts.py")),
     os.path.join(os.path.dirname(_FOLDER), "trials.py")}
)  # fmt: skip
"""Files of ours that start, watch and end processes: what they do themselves is not user code's."""
_PASSED_BY = frozenset(
    {*(os.path.join(_FOLDER, name) for name in ("lastwords.py", "diverting.py")),
     os.path.join(os.path.dirname(_FOLDER), "passages.py")}
)  # fmt: skip
"""Files of functions that stand in the place of the system's: it matters who called them."""
_LED = diverting.led.__code__
_IMPORTING = "<frozen importlib._bootstrap>"
_TEMPORARY = ("TMPDIR", "TEMP", "TMP")


def enter(options: wire.Options, scratch: str) -> Overlay:
    """Confine this process, and those it will fork, for the rest of its life."""
    confinement = _Confinement(permits.read(options.allow), scratch, options.process_limit)
    sys.dont_write_bytecode = True
    asked.scratch(scratch)
    asked.watch_entropy()
    temporary = os.path.join(scratch, "tmp")
    os.mkdir(temporary)
    for name in _TEMPORARY:
        os.environ[name] = temporary
    tempfile.tempdir = None  # it is found anew
    writable = confinement.permits.roots()
    landlock.restrict(
        None if writable is None else [scratch, *writable],
        network=confinement.permits.some("network"),
        signals=confinement.permits.some("signal"),
    )
    confinement.overlay.guide()
    sys.addaudithook(_hook(confinement))
    return confinement.overlay


def _hook(confinement: _Confinement) -> Callable[[str, tuple[Any, ...]], None]:
    """Audit events are many (`sys._getframe` is one): all but a few cost one look into a table."""
    handlers: dict[str, Callable[[tuple[Any, ...]], None]] = {name: confinement.reading(name) for name in READERS}
    handlers |= dict.fromkeys(("os.fork", "os.forkpty"), confinement.forking)
    handlers["ctypes.dlopen"] = reading.loaded
    database = handlers["sqlite3.connect"]

    def connecting(args: tuple[Any, ...]) -> None:
        reading.loaded(args)
        database(args)

    handlers["sqlite3.connect"] = connecting
    consider = handlers["open"]

    def opening(args: tuple[Any, ...]) -> None:
        reading.opened(args)
        consider(args)

    handlers["open"] = opening
    find = handlers.get

    def hook(event: str, args: tuple[Any, ...]) -> None:
        handler = find(event)
        if handler is not None:
            handler(args)

    return hook


class _Confinement:
    """What one process may do, and what it did."""

    def __init__(self, permitted: permits.Permits, scratch: str, processes: int) -> None:
        self.permits = permitted
        self._inside = tuple({os.path.join(path, "") for path in (scratch, os.path.realpath(scratch))})
        files = os.path.join(scratch, "files")
        os.mkdir(files)
        self.overlay = Overlay(files, self._is_free, self._tell_diverted)
        self._processes = processes
        self._resolving = False
        self._forked = mmap.mmap(-1, 8)
        """How many processes were forked, by this one and all that it forked: they share it."""

    # ---- audit events ----------------------------------------------------------------------------------

    def reading(self, name: str) -> Callable[[tuple[Any, ...]], None]:
        read = READERS[name]

        def handle(args: tuple[Any, ...]) -> None:
            for attempt in read(args):
                self._consider(attempt)

        return handle

    def forking(self, _: tuple[Any, ...]) -> None:
        if _caller().f_code.co_filename in _MACHINERY:
            return
        asked.reach_out("a process was forked")
        forked = int.from_bytes(self._forked[:], "little") + 1
        self._forked[:] = forked.to_bytes(8, "little")
        if forked > self._processes:
            if hasattr(os, "getpgrp") and os.getpid() != os.getpgrp():
                lastwords.exit_now(1)  # one of those that were forked: it has nothing to say
            words = f"more than {self._processes} processes were forked (setting `processLimit`)"
            _note("NST504", words, stopped=True)
            raise BlockingIOError(errno.EAGAIN, f"stopped while tracing: {words}")

    def _consider(self, attempt: Attempt) -> None:
        if attempt.kind == "write" and self._is_inside(attempt.target):
            return
        caller = _caller()
        if caller.f_code is _LED or caller.f_code.co_filename in _MACHINERY:
            return
        if attempt.kind == "network" and self._is_inside(attempt.target):
            return
        asked.reach_out(attempt.words)
        if self.permits.allow(attempt.kind, attempt.target):
            self._permit(attempt)
            return
        how = f"to allow it, add `{attempt.setting}` to the setting `allow`"
        _note(attempt.code, f"{attempt.words} was stopped while tracing; {how}", stopped=True)
        raise PermissionError(errno.EACCES, f"stopped while tracing: {attempt.words}; {how}")

    def _permit(self, attempt: Attempt) -> None:
        later = "what came of it is frozen in the graph" if attempt.code == "NST207" else "the graph does not do it"
        _note(
            attempt.code,
            f"{attempt.words} is permitted while tracing (setting `allow`); {later}",
            stopped=False,
            permitted=True,
        )
        if attempt.kind == "network" and attempt.is_name and not self._resolving:
            self._resolving = True
            self.permits.addresses |= _addresses(attempt.target)
            self._resolving = False

    # ---- files -----------------------------------------------------------------------------------------

    def _is_inside(self, path: str) -> bool:
        return path.startswith(self._inside)

    def _is_free(self, path: str) -> bool:
        return self._is_inside(path) or path.startswith("/dev/") or self.permits.allow("write", path)

    def _tell_diverted(self, path: str) -> None:
        words = f"`{short(path)}` was written while tracing, in a scratch folder instead of its place"
        how = f"the graph does not write it (to allow it, add `write:{short(path)}` to the setting `allow`)"
        _note("NST301", f"{words}; {how}", stopped=False)


def _note(code: str, message: str, *, stopped: bool, permitted: bool = False) -> None:
    """Note an effect at the place in user code that led to it; of a thread without any, at that of the main thread."""
    frame = sys._getframe(1)
    at = user_frame(frame)
    if at is None:
        at = user_frame(sys._current_frames().get(threading.main_thread().ident or 0))
    if at is None or (not stopped and _is_importing(frame, at)):
        return  # what a library does as it is imported hurts nobody where it was diverted
    ledger.note(Effect(site(at), code, message, stopped, permitted))


def _is_importing(frame: FrameType | None, until: FrameType) -> bool:
    while frame is not None and frame is not until:
        if frame.f_code.co_filename == _IMPORTING:
            return True
        frame = frame.f_back
    return False


def _caller() -> FrameType:
    """Who asked for what an audit event is about: the innermost frame that is neither a hook's nor a stand-in's."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_between(frame):
        frame = frame.f_back
    return frame


def _is_between(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    return file == __file__ or (file in _PASSED_BY and frame.f_code is not _LED)


def _addresses(target: str) -> set[str]:
    """What an allowed host stands for: it is connected to by number."""
    import socket

    host = target.rpartition(":")[0] if target.rpartition(":")[2].isdigit() else target
    try:
        return {str(found[4][0]) for found in socket.getaddrinfo(host, None)}
    except OSError:
        return set()
