"""The pages' server: uvicorn in the event loop that is there, on a loopback port that the system chooses."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol  # uvicorn would import it in the event loop

from tracer.worker.wire import Study

from .desk import Desk, Subject
from .pages import Pages
from .rulebook import link
from .site import site

_END_SECONDS = 2
"""How long connections may take to end."""


class Serving:
    """A site that is being served, until `close`."""

    def __init__(self, pages: Pages, origin: str, token: str, server: uvicorn.Server, task: asyncio.Task[None]) -> None:
        self.pages = pages
        self._origin = origin
        self._token = token
        self._server = server
        self._task = task

    def url(self, subject: Subject, study: Study | None = None) -> str:
        """The address of a page, which begins with what a tracer of PyTorch's says where one is named.

        Whoever has it may see and ask all that the page can.
        """
        about = {"uri": subject.uri, "function": subject.function, **({"study": study.value} if study else {})}
        return f"{self._origin}/{self._token}/?{urlencode(about)}"

    async def close(self) -> None:
        self.pages.end()
        self._server.should_exit = True
        await asyncio.wait([self._task], timeout=2 * _END_SECONDS)
        self._task.cancel()


async def serve(desk: Desk) -> Serving:
    """Serve the pages of a desk; raises OSError where no port can be had."""
    pages, token = Pages(desk, link), secrets.token_urlsafe(32)
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        site(pages, token),
        http=H11Protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_END_SECONDS,
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not task.done():
        await asyncio.sleep(0.001)
    return Serving(pages, f"http://127.0.0.1:{listening.getsockname()[1]}", token, server, task)


class _Server(uvicorn.Server):
    """uvicorn's server without a hand on the process: signals are for whoever runs the loop."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
