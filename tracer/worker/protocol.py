"""The worker's end of the protocol: private descriptors in place of 0 and 1, and the `wire` messages on them.

Whatever else reads 0 finds the null device, whatever writes to 1 reaches stderr.
"""

from __future__ import annotations

import os
import struct
import threading

from . import descriptors, frames, wire


class Protocol:
    def __init__(self) -> None:
        self.descriptor = descriptors.lift(0)
        self._answers = descriptors.lift(1)
        self._pending = bytearray()
        self._lock = threading.Lock()
        self.ended = False
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    def receive(self) -> list[wire.Message]:
        """Wait for something to come; the messages that are complete now.  At the end of input sets `ended`."""
        data = os.read(self.descriptor, 1 << 16)
        self.ended = not data
        self._pending += data
        messages = []
        while len(self._pending) >= 4:
            (length,) = struct.unpack_from(">I", self._pending)
            if len(self._pending) < 4 + length:
                break
            messages.append(wire.decode(bytes(self._pending[4 : 4 + length])))
            del self._pending[: 4 + length]
        return messages

    def say(self, message: wire.Message) -> None:
        self.pass_on(frames.body(message))

    def pass_on(self, body: bytes) -> None:
        """Say a message whose JSON is at hand."""
        self._write(struct.pack(">I", len(body)) + body)

    def _write(self, data: bytes) -> None:
        with self._lock:
            try:
                descriptors.write_all(self._answers, data)
            except BrokenPipeError:
                self.ended = True  # nobody listens any more
