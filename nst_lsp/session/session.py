"""What the handlers call: documents come, change and go, commands are given, questions asked."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..analysis.document import Change, Document
from ..analysis.text import Text
from ..completion.completer import Completer
from ..configuration import Configuration
from ..notebooks import Notebook
from .diagnosis import diagnosis
from .editor import Editor
from .knowledge import Knowledge, paths_in
from .pauses import Background, Pauses
from .runs import Runs
from .showing import Showing
from .studies import Studies
from .workspace import Workspace

if TYPE_CHECKING:
    from tracer.worker.wire import Compared, Study

    from ..compilers.asking import Asked
    from .desk import SessionDesk

TYPING_PAUSE = 0.3
"""Seconds without a change after which `trigger = "change"` traces."""
UNUSED_PAUSE = 60.0
"""Seconds after a file was closed until the workers that no open file needs are closed, too."""


class Session:
    """One client's session.  Questions about the workspace, what is known and what was said go to its three parts."""

    def __init__(self, editor: Editor, configuration: Configuration) -> None:
        self._editor = editor
        self._pauses, self._background = Pauses(), Background()
        self.workspace = Workspace(configuration, editor, self._background, self.configured)
        self.knowledge = Knowledge(self.workspace)
        self.showing = Showing(editor, self.knowledge, self._pauses)
        self.completer = Completer(editor.log)
        self._runs = Runs(editor, self.workspace, self.knowledge, self.showing, self._pauses, self._background)
        self._studies = Studies(editor, self.workspace, self.knowledge, self._runs)
        self._openings = itertools.count(1)

    @cached_property
    def desk(self) -> SessionDesk:
        """What the graph pages ask; made when the first page is."""
        from .desk import SessionDesk

        return SessionDesk(self._editor, self.workspace, self.knowledge, self._runs)

    # ---- documents -------------------------------------------------------------------------------------

    def open(self, uri: str, path: str, version: int, source: str, notebook: Notebook | None = None) -> None:
        text = Text(source)
        self.knowledge.add(
            Document(uri, path, version, text, saved=text, opening=next(self._openings), notebook=notebook)
        )
        self._runs.disk.look([path])
        self._runs.start(path)
        self.look_around()

    def change(self, path: str, version: int, changes: Iterable[Change], notebook: Notebook | None = None) -> None:
        documents = self.knowledge.documents
        documents[path] = replace(documents[path].changed(version, changes), notebook=notebook)
        if self.workspace.settings(path).trigger == "change":
            self._pauses.after(TYPING_PAUSE, "trace", path, lambda: self._runs.start(path))
        self.showing.edited(path)

    def save(self, path: str) -> None:
        document = self.knowledge.documents[path]
        self.knowledge.documents[path] = replace(document, saved=document.text)
        self._runs.disk.look([path])
        for affected in (path, *self.knowledge.dependents({path})):
            self._runs.start(affected)
        self.look_around()

    def close(self, path: str) -> None:
        self._runs.stop(path)
        self._pauses.cancel_all(path)
        gone = self.knowledge.remove(path)
        self._runs.tell_status()
        self.showing.publish({path} | paths_in([gone]))
        self._pauses.after(UNUSED_PAUSE, "unused", "", self._runs.close_unused)  # one may be opened that needs them

    def disk_changed(self, paths: Iterable[str]) -> None:
        """Files changed outside of the editor: what depends on them is traced anew."""
        changed = {path for path in paths if path not in self.knowledge.documents}
        if any(Path(path).name == "pyproject.toml" for path in changed):
            self.configured()
            return
        self._runs.disk.look(map(os.path.realpath, changed))
        for path in self.knowledge.dependents(changed):
            self._runs.start(path)

    def look_around(self) -> None:
        """What changed on the disk though no editor said so: there are some that do not watch files."""
        if changed := self._runs.disk.news(self.knowledge.imported()):
            self.disk_changed(changed)

    async def until_traced(self, path: str) -> None:
        """Wait until a file is not being traced any more."""
        await self._runs.over(path)

    def in_the_way(self, path: str) -> str:
        """Why nothing of a file can be traced now, in a few words; empty where nothing stands in the way."""
        return self._runs.in_the_way(path) if path in self.knowledge.documents else ""

    # ---- commands --------------------------------------------------------------------------------------

    def choose(self, path: str, function: str, example: int) -> None:
        """Show another example of a function."""
        self.knowledge.choose(path, function, example)
        self._editor.refresh()

    def retrace(self, path: str | None) -> None:
        """Trace one open file, or all, on command."""
        for one in [path] if path else list(self.knowledge.documents):
            if one in self.knowledge.documents:
                self._runs.start(one, asked=True)

    async def compare(self, path: str, function: str, arguments: str) -> Compared:
        """Run function and graph on some arguments, by the texts of now, within the limits of the settings.

        Raises NotFoundError, and WorkerError where no worker can be started.
        """
        return await self._runs.compared(path, function, arguments)

    async def study(self, path: str, function: str, example: int, study: Study) -> Asked:
        """What one of PyTorch's own tracers says of an example, by the text of now; to ask it takes seconds.

        Raises NotFoundError, and WorkerError where no worker can be started.
        """
        return await self._studies.answer(path, function, example, study)

    def answer(self, path: str, function: str, example: int, study: Study) -> Asked | None:
        """What such a tracer said when it was last asked about an example."""
        return self._studies.known(path, function, example, study)

    async def restart(self) -> None:
        """Stop all workers and begin anew."""
        self._runs.stop_all()
        await self._runs.workers.close()
        self._runs.troubles.clear()
        self._studies.forget()
        for path in self.knowledge.documents:
            self._runs.start(path)

    async def doctor(self) -> list[dict[str, Any]]:
        """Interpreter, worker and settings of each workspace folder and each project that has a file open, as JSON."""
        paths = [*self.workspace.configuration.folders, *self.knowledge.documents]
        projects = {project.root: project for project in map(self.workspace.project, paths)}
        return [
            await diagnosis(project, self._runs, self.workspace, self.knowledge.documents)
            for project in projects.values()
        ]

    # ---- from beginning to end -------------------------------------------------------------------------

    def warm_up(self) -> None:
        """Start the workers of the workspace folders before their first files ask."""
        self._runs.warm_up()

    def configured(self) -> None:
        """The settings may have changed: trace by the new ones, with no workers but those they ask for."""
        self.workspace.reread()
        self._runs.troubles.clear()
        self._runs.close_unused()
        for path in self.knowledge.documents:
            self._runs.start(path)
        self._editor.refresh()

    async def end(self) -> None:
        self._runs.stop_all()
        self._pauses.cancel_all()
        self._background.cancel()
        await asyncio.gather(self.completer.close(), self._runs.workers.close())
