"""Findings as text while the check goes on, in the same order whatever is done first.

A file is told when it and all before it are done.  Those whose name occurs in another file are told at the end: others
may import them, and find more in them.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..analysis.traced import News, Traced
from ..checking.check import Apart, Checked, alone
from ..checking.report import FileResult
from ..checking.summary import file_lines
from ..console import show
from ..project import ProjectOf
from ..sources import Sources
from .progress import Quiet

_WORD = re.compile(r"[^\W\d]\w*")


class Stream:
    """Tells of files as they are done, and in the end of the rest."""

    def __init__(
        self, files: Sequence[str], project_of: ProjectOf, sources: Sources, apart: Apart, progress: Quiet
    ) -> None:
        self._project_of = project_of
        self._sources = sources
        self._apart = apart
        self._progress = progress
        imported = named(files, sources)
        self._waiting = sorted((path for path in files if path not in imported), reverse=True)
        self._done: dict[str, Traced] = {}
        self._told: dict[str, FileResult] = {}
        self.results: dict[str, FileResult] = {}
        """What was found in the files that were told, before a baseline set anything apart."""

    def begun(self, path: str) -> None:
        self._progress.begun(path)

    def heard(self, path: str, message: News) -> None:
        self._progress.heard(path, message)

    def ended(self, traced: Traced, *, cached: bool) -> None:
        self._done[traced.path] = traced
        self._progress.ended(traced, cached=cached)
        while self._waiting and self._waiting[-1] in self._done:
            self._tell(alone(self._done[self._waiting.pop()], self._project_of, self._sources))

    def rest(self, checked: Checked) -> list[FileResult]:
        """What has not been told yet."""
        return [rest for result in checked.results if (rest := self._untold(result)) is not None]

    def _tell(self, found: FileResult) -> None:
        self.results[found.path] = found
        [result] = self._apart([found])
        self._told[result.path] = result
        if lines := list(file_lines(result, self._sources)):
            with self._progress.aside():
                show(lines, sys.stdout)
                sys.stdout.flush()

    def _untold(self, result: FileResult) -> FileResult | None:
        """A file that was not told, or what was found in it since, by a run of which its text says nothing."""
        told = self._told.get(result.path)
        if told is None:
            return result
        known = Counter(map(repr, told.findings))
        news = tuple(finding for finding in result.findings if not _is_in(repr(finding), known))
        return replace(result, findings=news, error=None) if news else None


def _is_in(text: str, known: Counter[str]) -> bool:
    known[text] -= 1
    return known[text] >= 0


def named(files: Iterable[str], sources: Sources) -> set[str]:
    """The files that another one may import, by the names that occur in it."""
    words: Counter[str] = Counter()
    own: dict[str, set[str]] = {}
    for path in files:
        text = sources(path)
        own[path] = set(_WORD.findall(text.source)) if text else set()
        words.update(own[path])
    return {path for path in own if words[_module(path)] > (_module(path) in own[path])}


def _module(path: str) -> str:
    folder, name = os.path.split(path)
    stem = name.partition(".")[0]
    return os.path.basename(folder) if stem == "__init__" else stem
