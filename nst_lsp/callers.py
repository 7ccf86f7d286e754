"""Calls of a file's functions elsewhere in its workspace: tests first, then other scripts.

Files are read, never imported, on a thread of their own: nothing waits for it but whoever asks.  What was found in a
file is remembered until the file changes.  A workspace may be huge, so the search has bounds.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from .analysis.calls import Found, WrittenCall, written_calls
from .sourcefiles import MADE
from .sources import read_text

_MOST_FILES = 3000
_LARGEST = 100_000
"""Bytes of a file that is looked at."""
_PATIENCE = 3.0
"""Seconds of one search."""
_REMEMBERED = 10.0
"""Seconds for which the list of files is good."""
_TEST = re.compile(r"(^|/)(tests?|testing)/|(^|/)(test_[^/]*|[^/]*_test|conftest)\.py$")
_ENOUGH = 3


class Callers:
    """Remembers the files of each root and the calls in them."""

    def __init__(self) -> None:
        self._one_at_a_time = asyncio.Lock()
        self._files: dict[str, tuple[float, list[Path]]] = {}
        self._calls: dict[Path, tuple[int, tuple[WrittenCall, ...]]] = {}

    async def search(self, root: str, path: str, function: str, open_texts: Mapping[str, str]) -> list[Found]:
        """As `find`, on another thread."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(self.find, root, path, function, open_texts)

    def find(self, root: str, path: str, function: str, open_texts: Mapping[str, str]) -> list[Found]:
        """A few distinct calls of a function of the file at `path`, from other files under `root`."""
        target = Path(path)
        stem = target.parent.name if target.name == "__init__.py" else target.stem
        name = re.compile(rf"\b{re.escape(function.rpartition('.')[2])}\b")
        found: dict[str, Found] = {}
        end = time.monotonic() + _PATIENCE
        for file in self._listed(root):
            if len(found) >= _ENOUGH or time.monotonic() > end:
                break
            if file == target:
                continue
            for call in self._calls_in(file, stem, name, open_texts.get(str(file))):
                if _means(call, file, target, function):
                    arguments = call.example_of(function)
                    found.setdefault(arguments, Found(arguments, str(file), call.line))
        return list(found.values())[:_ENOUGH]

    def _calls_in(self, file: Path, stem: str, name: re.Pattern[str], text: str | None) -> tuple[WrittenCall, ...]:
        try:
            state = file.stat()
            source = read_text(file) if text is None and state.st_size <= _LARGEST else text or ""
        except (OSError, ValueError):
            return ()
        if not name.search(source) or "import" not in source or (stem not in source and not _near(file)):
            return ()
        key = hash(text) if text is not None else state.st_mtime_ns
        known = self._calls.get(file)
        if known is None or known[0] != key:
            known = self._calls[file] = (key, written_calls(source))
        return known[1]

    def _listed(self, root: str) -> list[Path]:
        when, files = self._files.get(root, (0.0, []))
        if not files or time.monotonic() - when > _REMEMBERED:
            files = sorted(_python_files(root), key=lambda file: _TEST.search(file.as_posix()) is None)
            self._files[root] = (time.monotonic(), files)
        return files


def _near(file: Path) -> bool:
    """Whether a file may import a function without naming its module: `from pkg import f`, `from . import f`."""
    return _TEST.search(file.as_posix()) is not None


def _python_files(root: str) -> Iterator[Path]:
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in MADE)
        if "pyvenv.cfg" in names:
            folders.clear()
            continue
        for name in sorted(names):
            if name.endswith(".py"):
                yield Path(folder, name)
                count += 1
                if count >= _MOST_FILES:
                    return


# ---- whether a call means the function -------------------------------------------------------------


def _means(call: WrittenCall, file: Path, target: Path, function: str) -> bool:
    """Whether a dotted name, imported in `file`, is the function of the file `target`."""
    wanted = tuple(function.split("."))
    if call.level < 0 or call.names[-len(wanted) :] != wanted or len(call.names) < len(wanted):
        return False
    module = call.names[: len(call.names) - len(wanted)]
    stem = () if target.name == "__init__.py" else (target.stem,)
    if call.level > 0:
        base = file.parents[call.level - 1] if len(file.parents) >= call.level else file.parent
        return base.joinpath(*module) in (target.with_suffix(""), *_packages(target))
    if not module:
        return False
    parts = (*target.parent.parts, *stem)
    if parts[-len(module) :] == module:
        return True
    return any(package.parts[-len(module) :] == module for package in _packages(target))


def _packages(target: Path) -> Iterator[Path]:
    """The packages around a file, which may hand its names on."""
    folder = target.parent
    while (folder / "__init__.py").is_file():
        yield folder
        folder = folder.parent
