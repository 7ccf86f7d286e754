"""How a process that runs user code leaves word of where it was when it is stopped.

A fatal signal makes `faulthandler` write the Python stack, innermost frame first, to a private
descriptor.  `os._exit` and a signal to oneself leave no trace, so these are wrapped to write the same.
Only the process itself does so: a child that user code forks is its own business.  To `os.close` and
`os.closerange` our descriptors look as if they were not open.
"""

from __future__ import annotations

import errno
import faulthandler
import os
import sys
from collections.abc import Callable
from typing import Any

from . import descriptors

exit_now, send_signal, _close, _closerange = os._exit, os.kill, os.close, os.closerange
if sys.platform != "win32":
    _send_to_group = os.killpg


def leave(stack: int) -> None:
    """From now on, write the stack to the descriptor `stack` when this process is stopped."""
    faulthandler.enable(file=stack, all_threads=False)
    owner, pipe = os.getpid(), descriptors.identity(stack)

    def telling(function: Callable[..., Any], when: Callable[..., bool]) -> Callable[..., Any]:
        def told(*args: Any, **kwargs: Any) -> Any:
            if os.getpid() == owner and when(*args) and descriptors.identity(stack) == pipe:
                faulthandler.dump_traceback(file=stack, all_threads=False)
            return function(*args, **kwargs)

        return told

    os._exit = telling(exit_now, lambda *_: True)
    os.kill = telling(send_signal, lambda pid, number: number != 0 and pid in (0, owner, -owner))
    if sys.platform != "win32":
        os.killpg = telling(_send_to_group, lambda group, number: number != 0 and group in (0, owner))
    os.close, os.closerange = _close_public, _close_public_range


def _close_public(fd: int) -> None:
    """`os.close` for user code."""
    if fd in descriptors.private:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    _close(fd)


def _close_public_range(low: int, high: int, /) -> None:
    """`os.closerange` for user code."""
    for kept in sorted(fd for fd in descriptors.private if low <= fd < high):
        _closerange(low, kept)
        low = kept + 1
    _closerange(low, high)
