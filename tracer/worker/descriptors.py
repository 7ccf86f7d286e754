"""Descriptors that user code must not meet, and what is kept of its output.

Private descriptors live high in the table, out of the way of `os.closerange(3, 100)` and its like.
Each process knows its own, so that a child closes those of its parent first thing.
"""

from __future__ import annotations

import contextlib
import os
import sys

if sys.platform != "win32":
    import fcntl
    import resource

_KEEP = 32 * 1024
"""Bytes of output kept from the start, and as many from the end."""

_close = os.close  # user code gets another one (`lastwords`)

private: set[int] = set()
"""The private descriptors of this process."""


def private_pipe() -> tuple[int, int]:
    """A pipe whose two ends are private; reading end first."""
    reading, writing = os.pipe()
    ends = lift(reading), lift(writing)
    os.close(reading)
    os.close(writing)
    return ends


def lift(descriptor: int) -> int:
    """A private duplicate of a descriptor, which closes on exec."""
    if sys.platform == "win32":
        lifted = os.dup(descriptor)
    else:
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        floor = min(soft // 2, 4096) if soft > 0 else 4096
        lifted = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, floor)
    private.add(lifted)
    return lifted


def close(*descriptors: int) -> None:
    for descriptor in descriptors:
        private.discard(descriptor)
        with contextlib.suppress(OSError):
            _close(descriptor)


def close_all_but(*kept: int) -> None:
    """What a fresh child does: let go of everything private that it inherited."""
    close(*(private - set(kept)))


def identity(descriptor: int) -> tuple[int, int] | None:
    """What a descriptor stands for, or None where it is closed; tells whether user code took it over."""
    try:
        status = os.fstat(descriptor)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def flush() -> None:
    """What was printed before a frame is sent, or a child forked, comes before it."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # user code may have put anything there
            stream.flush()


class Capture:
    """Output of user code: the head and the tail are kept, the rest is counted."""

    def __init__(self, keep: int = _KEEP) -> None:
        self._keep = keep
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0

    def add(self, data: bytes) -> None:
        room = self._keep - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        over = len(self._tail) - self._keep
        if over > 0:
            del self._tail[:over]
            self._dropped += over

    def text(self) -> str:
        gap = f"\n... {self._dropped} bytes left out ...\n".encode() if self._dropped else b""
        return (bytes(self._head) + gap + bytes(self._tail)).decode("utf-8", "replace")
