"""The private pipe, as the process that runs user code sees it."""

from __future__ import annotations

import os
from collections.abc import Callable

from . import descriptors, lastwords
from .frames import LOST_CHANNEL, Emit, Kind, frame, raised


def channel(results: int) -> Emit:
    owner, pipe = os.getpid(), descriptors.identity(results)

    def emit(kind: Kind, body: bytes) -> None:
        if os.getpid() != owner:  # a copy of this process that user code forked
            lastwords.exit_now(0)
        descriptors.flush()
        if descriptors.identity(results) != pipe:
            lastwords.exit_now(LOST_CHANNEL)
        descriptors.write_all(results, frame(kind, body))

    return emit


def finish(body: Callable[[Emit], None], emit: Emit) -> None:
    """Run `body` and say how that went."""
    try:
        body(emit)
    except BaseException as error:  # noqa: BLE001  # SystemExit is one of the ends a run can have
        emit(Kind.RAISED, raised(error).encode("utf-8", "backslashreplace"))
    emit(Kind.END, b"")
