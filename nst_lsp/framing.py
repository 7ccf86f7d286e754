"""The client's bytes cut into messages, as pygls wants to read them, whatever the client writes.

pygls 2.1 takes one spelling of the header, trusts every length, and is lost after a wrong one.  Here a header that
makes no sense is skipped, and after a message that was cut in the wrong place the next header is found again.
"""

from __future__ import annotations

import re
from typing import BinaryIO

LARGEST = 1 << 30
"""Bytes of a message beyond which its length is taken for a mistake."""
_PIECE = 1 << 20
"""Bytes read at a time: memory is taken for what comes, not for what was announced."""
_LENGTH = re.compile(rb"content-length\s*:\s*(\d{1,10})\s*$", re.IGNORECASE)
_LONGEST_LINE = 1 << 16


class Framed:
    """A stream that pygls reads its headers and bodies from: `readline` gives good headers only."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._header_ends = False

    def readline(self) -> bytes:
        if self._header_ends:
            self._header_ends = False
            return b"\r\n"
        length = self._length()
        self._header_ends = length is not None
        return b"" if length is None else b"Content-Length: %d\r\n" % length

    def read(self, size: int) -> bytes:
        body = bytearray()
        while len(body) < size and (piece := self._stream.read(min(size - len(body), _PIECE))):
            body += piece
        return bytes(body)

    def _length(self) -> int | None:
        """The length that the next header gives, or None at the end of the stream."""
        length = 0
        while line := self._stream.readline(_LONGEST_LINE):
            # Searched, not matched: what is left of a broken message may stand before it on the line.
            found = _LENGTH.search(line)
            if found is not None:
                length = int(found[1])
            elif not line.strip():
                if 0 < length <= LARGEST:
                    return length
                length = 0
        return None
