"""Answers about arguments that a person tries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types as lsp

from tracer.worker.wire import Compared, Place

from ..analysis.document import Document
from ..analysis.written import Template
from .positions import Encoding, Pages, pages, position, range_of, text_edits


def comparison(compared: Compared, places: Iterable[Place | None], around: Pages, encoding: Encoding) -> dict[str, Any]:
    """As `nst compare` prints it, with the places of its guards: docs/protocol.md says what it holds."""
    return {
        "equal": compared.equal,
        "function": compared.function,
        "graph": compared.graph,
        "guards_failed": list(compared.guards_failed),
        "partial": compared.partial,
        "raised": compared.raised,
        "places": [_location(place, around, encoding) if place else None for place in places],
    }


def template(document: Document, found: Template, encoding: Encoding) -> dict[str, Any] | None:
    """The snippet with its place, and where the function's head begins."""
    line = found.definition.first_line
    page = next((page for page in pages(document) if page.text.shows(line)), None)
    edits = text_edits(document, [found.edit], encoding)
    if page is None or page.uri not in edits:
        return None
    (edit,) = edits[page.uri]
    head = position(page.text, found.definition.span.line, found.definition.span.column, encoding)
    return {
        "function": found.definition.name,
        "uri": page.uri,
        "head": _plain_position(head),
        "position": _plain_position(edit.range.start),
        "snippet": edit.new_text,
    }


def _location(place: Place, around: Pages, encoding: Encoding) -> dict[str, Any] | None:
    page = next((page for page in around(place.path) if page.text.shows(place.span.line)), None)
    if page is None:
        return None
    found = range_of(page.text, place.span, encoding)
    return {"uri": page.uri, "range": {"start": _plain_position(found.start), "end": _plain_position(found.end)}}


def _plain_position(at: lsp.Position) -> dict[str, int]:
    return {"line": at.line, "character": at.character}
