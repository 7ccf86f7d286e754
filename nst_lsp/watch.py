"""`nst check --watch`: check again what changed, and whatever imports what changed.

Files are polled by their modification times: a few thousand `stat` calls cost some milliseconds, work on network
and container file systems where notifications do not, and need no compiled dependency.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence

from .analysis.traced import Traced

_SECONDS = 0.3
"""Between two looks."""

Stamp = tuple[int, int] | None


async def watch(
    files: Callable[[], Sequence[str]],
    trace: Callable[[Sequence[str]], Awaitable[Iterable[Traced]]],
    show: Callable[[Iterable[Traced]], object],
) -> None:
    """Trace all files, show, and do so again with those that changed; until cancelled."""
    tracings: dict[str, Traced] = {}
    seen: dict[str, Stamp] = {}
    while True:
        wanted = files()
        now = {path: _stamp(path) for path in {*wanted, *_dependencies(tracings.values())}}
        stale = [path for path in wanted if path not in tracings or _changed(tracings[path], seen, now)]
        gone = tracings.keys() - set(wanted)
        if stale or gone:
            fresh = {traced.path: traced for traced in await trace(stale)}
            tracings = {path: fresh.get(path) or tracings[path] for path in wanted}
            show(tracings.values())
        learned = _dependencies(tracings.values()) - now.keys()
        seen = now | {path: _stamp(path) for path in learned}
        await asyncio.sleep(_SECONDS)


def _changed(traced: Traced, seen: dict[str, Stamp], now: dict[str, Stamp]) -> bool:
    return any(seen.get(path) != now[path] for path in (traced.path, *traced.dependencies))


def _dependencies(tracings: Iterable[Traced]) -> set[str]:
    return {path for traced in tracings for path in traced.dependencies}


def _stamp(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
