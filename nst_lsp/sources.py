"""Python source text from disk, as Python itself reads it: encoding cookie, byte order mark, line ends.

Of a notebook it is the module that its code cells make.
"""

from __future__ import annotations

import tokenize
from collections.abc import Callable
from functools import cache
from pathlib import Path

from .analysis.text import Text
from .notebooks import SUFFIX, NotebookText, read_notebook

Sources = Callable[[str], Text | None]
"""The text of a file by its path; None where it cannot be read."""


def read_text(path: str | Path) -> str:
    """The text of a Python file.  Raises OSError; a wrong encoding is read as UTF-8 with replacements."""
    return read_source(path).source


def read_source(path: str | Path) -> Text:
    """The same with what is known of its lines: of a notebook, their cells."""
    if str(path).endswith(SUFFIX):
        return NotebookText(read_notebook(str(path), Path(path).read_bytes()))
    return Text(_read(path))


def _read(path: str | Path) -> str:
    try:
        with tokenize.open(path) as stream:
            return stream.read()
    except (SyntaxError, UnicodeDecodeError):
        return Path(path).read_text(encoding="utf-8-sig", errors="replace")


def notebook_text(path: str) -> str | None:
    """The module of a notebook; None for any other file, which the worker reads itself.  Raises NotebookError."""
    return read_text(path) if path.endswith(SUFFIX) else None


def disk() -> Sources:
    """A reader that remembers each file for as long as it lives: one report sees one state of the disk."""

    @cache
    def source(path: str) -> Text | None:
        try:
            return read_source(path)
        except OSError:
            return None

    return source


def shown_path(path: str) -> str:
    """`path` as people read it: relative to the current folder where it lies below it."""
    absolute = Path(path).absolute()
    return str(absolute.relative_to(Path.cwd())) if absolute.is_relative_to(Path.cwd()) else str(absolute)
