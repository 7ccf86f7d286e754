"""What a forked child is bound by: it ends with its parent, and its memory has a limit.  POSIX only."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import resource
import signal
import sys
from pathlib import Path

from .lastwords import exit_now, send_signal

_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def die_with_parent(parent: int, lifeline: int) -> None:
    """No orphans: the end of the parent ends this process and its group.

    `lifeline` is the reading end of a pipe that only the parent can write to.  Its end of file raises
    SIGIO for the whole group, whose default action is to terminate.  Linux can do better for the
    process itself: a kill that cannot be caught.
    """
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        exit_now(1)


def adopt_orphans() -> None:
    """Linux: descendants whose parent has died become our children, so that `kill_strays` finds them."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def kill_strays(known: set[int]) -> None:
    """Linux: end children of this process that it did not start itself (daemons of user code), and theirs."""
    while strays := _children() - known:  # those of an ended one become ours
        for pid in strays:
            with contextlib.suppress(OSError):
                send_signal(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        known = known | strays


def _children() -> set[int]:
    children: set[int] = set()
    for listing in Path("/proc/self/task").glob("*/children"):  # each thread has its own
        with contextlib.suppress(OSError):
            children.update(map(int, listing.read_text().split()))
    return children


def limit_memory(extra: int | None) -> None:
    """No core dumps, and where `extra` is given, an address space that grows by that many bytes at most."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    size = _address_space()
    if extra is None or size is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = size + extra if hard == resource.RLIM_INFINITY else min(size + extra, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _address_space() -> int | None:
    """Bytes in use, where the system can tell."""
    try:
        with open("/proc/self/statm") as statistics:
            return int(statistics.read().split()[0]) * resource.getpagesize()
    except OSError:
        return None
