"""Which files `nst check` looks at: those named, and under a folder the modules and notebooks with examples."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ..analysis import outline
from ..notebooks import SUFFIX
from ..project import ProjectOf
from ..sourcefiles import MADE
from ..sources import read_text

Judgement = Callable[[Path], bool]

_NEVER = MADE | {"venv"}
_MARKS = (b"nst:", b"example", b">>>", b"spec", b"jaxtyping", b"ndarray[")
"""A file with examples has one of these: comments, the decorator, doctest lines, annotations."""


def files_of(
    paths: Iterable[str], project_of: ProjectOf, *, picky: bool = False, memory: Memory | None = None
) -> list[str]:
    """`python_files`, where each file's project says what is excluded and what its annotations mean."""
    return python_files(
        paths,
        lambda path: project_of(str(path)).excludes(path),
        lambda path: project_of(str(path)).annotates(path),
        picky=picky,
        memory=memory,
    )


def python_files(
    paths: Iterable[str],
    excluded: Judgement,
    annotated: Judgement = lambda path: False,
    *,
    picky: bool = False,
    memory: Memory | None = None,
) -> list[str]:
    """Absolute paths, each once, in the order of the arguments and sorted within a folder.

    A file that is named is taken as it is, unless `picky`; else `excluded` and the search for examples speak of
    folders' contents only; `annotated` is asked about files in which nothing looks like an example.
    """

    def has_examples(file: Path) -> bool:
        return may_hold_examples(file) or annotated(file)

    def wanted(file: Path) -> bool:
        if file.suffix not in (".py", SUFFIX) or not file.is_file() or excluded(file):
            return False
        return memory.judge(file, has_examples) if memory is not None else has_examples(file)

    found: dict[str, None] = {}
    for path in paths:
        absolute = Path(os.path.realpath(path))
        if absolute.is_dir():
            found.update(dict.fromkeys(map(str, _walk(absolute, excluded, wanted))))
        elif not picky or wanted(absolute):
            found[str(absolute)] = None
    return list(found)


class Memory:
    """Which files have examples, for whoever looks again and again: a file that did not change is not read again."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[tuple[int, int], bool]] = {}

    def judge(self, file: Path, judgement: Judgement) -> bool:
        try:
            status = file.stat()
        except OSError:
            return judgement(file)
        stamp = status.st_mtime_ns, status.st_size
        known = self._known.get(file)
        if known is None or known[0] != stamp:
            known = self._known[file] = (stamp, judgement(file))
        return known[1]

    def forget(self) -> None:
        """Something changed: what other files or the settings say of arrays may hold no more."""
        self._known.clear()


def _walk(folder: Path, excluded: Judgement, wanted: Judgement) -> Iterator[Path]:
    """The folder's own files first, then its subfolders, all by name; hidden and installed things are left out."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    yield from filter(wanted, entries)
    for entry in entries:
        if entry.is_dir() and not entry.is_symlink() and _is_source_folder(entry) and not excluded(entry):
            yield from _walk(entry, excluded, wanted)


def _is_source_folder(folder: Path) -> bool:
    return not folder.name.startswith(".") and folder.name not in _NEVER and not (folder / "pyvenv.cfg").is_file()


def may_hold_examples(path: Path) -> bool:
    """Whether anything in the text looks like an example; a file that cannot be read may hold some: it is reported.

    To check a file is to run it, so a mere word such as `example` is not enough.
    """
    try:
        if path.suffix != SUFFIX and not any(mark in path.read_bytes() for mark in _MARKS):
            return False  # most files: their text need not be decoded
        return outline.may_hold_examples(read_text(path))
    except OSError:
        return True
