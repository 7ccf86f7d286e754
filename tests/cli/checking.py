"""Checks a project as `nst check` does, with a cache, and tells which files were traced for it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

from nst_lsp.analysis.traced import News, Traced
from nst_lsp.checking.cache import open_cache
from nst_lsp.checking.check import Checked, check_files
from nst_lsp.project import Wishes


@dataclass
class Heard:
    """What a check says of its progress."""

    traced: list[str] = field(default_factory=list)
    cached: list[str] = field(default_factory=list)

    def begun(self, path: str) -> None: ...

    def heard(self, path: str, message: News) -> None: ...

    def ended(self, traced: Traced, *, cached: bool) -> None:
        (self.cached if cached else self.traced).append(Path(traced.path).name)


@dataclass(frozen=True)
class Project:
    """A folder with files, and one beside it for results that are kept."""

    root: Path
    cache: Path
    python: str = sys.executable

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def traced(self, *paths: str, told: list[str] | None = None, alike: bool = True) -> list[str]:
        """Check with the cache, and say which files were traced for it; what is found is what is without one.

        Unless it is never `alike`, since the code tells the time.
        """
        heard, problems = Heard(), told if told is not None else []
        settle(self.root)
        cache = open_cache(str(self.cache), problems.append)
        try:
            with_cache = self.check(*paths, cache=cache, listener=heard)
        finally:
            cache.close()
        if heard.cached and alike:
            assert statements(with_cache) == statements(self.check(*paths))
        return sorted(heard.traced)

    def check(self, *paths: str, **more: object) -> Checked:
        given = [str(self.root / path) for path in paths or (".",)]
        return check_files(given, jobs=2, wishes=Wishes(python=self.python), **more)  # type: ignore[arg-type]


def spread(project: Project, executor: Executor, *paths: str) -> Checked:
    return project.check(*paths, executor=executor)


def statements(checked: Checked) -> list[str]:
    """All that a check says but times."""
    return list(_statements(checked))


def _statements(checked: Checked) -> Iterator[str]:
    for result in checked.results:
        yield f"{result.path}: {result.error}"
        yield from map(repr, result.findings)
        for function in result.functions:
            for one in function.examples:
                yield f"{function.name} {one.index} {one.status} {one.verdict} {one.valid_for} {one.retraces}"
                yield repr(one.graph)


def settle(folder: Path) -> None:
    """Wait until nothing was touched just now: what was may have been touched while a run looked at it."""
    paths = [folder, *folder.rglob("*")]
    newest = max(max(status.st_mtime, status.st_ctime) for status in map(os.lstat, paths))
    while time.time() < newest + 0.1:
        time.sleep(0.01)
