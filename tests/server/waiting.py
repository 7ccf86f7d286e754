"""How tests wait for what comes to them: until something is true of it, and not for a time to pass."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

DEADLINE = 60
"""Seconds until something that does not come fails the test."""


class Waiting:
    """Whoever hears something says so by `_news`."""

    def __init__(self) -> None:
        self._news = asyncio.Event()

    async def until(self, done: Callable[[], Any]) -> Any:
        """Wait until something is true of what has come."""
        async with asyncio.timeout(DEADLINE):
            while not (found := done()):
                self._news.clear()
                await self._news.wait()
            return found
