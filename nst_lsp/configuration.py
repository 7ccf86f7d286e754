"""Where settings come from: the editor's, by folder, and each project's pyproject.toml, read again when it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import settings
from .settings import Settings


class Configuration:
    """Remembers what was read and which problems were told; the settings of a root are one frozen value."""

    def __init__(self, given: Mapping[str, Any] | None = None, folders: tuple[str, ...] = ()) -> None:
        self.known = asyncio.Event()
        """Set once the editor has said what it has to say; nothing is traced before."""
        self.folders = folders
        """The workspace folders."""
        self._given = dict(given or {})
        self._editor: dict[str, Mapping[str, Any]] = {}
        """The editor's settings by workspace folder; under "" those for everything else."""
        self._read: dict[str, tuple[float, Settings, list[str]]] = {}
        self._told: dict[str, list[str]] = {}

    def folder_of(self, path: str) -> str | None:
        """The innermost workspace folder around a path."""
        around = [folder for folder in self.folders if Path(path).is_relative_to(folder)]
        return max(around, key=len, default=None)

    def set_editor(self, by_folder: Mapping[str, Mapping[str, Any]]) -> None:
        self._editor = dict(by_folder)
        self._read.clear()

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
            folder = self.folder_of(root) or ""
            editor = {**self._given, **self._editor.get("", {}), **self._editor.get(folder, {})}
            found, wrong = settings.read(project, editor)
            known = self._read[root] = (changed, found, problems + wrong)
        return known[1], known[2]


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
