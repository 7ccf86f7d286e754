"""`nst check --watch`: check again what changed, and whatever imports what changed.

Files are polled by their modification times: a few thousand `stat` calls cost some milliseconds, work on network
and container file systems where notifications do not, and need no compiled dependency.  A look that takes long is
taken more seldom.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from ..analysis.traced import Traced

_SECONDS = 0.3
"""Between two looks."""
_SHARE = 10
"""One part of this many of the time is spent on looking, at most."""
_SETTLING = 0.1
"""Seconds in which nothing more may change: an editor saves several files, git checks out many."""
_PATIENCE = 30
"""Looks after which a file that never settles is traced all the same."""

Stamp = tuple[int, int, int] | None
Stamps = Mapping[str, Stamp]


class Subject(Protocol):
    """What is watched, and what is done when it changes."""

    def files(self) -> Sequence[str]:
        """The files to check, as they are now."""

    def settings(self, files: Sequence[str]) -> Collection[str]:
        """Other files whose change concerns all of the files."""

    def asides(self) -> Collection[str]:
        """Other files whose change concerns only what is shown."""

    def forget(self) -> None:
        """The settings changed, or what was found out about files may hold no more."""

    async def trace(self, files: Sequence[str]) -> Iterable[Traced]:
        """Also called with no files, where only what is shown may change."""

    def show(self, tracings: Iterable[Traced], changed: Sequence[str]) -> object: ...


async def watch(subject: Subject) -> None:
    """Trace all files, show, and do so again with those that changed; until cancelled."""
    tracings: dict[str, Traced] = {}
    seen: Stamps = {}
    while True:
        began = time.monotonic()
        wanted, now = await _settled(subject, tracings, seen)
        took = time.monotonic() - began
        changed = _differences(seen, now)
        gone = tracings.keys() - set(wanted)
        if changed or gone:
            if seen:
                subject.forget()
                wanted = subject.files()
            everything = not changed.isdisjoint(subject.settings(wanted))
            known = {} if everything else tracings
            stale = [path for path in wanted if path not in known or _is_stale(known[path], changed)]
            start = time.time_ns()
            fresh = {traced.path: traced for traced in await subject.trace(stale)}
            tracings = {path: fresh.get(path) or tracings[path] for path in wanted}
            if stale or gone or not changed.isdisjoint(subject.asides()):
                subject.show(tracings.values(), sorted(changed | gone) if seen else ())
            seen = {**now, **_learned(tracings.values(), now, start)}
        await asyncio.sleep(max(_SECONDS, took * _SHARE))


async def _settled(subject: Subject, tracings: Mapping[str, Traced], seen: Stamps) -> tuple[Sequence[str], Stamps]:
    """The files to check and the stamps of all that matters, once nothing changes any more."""
    look = _look(subject, tracings)
    for _ in range(_PATIENCE):
        if not seen or not _differences(seen, look[1]):
            break
        await asyncio.sleep(_SETTLING)
        before, look = look, _look(subject, tracings)
        if look == before:
            break
    return look


def _look(subject: Subject, tracings: Mapping[str, Traced]) -> tuple[Sequence[str], Stamps]:
    wanted = subject.files()
    paths = {*wanted, *_dependencies(tracings.values()), *subject.settings(wanted), *subject.asides()}
    return wanted, {path: _stamp(path) for path in paths}


def _differences(seen: Stamps, now: Stamps) -> set[str]:
    return {path for path, stamp in now.items() if seen.get(path) != stamp or path not in seen}


def _is_stale(traced: Traced, changed: Collection[str]) -> bool:
    return any(path in changed for path in (traced.path, *traced.dependencies))


def _learned(tracings: Iterable[Traced], known: Stamps, start: int) -> Stamps:
    """The stamps of dependencies that the trace brought up; one that changed since is to be looked at again."""
    stamps = {path: _stamp(path) for path in _dependencies(tracings) if path not in known}
    return {path: None if stamp and stamp[0] >= start else stamp for path, stamp in stamps.items()}


def _dependencies(tracings: Iterable[Traced]) -> set[str]:
    return {path for traced in tracings for path in traced.dependencies}


def _stamp(path: str) -> Stamp:
    """A save that leaves the size within one tick of the clock shows by the file's number, where editors replace it."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
