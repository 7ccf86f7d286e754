"""Which project a file belongs to, with which settings and interpreter, and whether its code may run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ..configuration import Configuration
from ..interpreters import Interpreter, choose_interpreter, project_root
from ..project import Project
from ..settings import Settings
from ..trust import ALWAYS, NEVER, SESSION, Trust, question
from ..workers import Home
from .editor import Editor
from .pauses import Background


class Workspace:
    """The projects of a session; problems with their settings are told once."""

    def __init__(
        self, configuration: Configuration, editor: Editor, background: Background, changed: Callable[[], None]
    ) -> None:
        """`changed` is called when the settings of a project are others, because its folder is trusted now."""
        self.configuration = configuration
        self._editor = editor
        self._background = background
        self._changed = changed
        self._roots: dict[str, str] = {}

    def reread(self) -> None:
        """Project files may have come or gone."""
        self._roots.clear()

    def root(self, path: str) -> str:
        """The folder of the file's project: the nearest that looks like one, or the workspace folder around it."""
        if path not in self._roots:
            folder, nearest = self.configuration.folder_of(path), project_root(path)
            self._roots[path] = nearest if folder is None or Path(nearest).is_relative_to(folder) else folder
        return self._roots[path]

    def settings(self, path: str) -> Settings:
        settings, news = self.configuration.settings(self.root(path))
        for problem in news:
            self._editor.warn(f"nst: {problem}")
        return settings

    def is_trusted(self, path: str) -> bool:
        settings, _ = self.configuration.read(self.root(path))
        return settings.trusted

    def project(self, path: str) -> Project:
        root, settings = self.root(path), self.settings(path)
        return Project(root, settings, _interpreter(root, settings))

    def folder_homes(self) -> Iterator[Home]:
        """Where the code of the workspace folders runs, as far as they are trusted."""
        for root in self.configuration.folders:
            settings, _ = self.configuration.read(root)
            if settings.trusted:
                yield Home(_interpreter(root, settings).path, root)

    def ask_for_trust(self, path: str, *, again: bool = False) -> bool:
        """Ask, once for each workspace folder, whether its code may run; False where that is not ours to ask."""
        trust, folder = self.configuration.trust, self.configuration.trusted_as_whole(self.root(path))
        if trust is not None and (trust.is_due(folder) or again):
            self._background.spawn(self._ask(trust, folder))
        return trust is not None

    async def _ask(self, trust: Trust, folder: str) -> None:
        try:
            choice = await self._editor.ask(question(folder), [ALWAYS, SESSION, NEVER])
        except Exception as error:  # noqa: BLE001 - an editor that cannot ask has not agreed
            self._editor.log(f"the editor did not ask whether {folder} is trusted: {error!r}")
            return
        if trust.answer(folder, choice):
            self.configuration.reread()
            self._changed()


def _interpreter(root: str, settings: Settings) -> Interpreter:
    return choose_interpreter(root, configured=settings.python, configured_by=settings.python_from)
