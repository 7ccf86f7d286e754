"""How a process that runs user code leaves word of where it was when it is stopped.

A fatal signal makes `faulthandler` write the Python stack, innermost frame first, to a private
descriptor.  `os._exit` and a signal to oneself leave no trace, so these are wrapped to write the same.
Only the process itself does so: a child that user code forks is its own business.
"""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Callable
from typing import Any

from . import descriptors

exit_now, send_signal = os._exit, os.kill
_closerange = os.closerange


def leave(stack: int) -> None:
    """From now on, write the stack to the descriptor `stack` when this process is stopped."""
    faulthandler.enable(file=stack, all_threads=False)
    owner, pipe = os.getpid(), descriptors.identity(stack)

    def telling(function: Callable[..., Any], when: Callable[..., bool]) -> Callable[..., Any]:
        def told(*args: Any) -> Any:
            if os.getpid() == owner and when(*args) and descriptors.identity(stack) == pipe:
                faulthandler.dump_traceback(file=stack, all_threads=False)
            return function(*args)

        return told

    os._exit = telling(exit_now, lambda *_: True)
    os.kill = telling(send_signal, lambda pid, number: number != 0 and pid in (0, owner, -owner))
    os.closerange = _around_private


def _around_private(low: int, high: int, /) -> None:
    """`os.closerange`, which goes around our descriptors."""
    for kept in sorted(fd for fd in descriptors.private if low <= fd < high):
        _closerange(low, kept)
        low = kept + 1
    _closerange(low, high)
