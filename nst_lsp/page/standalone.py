"""A page without an editor, for the command line.

The file is opened in a session as an editor would open it, and is saved whenever it has changed on the disk; so what
the page shows, and how, is the editor's work to the letter.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from tracer.worker.wire import Place, Study

from ..analysis.diagnostics import Diagnostic
from ..analysis.document import Change
from ..configuration import Configuration
from ..graphs import NotFoundError, Target, no_such_function
from ..progress import Progress
from ..project import Wishes
from ..session import Session
from ..settings import Settings
from ..sources import read_text
from ..status import Status
from .desk import Subject
from .serving import Serving, serve

_SECONDS = 0.3
"""Between two looks at the file."""


async def show(
    target: Target, example: int, wishes: Wishes, opened: Callable[[str], None], study: Study | None = None
) -> None:
    """Serve the page of a function, and follow its file, until cancelled; `opened` is given the address.

    It begins with what a tracer of PyTorch's says, where a study is named.

    Raises NotFoundError where the file can be loaded and has no such function.
    """
    console = _Console(sys.stderr)
    configuration = _Wished(wishes)
    configuration.known.set()
    session = Session(console, configuration)
    try:
        uri = Path(target.path).as_uri()
        text = read_text(target.path)
        session.open(uri, target.path, 1, text)
        await console.idle()
        traced = session.knowledge.traced[target.path]
        if traced.loaded and traced.function(target.function) is None:
            raise NotFoundError(no_such_function(target, [function.name for function in traced.functions]))
        session.knowledge.choose(target.path, target.function, example)
        console.serving = await serve(session.desk)
        opened(console.serving.url(Subject(uri, target.function), study))
        await _follow(session, target.path, text)
    finally:
        if console.serving is not None:
            await console.serving.close()
        await session.end()


async def _follow(session: Session, path: str, text: str) -> None:
    """Save the file whenever it is another; what it imports is looked at, too."""
    version = 1
    while True:
        await asyncio.sleep(_SECONDS)
        try:
            now = read_text(path)
        except OSError:
            continue  # it is being replaced
        if now != text:
            text, version = now, version + 1
            session.change(path, version, [Change(None, now)])
            session.save(path)
        else:
            session.look_around()


class _Wished(Configuration):
    """The project's settings with the command line's wishes, which win."""

    def __init__(self, wishes: Wishes) -> None:
        super().__init__({"python": wishes.python} if wishes.python else {})
        self._wishes = wishes

    def read(self, root: str) -> tuple[Settings, list[str]]:
        found, problems = super().read(root)
        return replace(found, mode=self._wishes.mode or found.mode, trigger="save", trusted=True), problems


class _Console:
    """The terminal in an editor's place: it hears of troubles, the pages of everything else."""

    def __init__(self, stream: TextIO) -> None:
        self.serving: Serving | None = None
        self._stream = stream
        self._idle = asyncio.Event()

    async def idle(self) -> None:
        """Wait until nothing is being traced."""
        await self._idle.wait()

    def publish(self, path: str, told: list[Diagnostic]) -> None:
        self.refresh()

    def refresh(self) -> None:
        if self.serving is not None:
            self.serving.pages.results()

    def warn(self, message: str) -> None:
        self._stream.write(f"{message}\n")
        self._stream.flush()

    async def ask(self, message: str, choices: list[str]) -> str | None:
        return None

    async def reveal(self, place: Place) -> str | None:
        return f"no editor is connected; the place is {Path(place.path).name}, line {place.span.line}"

    def log(self, message: str) -> None:
        """What is of no concern to whoever looks at a page."""

    def status(self, now: Status) -> None:
        if now.quiescent:
            self._idle.set()
        if self.serving is not None:
            self.serving.pages.activity()

    def progress_of(self, title: str, cancel: Callable[[], object]) -> Progress:
        return Progress(None)
