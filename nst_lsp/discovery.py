"""Which files `nst check` looks at: those named, and under a folder the modules and notebooks with examples."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from .notebooks import SUFFIX
from .sources import read_text

Judgement = Callable[[Path], bool]

_NEVER = frozenset({"__pycache__", "node_modules", "site-packages", "venv", "build", "dist"})
_MARKS = ("nst:", "example", ">>>", "spec(", "jaxtyping", "ndarray[")
"""A file with examples has one of these: comments, the decorator, doctest lines, annotations."""


def python_files(paths: Iterable[str], excluded: Judgement, annotated: Judgement = lambda path: False) -> list[str]:
    """Absolute paths, each once, in the order of the arguments and sorted within a folder.

    A file that is named is taken as it is; `excluded` and the search for examples speak of folders' contents only;
    `annotated` is asked about files in which no word of an example stands.
    """
    found: dict[str, None] = {}
    for path in paths:
        absolute = Path(os.path.realpath(path))
        files = _walk(absolute, excluded, annotated) if absolute.is_dir() else [absolute]
        found.update(dict.fromkeys(map(str, files)))
    return list(found)


def _walk(folder: Path, excluded: Judgement, annotated: Judgement) -> Iterator[Path]:
    """The folder's own files first, then its subfolders, all by name; hidden and installed things are left out."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        wanted = entry.suffix in (".py", SUFFIX) and entry.is_file() and not excluded(entry)
        if wanted and (may_hold_examples(entry) or annotated(entry)):
            yield entry
    for entry in entries:
        if entry.is_dir() and not entry.is_symlink() and _is_source_folder(entry) and not excluded(entry):
            yield from _walk(entry, excluded, annotated)


def _is_source_folder(folder: Path) -> bool:
    return not folder.name.startswith(".") and folder.name not in _NEVER and not (folder / "pyvenv.cfg").is_file()


def may_hold_examples(path: Path) -> bool:
    """A cheap look at the text; a file that cannot be read may hold some, so that it is reported."""
    try:
        text = read_text(path).encode("utf-8", "replace") if path.suffix == SUFFIX else path.read_bytes()
    except OSError:
        return True
    return any(mark.encode() in text for mark in _MARKS)
