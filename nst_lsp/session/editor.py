"""What a session says to the editor; the server puts it into the protocol's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tracer.worker.wire import Place

from ..analysis.diagnostics import Diagnostic
from ..progress import Progress
from ..status import Status


class Editor(Protocol):
    def publish(self, path: str, told: list[Diagnostic]) -> None: ...
    def refresh(self) -> None:
        """Lenses and shown graphs have changed."""

    def warn(self, message: str) -> None: ...
    async def ask(self, message: str, choices: list[str]) -> str | None:
        """The user's choice; None where there was none."""

    async def reveal(self, place: Place) -> str | None:
        """Show a place to the user; why that cannot be done, or None."""

    def log(self, message: str) -> None: ...
    def status(self, now: Status) -> None: ...
    def progress_of(self, title: str, cancel: Callable[[], object]) -> Progress: ...
