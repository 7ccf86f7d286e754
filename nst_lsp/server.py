"""The language server: its streams, and the handlers that it has.

Descriptors 0 and 1 are kept for the protocol alone: whatever else writes to stdout writes to stderr.
"""

from __future__ import annotations

import logging
import os
import sys
from importlib.util import find_spec
from typing import BinaryIO, cast

from . import handlers, sockets
from .connection import Server
from .framing import Framed
from .logs import Recorder


def serve(*, tcp: tuple[str, int] | None = None, ws: tuple[str, int] | None = None) -> int:
    """Serve one client over stdio, or those who connect to the host and port given; the exit code at the end."""
    if ws is not None and find_spec("websockets") is None:
        sys.stderr.write("nst: serving over WebSockets needs `pip install nst-lsp[ws]`\n")
        return 2
    logging.basicConfig(level=logging.WARNING)
    logging.getLogger("pygls").setLevel(logging.WARNING)  # at INFO it logs every message in full
    if tcp is not None:
        return sockets.run(sockets.serve_tcp, *tcp, create)
    if ws is not None:
        return sockets.run(sockets.serve_ws, *ws, create)
    server = create()
    logging.getLogger().addHandler(Recorder(server.logs))
    server.start_io(*private_streams())
    return 0 if server.protocol.was_shut_down else 1


def private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Buffered streams on duplicates of descriptors 0 and 1, which then lead to nothing and to stderr."""
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return cast(BinaryIO, Framed(stdin)), stdout  # all of a stream that pygls uses


def create() -> Server:
    """A server with all its handlers."""
    server = Server()
    for method, handler in handlers.FEATURES.items():
        server.feature(method, handlers.OPTIONS.get(method))(handler)
    for command, handler in handlers.COMMANDS.items():
        server.command(command)(handler)
    return server
