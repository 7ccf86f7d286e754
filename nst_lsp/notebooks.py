"""Notebooks: the code cells as one Python module, and where each cell stands in it.

The module's first line is ours; after it each code cell has as many lines as the editor counts in it, so that a
position moves between cell and module by its line alone.  What only IPython understands (magics, shell lines, help)
becomes a statement that does nothing, in lines of its own: no column of other text moves.  Cells in other languages,
and those that a cell magic gives to something else, have no code.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from tracer.worker.wire import Span

from .analysis.document import Change
from .analysis.text import Text

SUFFIX = ".ipynb"
PRELUDE = "display = print"
"""What a notebook has without importing it."""


@dataclass(frozen=True, slots=True)
class Cell:
    uri: str
    version: int
    text: Text
    """As the editor shows it."""
    is_code: bool
    lines: tuple[str, ...]
    """As Python; empty where the cell has no part in the module."""


@dataclass(frozen=True, slots=True)
class Notebook:
    uri: str
    path: str
    version: int
    cells: tuple[Cell, ...]

    @property
    def source(self) -> str:
        """The module."""
        return "\n".join([PRELUDE, *(line for cell in self.cells for line in cell.lines), ""])

    def regions(self) -> Iterator[tuple[int, Cell, int]]:
        """The number of each cell (from 1, all cells counted), the cell, and its first line in the module."""
        first = 2
        for number, cell in enumerate(self.cells, 1):
            yield number, cell, first
            first += len(cell.lines)

    def holds(self, uri: str) -> bool:
        return any(one.uri == uri for one in self.cells)

    def at(self, line: int) -> tuple[int, Cell, int] | None:
        """Number, cell and first line of the cell that a line of the module lies in."""
        return next((one for one in self.regions() if one[2] <= line < one[2] + len(one[1].lines)), None)


class CellText(Text):
    """The module as one cell shows it: the client counts lines from the cell's first."""

    def __init__(self, whole: Text, first: int, last: int, reach: range) -> None:
        super().__init__(whole.source)
        self.starts = whole.starts
        self.first = first
        self._last = last
        self._reach = reach

    @property
    def last(self) -> int:
        return self._last

    def shows(self, line: int) -> bool:
        return line in self._reach


class NotebookText(Text):
    """The module of a notebook that was read from its file."""

    def __init__(self, notebook: Notebook) -> None:
        super().__init__(notebook.source)
        self.notebook = notebook


class NotebookError(OSError):
    """A file that cannot be read as a notebook; the text says why."""


def cell_texts(notebook: Notebook, whole: Text) -> list[tuple[Cell, CellText]]:
    """The code cells with what they show; what belongs to no cell (an error at the very end) to the nearest."""
    code = [(one, first, first + len(one.lines) - 1) for _, one, first in notebook.regions() if one.lines]
    end = len(whole.starts) + 1
    return [
        (one, CellText(whole, first, last, range(first if number else 0, end if one is code[-1][0] else last + 1)))
        for number, (one, first, last) in enumerate(code)
    ]


def cell(uri: str, version: int, source: str, *, is_code: bool) -> Cell:
    text = Text(source)
    return Cell(uri, version, text, is_code, python_lines(text) if is_code else ())


# ---- changes ---------------------------------------------------------------------------------------


def with_changes(
    notebook: Notebook, uri: str, version: int, changes: Sequence[Change]
) -> tuple[Notebook, list[Change]]:
    """The notebook after changes within one cell, and the changes of its module that come to the same."""
    edited, first = next(((one, first) for _, one, first in notebook.regions() if one.uri == uri), (None, 0))
    if edited is None:
        return notebook, []
    text = edited.text
    for change in changes:
        text = change.applied(text)
    new = cell(uri, version, text.source, is_code=edited.is_code)
    after = replace(notebook, cells=tuple(new if one is edited else one for one in notebook.cells))
    moved = [_moved(change, first) for change in changes if change.span and edited.lines]
    return after, _checked(notebook, after, moved)


def with_cells(notebook: Notebook, cells: Iterable[Cell]) -> tuple[Notebook, list[Change]]:
    """The notebook with other cells, and the changes of its module: cells that stay keep their text where it stood."""
    after = replace(notebook, cells=tuple(cells))
    before_keys, after_keys = ([(one.uri, one.lines) for one in each.cells] for each in (notebook, after))
    firsts = [first for _, _, first in notebook.regions()]
    firsts.append(2 + sum(len(one.lines) for one in notebook.cells))
    changes = []
    for tag, i1, i2, j1, j2 in reversed(SequenceMatcher(None, before_keys, after_keys, autojunk=False).get_opcodes()):
        if tag != "equal":
            new = "".join(line + "\n" for one in after.cells[j1:j2] for line in one.lines)
            changes.append(Change(Span(firsts[i1], 1, firsts[i2], 1), new))
    return after, _checked(notebook, after, changes)


def _moved(change: Change, first: int) -> Change:
    span, by = change.span, first - 1
    assert span is not None
    return Change(Span(span.line + by, span.column, span.end_line + by, span.end_column), change.text)


