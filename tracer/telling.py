"""What traced values tell the recorder: a truth was asked, a value was lost, a loop was unrolled."""

from __future__ import annotations

from types import FrameType
from typing import Any

from . import hollow
from .events import Decision, Iteration, Lost, Sized
from .hollow import ContentsNeeded, Why
from .nodes import Node
from .recorder import CURRENT, Recorder, site, user_frame
from .traced import Traced, origins_of, raw, traced_in


def decide(value: Traced, frame: FrameType | None, *, asserted: bool = False) -> bool:
    """The truth of a traced value, noted as a decision."""
    recorder = CURRENT.get()
    if recorder is not None:
        recorder.questions += 1
        need_contents(recorder, value, Why.CONDITION, frame)
    outcome = bool(value.value)
    if recorder is not None and recorder.decided is value:
        recorder.decided = None
    elif recorder is not None and not recorder.muted and not _unseen(recorder, frame):
        recorder.emit(Decision(site(frame), value.node, origins_of(value), outcome, asserted))
    return outcome


def lose(value: Any, how: str, frame: FrameType | None) -> None:
    """Note that a traced value is about to become a plain one."""
    recorder = CURRENT.get()
    if recorder is not None and not recorder.muted and not _unseen(recorder, frame):
        need_contents(recorder, value, Why.VALUE, frame)
        recorder.emit(Lost(site(frame), value.node, origins_of(value), raw(value), how))


def need_contents(recorder: Recorder, value: Any, why: Why, frame: FrameType | None) -> None:
    """End the trace where the plain value is asked of what has no contents."""
    if recorder.known is not None:
        origins = origins_of(value)
        if any(isinstance(o, Node) and hollow.is_hollow(recorder, o) for o in origins):
            raise ContentsNeeded(why, site(frame), origins)


def plain(value: Any, frame: FrameType | None) -> Any:
    """A value without its traces, containers included; the trace ends here where it has no contents."""
    recorder = CURRENT.get()
    if recorder is not None and recorder.known is not None:
        for each in traced_in(value):
            need_contents(recorder, each, Why.VALUE, frame)
    return raw(value)


def sized(recorder: Recorder, value: Traced, frame: FrameType | None) -> None:
    """Note that an array's shape was read where the mode makes sizes constants."""
    if value.node is not None and value.node not in recorder.reshaped:
        recorder.sized.append(Sized(value.node, tuple(value.value.shape), site(frame)))


def unrolled(value: Any, count: int, frame: FrameType | None) -> None:
    """Note that a loop runs as often as a traced value says."""
    recorder = CURRENT.get()
    if recorder is not None and not recorder.muted and not _unseen(recorder, frame):
        recorder.emit(Iteration(site(frame), value.node, origins_of(value), count))


def _unseen(recorder: Recorder, frame: FrameType | None) -> bool:
    """Whether a library's own code asks, which is none of the user's conditions."""
    return recorder.library is not None and recorder.library.owns(frame)


def formatted(value: Traced, text: str, frame: FrameType) -> str:
    recorder = CURRENT.get()
    if recorder is None:
        return text
    if hollow.is_hollow(recorder, value.node):
        text = f"<{value.value.dtype}{list(value.value.shape)} without contents>"
    if recorder.muted:
        return text
    at = user_frame(frame)
    if at is not None:
        recorder.formatted.append((at.f_code, value))
    return text
