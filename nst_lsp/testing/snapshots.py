"""Graphs that are kept beside the tests, one a file: which test has which, what is new, changed or obsolete.

    tests/test_filters.py::TestSmooth::test_smooth[7]   →   tests/__graphs__/test_filters/TestSmooth.test_smooth[7].txt

The second graph of a test ends in `-2`.  They are `.txt`, as pytest would collect, and formatters rewrite, what is
called `.py`.  Where none is kept the test fails, here and in CI: a name that is mistyped does not pass for a new test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

FOLDER = "__graphs__"
_UNSAFE = re.compile(r"[^\w.\-\[\]=,+ ]")
"""What a file's name may not hold, on one system or another."""
_LONGEST = 120

Stems = dict[str, list[str]]
"""Names without suffix, by the path of the test file."""


class GraphChanged(AssertionError):  # noqa: N818  # tests do not err, they fail
    """The graph is not the one that is kept."""


@dataclass(slots=True)
class RunningTest:
    """A test that is running."""

    file: Path
    stem: str
    update: bool
    written: list[str]
    """What happened to files that were written: `new`, `changed`."""
    used: Stems
    """The graphs that tests have compared."""
    count: int = 0
    """Graphs that it has compared."""

    def compare(self, found: str) -> None:
        """Compare a graph with the kept one, or keep it.  Raises GraphChanged."""
        __tracebackhide__ = True
        self.count += 1
        self.used.setdefault(str(self.file), []).append(self.name)
        path = folder_of(self.file) / f"{self.name}.txt"
        kept = path.read_text(encoding="utf-8") if path.is_file() else None
        if kept == found:
            return
        if not self.update:
            raise GraphChanged(_told(f"{FOLDER}/{self.file.stem}/{path.name}", kept, found))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="\n")
        self.written.append("new" if kept is None else "changed")

    @property
    def name(self) -> str:
        """The name of the latest graph."""
        return self.stem if self.count < 2 else f"{self.stem}-{self.count}"


_running: ContextVar[RunningTest | None] = ContextVar("_running", default=None)


def running_test() -> RunningTest:
    """The test that is running in this context.  Raises RuntimeError where none is."""
    test = _running.get()
    if test is None:
        raise RuntimeError("assert_graph is called in a test that pytest runs, with the plugin of nst-lsp")
    return test


@contextmanager
def running(test: RunningTest) -> Iterator[None]:
    token = _running.set(test)
    try:
        yield
    finally:
        _running.reset(token)


def folder_of(file: Path) -> Path:
    """Where the graphs of a test file are kept."""
    return file.parent / FOLDER / file.stem


def stem_of(nodeid: str) -> str:
    """The name of a test's first graph, without suffix; one that had to be changed ends in a hash of what it was."""
    name = ".".join(nodeid.split("::")[1:]) or nodeid
    safe = _UNSAFE.sub("-", name)[:_LONGEST].rstrip(". ")
    if safe == name:
        return safe
    from hashlib import sha256

    return f"{safe}-{sha256(name.encode()).hexdigest()[:8]}"


def _told(where: str, kept: str | None, found: str) -> str:
    if kept is None:
        return f"no graph is kept for this test; `pytest --nst-update` writes {where}:\n\n{found}"
    import difflib

    before, after = kept.splitlines(), found.splitlines()
    diff = "\n".join(difflib.unified_diff(before, after, "kept", "traced now", lineterm="", n=3))
    return f"the graph is not the one in {where}; `pytest --nst-update` accepts it:\n\n{diff}"


# ---- what no test has any more ---------------------------------------------------------------------


def obsolete(collected: Stems, passed: Stems, used: Stems) -> list[Path]:
    """The kept graphs that no test has, of test files all of whose tests were collected.

    A test that did not pass may have stopped before its last graph, so its own are left alone.
    """
    found = [path for file in collected for path in _unused(Path(file), collected, passed, used)]
    homes = {Path(file).parent for file in collected}
    gone = [folder for home in homes for folder in (home / FOLDER).glob("*/") if _is_left(folder, home)]
    return sorted({*found, *(path for folder in gone for path in folder.glob("*.txt"))})


def _unused(file: Path, collected: Stems, passed: Stems, used: Stems) -> Iterator[Path]:
    tests, done = set(collected[str(file)]), set(passed.get(str(file), []))
    for path in folder_of(file).glob("*.txt"):
        stem = path.stem if path.stem in tests else re.sub(r"-\d+$", "", path.stem)
        if path.stem not in used.get(str(file), []) and (stem not in tests or stem in done):
            yield path


def _is_left(folder: Path, home: Path) -> bool:
    """Whether the test file of a folder of graphs is gone."""
    return not any(home.glob(f"{folder.name}.*"))


def remove(paths: list[Path]) -> None:
    """Delete kept graphs, and the folders that are empty then."""
    for path in paths:
        path.unlink(missing_ok=True)
    folders = {folder for path in paths for folder in (path.parent, path.parent.parent)}
    for folder in sorted(folders, reverse=True):  # a folder comes after those in it
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
