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
import signal
import sys
from collections.abc import Callable
from typing import Any

from ..passages import Passage
from . import descriptors, handover

exit_now, send_signal, _close, _closerange = os._exit, os.kill, os.close, os.closerange
if sys.platform != "win32":
    _send_to_group = os.killpg


def leave(stack: int) -> None:
    """From now on, write the stack to the descriptor `stack` when this process is stopped."""
    faulthandler.enable(file=stack, all_threads=False)
    owner, pipe = os.getpid(), descriptors.identity(stack)

    def telling(
        function: Callable[..., Any], when: Callable[..., bool], in_words: Callable[..., str]
    ) -> Callable[..., Any]:
        def told(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
            if os.getpid() == owner and when(*args) and descriptors.identity(stack) == pipe:
                handover.halt(in_words(*args))
                faulthandler.dump_traceback(file=stack, all_threads=False)
            return original(*args, **kwargs)

        passage = Passage(function, "os")
        passage.guide = told
        return passage

    def ends_group(group: int, number: int) -> bool:
        return _ends(number) and group in (0, owner)

    def ends_process(pid: int, number: int) -> bool:
        return _ends(number) and pid in (0, owner, -owner)

    os._exit = telling(exit_now, lambda *_: True, lambda status=0: f"the process exited with status {status}")
    os.kill = telling(send_signal, ends_process, _by_signal)
    if sys.platform != "win32":
        os.killpg = telling(_send_to_group, ends_group, _by_signal)
    os.close, os.closerange = _close_public, _close_public_range


def _ends(number: int) -> bool:
    """Whether a signal ends a process: most do, where nobody handles them."""
    return number in signal.valid_signals() and number not in _HARMLESS and signal.getsignal(number) is signal.SIG_DFL


def _by_signal(_: int, number: int) -> str:
    described = signal.strsignal(number)
    words = f" ({described.lower()})" if described else ""
    return f"the process was ended by {signal.Signals(number).name}{words}"


_HARMLESS = frozenset(
    getattr(signal, name, 0) for name in ("SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGSTOP", "SIGTSTP")
)


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
