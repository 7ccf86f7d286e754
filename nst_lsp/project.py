"""A project as the command line sees it: root folder, settings with the command line's wishes, interpreter."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tracer.worker.wire import Options

from . import settings
from .analysis.outline import tells_shapes
from .borrowed import borrows
from .interpreters import Interpreter, choose_interpreter, project_root
from .settings import Settings
from .sources import read_text
from .workers import Home


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asks for; it wins over the settings."""

    mode: str | None = None
    python: str | None = None
    verify: bool = True
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Project:
    root: str
    settings: Settings
    interpreter: Interpreter
    problems: tuple[str, ...] = ()
    """What is wrong with the settings, in words."""

    @property
    def home(self) -> Home:
        return Home(self.interpreter.path, self.root)

    def excludes(self, path: Path) -> bool:
        return settings.matches(self.settings.exclude, path, self.root)

    def annotates(self, path: Path) -> bool:
        """Whether a file's annotations may be examples."""
        return self.may_be_annotated(read_text(path), path)

    def may_be_annotated(self, source: str, path: Path) -> bool:
        """Whether the annotations of a text may be examples, by its own words or those of files it has them from."""
        ranked = bool(self.settings.ranks)
        return tells_shapes(source, ranked) or borrows(source, path, self.root, ranked)


ProjectOf = Callable[[str], Project]
"""The project of a file."""


def projects(wishes: Wishes) -> Projects:
    return Projects(wishes)


class Projects:
    """The project of a file; knows each once, so that its settings are read, and complained about, once."""

    def __init__(self, wishes: Wishes) -> None:
        self._wishes = wishes
        self.forget()

    def __call__(self, path: str) -> Project:
        return self._at(self._root_of(path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path))))

    def forget(self) -> None:
        """Settings may have changed: read them anew."""
        self._root_of = cache(project_root)
        self._at = cache(lambda root: open_project(root, self._wishes))


def open_project(root: str, wishes: Wishes) -> Project:
    table, problems = settings.read_project(root)
    found, more = settings.read(table, {})
    wished = replace(
        found,
        mode=wishes.mode or found.mode,
        verify=found.verify and wishes.verify,
        select=wishes.select or found.select,
        ignore=(*found.ignore, *wishes.ignore),
    )
    interpreter = choose_interpreter(root, wishes.python, found.python)
    return Project(root, wished, interpreter, (*problems, *more))


def run_options(project: Project, formats: tuple[str, ...] = ()) -> Options:
    """The part of the settings that a worker is told."""
    given = project.settings
    return Options(
        mode=given.mode,
        verify=given.verify,
        timeout=given.timeout,
        memory_limit=given.memory_limit,
        process_limit=given.process_limit,
        allow=given.allow,
        extra_paths=tuple(str(Path(project.root, extra)) for extra in given.extra_paths),
        formats=formats,
        ranks=dict(given.ranks),
    )
