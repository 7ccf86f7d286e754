"""A browser tab for tests: what a graph page is sent over real HTTP, and what it says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from tests.server.editor import Editor
from tests.server.waiting import DEADLINE, Waiting


class Tab(Waiting):
    """One page by its address; `messages` has all that it was sent, oldest first."""

    def __init__(self, url: str, name: str, client: httpx.AsyncClient) -> None:
        super().__init__()
        self.url = url
        self.name = name
        self.messages: list[dict[str, Any]] = []
        self.headers: httpx.Headers | None = None
        """Of the stream of events, once it is there."""
        self.bytes = 0
        """Of the stream, as they came over the wire."""
        self.refused: int | None = None
        """The status of a stream that was not given."""
        self._client = client
        self._listening: asyncio.Task[None] | None = None

    def address(self, name: str, *, about: bool = False) -> str:
        """Where something of the page is, as the page itself would ask for it."""
        query = f"{urlsplit(self.url).query}&page={self.name}" if about else f"page={self.name}"
        return f"{urljoin(self.url, name)}?{query}"

    @property
    def origin(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    # ---- listening ---------------------------------------------------------------------------------

    def connect(self) -> None:
        self._listening = asyncio.create_task(self._listen())

    async def disconnect(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening

    async def _listen(self) -> None:
        async with self._client.stream("GET", self.address("events", about=True)) as response:
            self.headers = response.headers
            if response.status_code != 200:
                self.refused = response.status_code
                self._news.set()
                return
            with suppress(httpx.RemoteProtocolError):  # a stream that the server ends has no end of its own
                async for line in response.aiter_lines():
                    self.bytes = response.num_bytes_downloaded
                    if line.startswith("data: "):
                        self.messages.append(json.loads(line.removeprefix("data: ")))
                    self._news.set()
        self.messages.append({"type": "gone"})
        self._news.set()

    def all(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in self.messages if one["type"] == kind]

    def latest(self, kind: str) -> dict[str, Any] | None:
        return next(iter(reversed(self.all(kind))), None)

    @property
    def picture(self) -> dict[str, Any]:
        """The picture that the page shows; empty before there is one."""
        latest = self.latest("graph")
        return latest["picture"] if latest else {}

    async def drawn(self, part: str) -> dict[str, Any]:
        """Wait for a picture whose code has something in it."""
        await self.until(lambda: part in self.picture.get("code", ""))
        return self.picture

    # ---- speaking ----------------------------------------------------------------------------------

    async def say(self, kind: str, **members: Any) -> httpx.Response:
        """Send a message as the page's script does."""
        return await self.post(json.dumps({"type": kind, **members}))

    async def post(self, body: str, **headers: str) -> httpx.Response:
        given = {"Origin": self.origin, "Content-Type": "application/json", **headers}
        return await self._client.post(self.address("message"), content=body, headers=given)

    async def get(self, name: str = "", **headers: str) -> httpx.Response:
        return await self._client.get(urljoin(self.url, name), headers=headers)


@asynccontextmanager
async def tab(url: str, name: str = "tab-1", *, connected: bool = True) -> AsyncIterator[Tab]:
    alone = httpx.Limits(max_keepalive_connections=0)  # an idle one may just be ended; a browser would ask once more
    async with httpx.AsyncClient(timeout=DEADLINE, trust_env=False, limits=alone) as client:
        it = Tab(url, name, client)
        if connected:
            it.connect()
        try:
            yield it
        finally:
            await it.disconnect()


async def address(it: Editor, function: str = "f") -> str:
    """The address of the page of a function of `model.py`, which is open and was traced."""
    found = await it.execute("nst.openPage", {"uri": it.uri("model.py"), "function": function})
    assert found is not None, (it.shown(), it.messages("model.py"))
    return str(found["url"])
