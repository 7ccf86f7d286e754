"""Hears of each call of some functions: `sys.monitoring` from Python 3.12 on, `sys.setprofile` before.

With `sys.monitoring` a function that nobody wants to hear of costs its first call; a profile function is asked at every
call, which is slower.  What a listener raises never reaches the program.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, Protocol


class Listener(Protocol):
    def wants(self, code: CodeType) -> bool:
        """Whether its calls are to be told, now and later; a no is for good."""
        ...

    def called(self, frame: FrameType) -> None:
        """A call begins; its arguments are the frame's locals."""
        ...

    def returned(self, frame: FrameType, value: Any) -> None: ...

    def raised(self, frame: FrameType) -> None: ...


class BusyError(Exception):
    """Another tool listens already, and there is room for one."""


@contextmanager
def watched(listener: Listener) -> Iterator[None]:
    """Tell the listener of calls on all threads.  Raises BusyError."""
    stop = _monitor(listener) if sys.version_info >= (3, 12) else _profile(listener)
    try:
        yield
    finally:
        stop()


class _Guard(threading.local):
    """Whether this thread is inside of a listener, of whose own calls nobody wants to hear."""

    inside = False


def _guarded(tell: Callable[..., None], guard: _Guard) -> Callable[..., None]:
    def told(*arguments: Any) -> None:
        if guard.inside:
            return
        guard.inside = True
        try:
            tell(*arguments)
        except Exception:  # noqa: BLE001  # recording never changes what a program does
            return
        finally:
            guard.inside = False

    return told


def _monitor(listener: Listener) -> Callable[[], None]:
    monitoring: Any = getattr(sys, "monitoring")  # noqa: B009  # from Python 3.12 on
    tool = next((number for number in (4, 3, 5) if monitoring.get_tool(number) is None), None)
    if tool is None:
        raise BusyError("other tools use up sys.monitoring")
    monitoring.use_tool_id(tool, "nst")
    events, guard = monitoring.events, _Guard()
    called, returned, raised = (_guarded(tell, guard) for tell in (listener.called, listener.returned, listener.raised))

    def start(code: CodeType, offset: int) -> Any:
        if not listener.wants(code):
            return monitoring.DISABLE
        called(sys._getframe(1))
        return None

    def end(code: CodeType, offset: int, value: Any) -> Any:
        if not listener.wants(code):
            return monitoring.DISABLE
        returned(sys._getframe(1), value)
        return None

    def unwind(code: CodeType, offset: int, error: BaseException) -> None:
        if listener.wants(code):
            raised(sys._getframe(1))

    callbacks = {events.PY_START: start, events.PY_RETURN: end, events.PY_UNWIND: unwind}
    for event, callback in callbacks.items():
        monitoring.register_callback(tool, event, callback)
    monitoring.set_events(tool, events.PY_START | events.PY_RETURN | events.PY_UNWIND)

    def stop() -> None:
        monitoring.set_events(tool, 0)
        for event in callbacks:
            monitoring.register_callback(tool, event, None)
        monitoring.free_tool_id(tool)

    return stop


def _profile(listener: Listener) -> Callable[[], None]:
    import dis

    if sys.getprofile() is not None:
        raise BusyError("a profiler runs")
    returns, guard = dis.opmap["RETURN_VALUE"], _Guard()
    called, returned, raised = (_guarded(tell, guard) for tell in (listener.called, listener.returned, listener.raised))

    wants = listener.wants

    def heard(frame: FrameType, event: str, value: Any) -> None:
        code = frame.f_code
        if event == "call":
            if wants(code):
                called(frame)
        elif event == "return" and wants(code):
            if value is None and code.co_code[frame.f_lasti] != returns:  # an exception leaves it
                raised(frame)
            else:
                returned(frame, value)

    def stop() -> None:
        threading.setprofile(None)
        sys.setprofile(None)

    threading.setprofile(heard)
    sys.setprofile(heard)
    return stop
