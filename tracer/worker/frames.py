"""What a process that runs user code tells the one that watches it, and how such a run ends.

A frame is one byte of kind, four of length, and a body.  The bodies are JSON of `wire` messages and
pass through unopened, unless captured output has to be added.
"""

from __future__ import annotations

import json
import struct
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from . import wire
from .masking import masked, masked_data

_HEAD = struct.Struct(">cI")
LOST_CHANNEL = 96
"""The exit status of a process that found its private pipe closed or taken over by user code."""


NEXT_EXAMPLE = b"\x1e\n"
"""Stands among the stacks that a process leaves where an example begins: those before it are of examples that are over.

Frames come by another pipe, and so do not tell which of the two was first."""


class Kind(bytes, Enum):
    """What a frame is."""

    BEGUN = b"B"  # empty: a spare process has taken up its request
    IMPORTING = b"I"
    LOADED = b"L"
    STARTED = b"S"
    REPORT = b"R"
    SETTLED = b"D"
    WAITING = b"W"  # empty: the process goes on once it is told that nobody waits for others (SIGCONT)
    HANDOVER = b"H"  # empty: the example's time is up, and it is telling what it has
    COMPARED = b"C"
    STUDIED = b"T"
    LEARNED = b"M"  # a JSON list of third-party modules that the user's file brought in
    RAISED = b"X"  # text: the exception that ended the run, and its stack, innermost frame first
    END = b"E"


Emit = Callable[[Kind, bytes], None]


def frame(kind: Kind, body: bytes) -> bytes:
    return _HEAD.pack(kind.value, len(body)) + body


class Frames:
    """Cuts a stream of bytes into frames."""

    def __init__(self) -> None:
        self._pending = bytearray()

    def feed(self, data: bytes) -> list[tuple[Kind, bytes]]:
        """The frames that are complete now."""
        self._pending += data
        complete = []
        while len(self._pending) >= _HEAD.size:
            kind, length = _HEAD.unpack_from(self._pending)
            end = _HEAD.size + length
            if len(self._pending) < end:
                break
            complete.append((Kind(kind), bytes(self._pending[_HEAD.size : end])))
            del self._pending[:end]
        return complete


def body(message: wire.Message) -> bytes:
    """A message's JSON, without its length, and without secrets."""
    data = masked_data({"type": type(message).__name__, **wire.plain(message)})
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "backslashreplace")


def with_output(body: bytes, output: str) -> bytes:
    """The JSON of a ModuleLoaded or an ExampleDone, with captured output added."""
    if not output:
        return body
    data = json.loads(body)
    told = data.get("report", data)
    told["output"] += masked(output)
    return json.dumps(data).encode()


class Ending(Enum):
    FINISHED = "finished"
    RAISED = "raised"
    TIMED_OUT = "timed out"
    SIGNALLED = "signalled"
    EXITED = "exited"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended; `stack` is text as `faulthandler` writes it, innermost frame first."""

    ending: Ending
    status: int = 0
    """The signal's number or the exit status."""
    stack: str = ""
    """Of a raised exception, its type and message stand in the first line."""
    output: str = ""


def raised(error: BaseException) -> str:
    """An exception and its stack, written as faulthandler writes it."""
    first = f"{type(error).__name__}: {error}".rstrip(": ").replace("\n", " ")
    stack = traceback.extract_tb(error.__traceback__)
    places = (f'  File "{at.filename}", line {at.lineno} in {at.name}' for at in reversed(stack))
    return masked("\n".join([first, *places]))
