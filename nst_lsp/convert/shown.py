"""Hovers, lenses, actions, graphs."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from tracer.worker.wire import Span

from ..analysis.document import Document
from ..analysis.graphs import Graph
from ..analysis.hovers import Hover
from ..analysis.lenses import Call, Lens
from ..analysis.text import Text
from .client import Client
from .positions import Encoding, pages, range_of


def hover(text: Text, found: Hover, to: Client, encoding: Encoding) -> lsp.Hover:
    kind = lsp.MarkupKind.Markdown if to.markdown else lsp.MarkupKind.PlainText
    return lsp.Hover(lsp.MarkupContent(kind, found.text), range_of(text, found.span, encoding))


def command(uri: str, title: str, call: Call) -> lsp.Command:
    about = {"uri": uri, "function": call.function, "example": call.example}
    return lsp.Command(
        title, call.command, arguments=[{name: value for name, value in about.items() if value is not None}]
    )


def lens(document: Document, shown: Lens, encoding: Encoding) -> lsp.CodeLens:
    return lsp.CodeLens(range_of(document.text, shown.span, encoding), command(document.uri, shown.title, shown.call))


def graph(shown: Graph, document: Document, encoding: Encoding) -> dict[str, Any]:
    """A graph as plain JSON: docs/protocol.md says what it holds."""
    return {
        "uri": shown.uri,
        "file": document.uri,
        "function": shown.function,
        "example": shown.example,
        "examples": shown.examples,
        "title": shown.title,
        "code": shown.code,
        "languageId": "python",
        "operations": shown.operations,
        "validFor": shown.valid_for,
        "stale": shown.stale,
        "nodes": [
            {
                "name": node.name,
                "code": node.code,
                "line": node.line,
                **_plain_place(document, node.span, encoding),
            }
            for node in shown.nodes
        ],
    }


def _plain_place(document: Document, span: Span | None, encoding: Encoding) -> dict[str, Any]:
    """The range of a node; in a notebook with the cell it lies in."""
    page = next((page for page in pages(document) if span and page.text.shows(span.line)), None)
    if span is None or page is None:
        return {"range": None}
    found = range_of(page.text, span, encoding)
    place: dict[str, Any] = {
        "range": {
            "start": {"line": found.start.line, "character": found.start.character},
            "end": {"line": found.end.line, "character": found.end.character},
        }
    }
    return place if document.notebook is None else {**place, "uri": page.uri}
