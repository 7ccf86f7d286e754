"""Serving over TCP and WebSockets: every client that connects has a session, and workers, of its own.

A client that says `exit` ends the server, as the protocol wants it, once no other client is connected.  One that
vanishes ends its own session only, and may come again.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pygls.io_ import run_async, run_websocket

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

    from .connection import Server

Create = Callable[[], "Server"]
_VANISHED = (ConnectionError, asyncio.IncompleteReadError, ValueError)
"""How the end of a connection shows; the last is a header without end."""


async def serve_tcp(host: str, port: int, create: Create) -> int:
    """Serve whoever connects; the exit code, once a client has said `exit` or a signal came."""
    clients = _Clients(create)

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with clients.one() as (server, left):
            server.protocol.set_writer(writer)
            with contextlib.suppress(*_VANISHED):
                await run_async(left, reader, server.protocol, error_handler=server.report_server_error)
        writer.close()

    async with await asyncio.start_server(connection, host, port) as listening:
        return await clients.served(f"tcp://{_address(listening.sockets[0])}")


async def serve_ws(host: str, port: int, create: Create) -> int:
    """The same over WebSockets; they are an extra, and imported here alone."""
    from websockets.asyncio.server import serve

    clients = _Clients(create)

    async def connection(websocket: ServerConnection) -> None:
        async with clients.one() as (server, left):
            await run_websocket(websocket, left, server.protocol, error_handler=server.report_server_error)

    async with serve(connection, host, port, max_size=None) as listening:
        return await clients.served(f"ws://{_address(next(iter(listening.sockets)))}")


def _address(listening: Any) -> str:
    host, port = listening.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class _Clients:
    """Who is connected."""

    def __init__(self, create: Create) -> None:
        self._create = create
        self._connected = 0
        self._code: int | None = None
        self._over = asyncio.Event()

    async def served(self, address: str) -> int:
        """Wait for the end; the address goes to stderr, as the port may have been left to the system."""
        loop = asyncio.get_running_loop()
        for one in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # on Windows
                loop.add_signal_handler(one, self._over.set)
        sys.stderr.write(f"nst: serving on {address}\n")
        sys.stderr.flush()
        await self._over.wait()
        return self._code or 0

    @asynccontextmanager
    async def one(self) -> AsyncIterator[tuple[Server, threading.Event]]:
        """A server for one connection, and the event that ends it."""
        server = self._create()
        self._connected += 1
        try:
            yield server, server.protocol.left
        finally:
            server.protocol.set_writer(_Nobody())
            await server.end()
            self._connected -= 1
            if server.protocol.said_exit:
                self._code = 0 if server.protocol.was_shut_down else 1
            if self._code is not None and not self._connected:
                self._over.set()


class _Nobody:
    """Takes what is still said to a client that has gone."""

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


def run(serving: Callable[[str, int, Create], Awaitable[int]], host: str, port: int, create: Create) -> int:
    """Serve to the end; 2 where nobody can be served at that address."""

    async def served() -> int:
        return await serving(host, port, create)

    try:
        return asyncio.run(served())
    except OSError as error:
        sys.stderr.write(f"nst: cannot serve on {host}:{port}: {error.strerror or error}\n")
        return 2