def _checked(before: Notebook, after: Notebook, changes: list[Change]) -> list[Change]:
    """The changes, or where they do not lead from one module to the other (a magic is in the way), one that does."""
    text = Text(before.source)
    for change in changes:
        text = change.applied(text)
    if text.source == after.source:
        return changes
    return [Change(None, after.source)]


# ---- what only IPython understands -----------------------------------------------------------------

_PYTHON_CELLS = frozenset({"capture", "debug", "prun", "time"})
"""Cell magics that run their cell as Python among the notebook's names."""
_PYTHON_LINES = re.compile(r"(\s*)(%(?:time|prun))(\s+(?!-))(.*)")
_MAGIC = re.compile(r"(\s*)(?:%{1,2}[A-Za-z]|!|\?{1,2}[\w%])")
_ASSIGNED = re.compile(r"(\s*[\w.]+(?:\s*,\s*[\w.]+)*\s*=\s*)(?:%[A-Za-z]|!).*")
_HELP = re.compile(r"(\s*)[\w%][\w.\[\]*%]*\?{1,2}\s*$")
_PIECE = re.compile(
    r"(?P<comment>#.*)|(?P<long>'''|\"\"\")|(?P<short>'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\")|(?P<open>[(\[{])|(?P<close>[)\]}])"
)


def python_lines(text: Text) -> tuple[str, ...]:
    """The lines of a cell as Python has them."""
    lines = [text.line(number) for number in range(1, len(text.starts) + 1)]
    if text.source.startswith("\ufeff"):
        lines[0] = "\f" + lines[0][1:]  # white space to Python, and as wide
    if _parses(text.source):
        return tuple(lines)
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        lines[first] = lines[first].replace("%%", "# ", 1)
        if _word(lines[first]) not in _PYTHON_CELLS:
            return tuple("" for _ in lines)
    return tuple(_without_magics(lines))


def _parses(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in the user's string is not ours to say
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _word(line: str) -> str:
    return line.removeprefix("# ").partition(" ")[0].strip()


def _without_magics(lines: list[str]) -> Iterator[str]:
    depth, quote, continued, swallowed = 0, "", False, False
    for line in lines:
        goes_on = line.rstrip().endswith("\\")
        if swallowed:  # the rest of a magic that goes on after a backslash
            swallowed = goes_on
            yield ""
            continue
        plain = None if depth or quote or continued else _plain(line)
        python = line if plain is None else plain
        swallowed = plain is not None and goes_on and not plain.endswith("\\")
        depth, quote = _scan(python, depth, quote)
        continued = python.endswith("\\")
        yield python


def _plain(line: str) -> str | None:
    """A line at which a statement begins, where only IPython would understand it; else None."""
    if timed := _PYTHON_LINES.fullmatch(line):
        indent, word, space, statement = timed.groups()
        return indent + "if 1:".ljust(len(word + space)) + statement  # as wide, so that the statement stays
    if assigned := _ASSIGNED.fullmatch(line):
        return assigned[1] + "None"
    found = _MAGIC.match(line) or _HELP.fullmatch(line)
    return found[1] + "pass" if found else None


def _scan(line: str, depth: int, quote: str) -> tuple[int, str]:
    """How many brackets are open after a line, and the quotes of a string that goes on."""
    at = 0
    while at < len(line):
        if quote:
            end = line.find(quote, at)
            if end < 0:
                return depth, quote
            at, quote = end + len(quote), ""
            continue
        piece = _PIECE.search(line, at)
        if piece is None:
            break
        at = piece.end()
        depth = max(0, depth + bool(piece["open"]) - bool(piece["close"]))
        quote = piece["long"] or ""
    return depth, quote


# ---- files -----------------------------------------------------------------------------------------


def read_notebook(path: str, data: str | bytes) -> Notebook:
    """The notebook in a file's JSON.  Raises NotebookError."""
    try:
        given = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NotebookError(f"not a notebook: {error}") from error
    if not isinstance(given, Mapping) or not isinstance(given.get("cells"), list):
        raise NotebookError("not a notebook of format 4: it has no list of cells")
    python = _language(given) in ("", "python", "ipython")
    return Notebook("", path, 0, tuple(_cell(one, number, python) for number, one in enumerate(given["cells"], 1)))


def _cell(given: Any, number: int, python: bool) -> Cell:
    given = given if isinstance(given, Mapping) else {}
    source = given.get("source", "")
    text = source if isinstance(source, str) else "".join(map(str, source if isinstance(source, list) else []))
    language = _at(given, "metadata", "vscode", "languageId") or ("python" if python else "")
    return cell(f"#{number}", 0, text, is_code=given.get("cell_type") == "code" and language == "python")


def _language(notebook: Mapping[str, Any]) -> str:
    info = _at(notebook, "metadata", "language_info", "name") or _at(notebook, "metadata", "kernelspec", "language")
    return info.lower() if isinstance(info, str) else ""


def _at(given: Any, *keys: str) -> Any:
    for key in keys:
        given = given.get(key) if isinstance(given, Mapping) else None
    return given
