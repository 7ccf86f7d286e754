"""Files and positions: URIs to paths, characters to the units that the client counts, and back."""

from __future__ import annotations

import ntpath
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp

from tracer.worker.wire import Edit, Span

from ..analysis.document import Change, Document
from ..analysis.text import Text
from ..notebooks import cell_texts

Encoding = lsp.PositionEncodingKind | str


def path_of(uri: str, *, windows: bool = os.name == "nt") -> str | None:
    """The path of a file URI; None for anything that is not a file of this machine."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(uri[len("file:") :].removeprefix(f"//{parts.netloc}"))  # `?` and `#` may stand in it unquoted
    if parts.scheme != "file" or "\0" in path or not path.startswith("/"):
        return None
    host = "" if parts.netloc.lower() == "localhost" else unquote(parts.netloc)
    if windows:
        drive = len(path) > 2 and path[2] == ":"
        path = path[1].upper() + path[2:] if drive else path
        return ntpath.normpath(f"//{host}{path}" if host else path)
    return None if host else os.path.normpath(path)


def untitled_path(uri: str, folder: str) -> str | None:
    """The path that a buffer without a file would have in a folder; None for anything else."""
    scheme, _, name = uri.partition(":")
    if scheme != "untitled" or not name:
        return None
    path = os.path.normpath(os.path.join(folder, unquote(name.partition("?")[0].partition("#")[0])))
    return path if path.endswith((".py", ".ipynb")) else f"{path}.py"


def uri_of(path: str) -> str:
    return Path(path).as_uri()


@dataclass(frozen=True, slots=True)
class Page:
    """What the client counts as one document: a file, or a cell of a notebook."""

    uri: str
    version: int | None
    text: Text


Pages = Callable[[str], list[Page]]
"""The pages of a file, by its path."""


def pages(document: Document) -> list[Page]:
    if document.notebook is None:
        return [Page(document.uri, document.version, document.text)]
    return [Page(one.uri, one.version, text) for one, text in cell_texts(document.notebook, document.text)]


# ---- positions -------------------------------------------------------------------------------------


def units(text: str, encoding: Encoding) -> int:
    """How long a text is in the units that the client counts."""
    if text.isascii() or encoding == lsp.PositionEncodingKind.Utf32:
        return len(text)
    if encoding == lsp.PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


def characters(text: str, count: int, encoding: Encoding) -> int:
    """How many characters the first `count` units are; a unit within a character counts for what is before it."""
    if text.isascii() or encoding == lsp.PositionEncodingKind.Utf32:
        return min(count, len(text))
    seen = 0
    for index, character in enumerate(text):
        seen += units(character, encoding)
        if seen > count:
            return index
    return len(text)


def position(text: Text, line: int, column: int, encoding: Encoding) -> lsp.Position:
    if line < text.first:
        return lsp.Position(0, 0)
    if line > text.last:
        return lsp.Position(text.last - text.first, units(text.line(text.last), encoding))
    return lsp.Position(line - text.first, units(text.line(line)[: column - 1], encoding))


def place(text: Text, at: lsp.Position, encoding: Encoding) -> tuple[int, int]:
    """Line and column of a client's position."""
    line = text.first + at.line
    if line > text.last:
        return text.last, len(text.line(text.last)) + 1
    return line, characters(text.line(line), at.character, encoding) + 1


def range_of(text: Text, span: Span, encoding: Encoding) -> lsp.Range:
    start = position(text, span.line, span.column, encoding)
    return lsp.Range(start, position(text, span.end_line, span.end_column, encoding))


def span_of(text: Text, given: lsp.Range, encoding: Encoding) -> Span:
    return Span(*place(text, given.start, encoding), *place(text, given.end, encoding))


def changed(text: Text, events: Iterable[lsp.TextDocumentContentChangeEvent], encoding: Encoding) -> list[Change]:
    """A client's changes, each of which speaks of the text that the ones before it left."""
    changes = []
    for event in events:
        if isinstance(event, lsp.TextDocumentContentChangePartial):
            change = Change(span_of(text, event.range, encoding), event.text)
        else:
            change = Change(None, event.text)
        text = change.applied(text)
        changes.append(change)
    return changes


def text_edits(document: Document, edits: Iterable[Edit], encoding: Encoding) -> dict[str, list[lsp.TextEdit]]:
    """Edits by the URI of the page that they begin in, which they do not leave."""
    found: dict[str, list[lsp.TextEdit]] = {}
    for edit in edits:
        for page in pages(document):
            if page.text.shows(edit.span.line):
                given = lsp.TextEdit(range_of(page.text, edit.span, encoding), edit.text)
                found.setdefault(page.uri, []).append(given)
    return found
