"""Files and positions: URIs to paths, characters to the units that the client counts, and back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp

from tracer.worker.wire import Span

from ..analysis.document import Change
from ..analysis.text import Text

Encoding = lsp.PositionEncodingKind | str
Texts = Callable[[str], Text]
"""The text of a file, by its path."""


def path_of(uri: str) -> str | None:
    """The path of a file URI; None for anything that is not a file of this machine."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    path = unquote(parts.path)
    drive = len(path) > 2 and path[2] == ":"
    return os.path.normpath(path[1:] if drive else path)


def uri_of(path: str) -> str:
    return Path(path).as_uri()


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
    return lsp.Position(line - 1, units(text.line(line)[: column - 1], encoding))


def place(text: Text, at: lsp.Position, encoding: Encoding) -> tuple[int, int]:
    """Line and column of a client's position."""
    return at.line + 1, characters(text.line(at.line + 1), at.character, encoding) + 1


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
