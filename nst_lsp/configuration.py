"""Where settings come from: the editor's, by folder, and each project's pyproject.toml, read again when it changes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import settings
from .settings import Described, Settings
from .trust import Trust


class Configuration:
    """Remembers what was read and which problems were told; the settings of a root are one frozen value."""

    def __init__(
        self, given: Mapping[str, Any] | None = None, folders: tuple[str, ...] = (), trust: Trust | None = None
    ) -> None:
        self.known = asyncio.Event()
        """Set once the editor has said what it has to say; nothing is traced before."""
        self.folders = folders
        """The workspace folders."""
        self.trust = trust
        """What the user answered where the settings do not trust a folder; None for an editor that asks by itself."""
        self._given = dict(given or {})
        self._editor: dict[str, Mapping[str, Any]] = {}
        """The editor's settings by workspace folder; under "" those for everything else."""
        self._read: dict[str, tuple[float, Settings, list[str]]] = {}
        self._told: dict[str, list[str]] = {}

    def folder_of(self, path: str) -> str | None:
        """The innermost workspace folder around a path; a link may lead there."""
        real = os.path.realpath(path)
        return max((folder for folder in self.folders if _holds(folder, path, real)), key=len, default=None)

    def trusted_as_whole(self, root: str) -> str:
        """The folder that is trusted, or not, as a whole: the workspace folder around a root, or the root itself."""
        return self.folder_of(root) or root

    def set_editor(self, by_folder: Mapping[str, Mapping[str, Any]]) -> None:
        self._editor = dict(by_folder)
        self._read.clear()

    def reread(self) -> None:
        """Something else than a file or the editor's settings has changed."""
        self._read.clear()

    def described(self, root: str) -> list[Described]:
        """The settings of a root that somebody made, and where."""
        project, _ = settings.read_project(root)
        return settings.described(project, self._of_editor(root))

    def settings(self, root: str) -> tuple[Settings, list[str]]:
        """The settings of a root, and the problems with them that were not told yet."""
        found, problems = self.read(root)
        news = [problem for problem in problems if problem not in self._told.get(root, ())]
        self._told[root] = problems
        return found, news

    def read(self, root: str) -> tuple[Settings, list[str]]:
        """The settings of a root and all problems with them."""
        changed = _changed(root)
        known = self._read.get(root)
        if known is None or known[0] != changed:
            project, problems = settings.read_project(root)
            found, wrong = settings.read(project, self._of_editor(root))
            if not found.trusted and self.trust is not None and self.trust.granted(self.trusted_as_whole(root)):
                found = replace(found, trusted=True)
            known = self._read[root] = (changed, found, problems + wrong)
        return known[1], known[2]

    def _of_editor(self, root: str) -> dict[str, Any]:
        folder = self.folder_of(root) or ""
        return {**self._given, **self._editor.get("", {}), **self._editor.get(folder, {})}


def _holds(folder: str, path: str, real: str) -> bool:
    return Path(path).is_relative_to(folder) or Path(real).is_relative_to(os.path.realpath(folder))


def section(given: Any) -> dict[str, Any]:
    """The `nst` settings in what a client sent: the object itself, `{nst: …}` or `{settings: …}`, or nothing usable."""
    for name in ("settings", "nst"):
        if isinstance(given, Mapping) and isinstance(given.get(name), Mapping):
            given = given[name]
    return dict(given) if isinstance(given, Mapping) else {}


def _changed(root: str) -> float:
    try:
        return Path(root, "pyproject.toml").stat().st_mtime
    except OSError:
        return 0.0
