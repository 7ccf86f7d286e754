"""Hovers, lenses, actions, graphs."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from lsprotocol import types as lsp

from tracer.worker.wire import Span, Study

from ..analysis.document import Document
from ..analysis.functions import Listed
from ..analysis.graphs import Graph
from ..analysis.hovers import Hover
from ..analysis.lenses import Call, Lens, Titled, What
from ..analysis.text import Text
from .client import Client, member
from .positions import Encoding, pages, range_of


def hover(text: Text, found: Hover, to: Client, encoding: Encoding) -> lsp.Hover:
    kind = lsp.MarkupKind.Markdown if to.markdown else lsp.MarkupKind.PlainText
    return lsp.Hover(lsp.MarkupContent(kind, found.text), range_of(text, found.span, encoding))


def command(uri: str, title: str, call: Call, note: str = "") -> lsp.Command:
    about = {"uri": uri, "function": call.function, "example": call.example, "study": call.study}
    given = [{name: value for name, value in about.items() if value is not None}]
    return lsp.Command(title, call.command, tooltip=note or None, arguments=given)


def page_command(uri: str, function: str, example: int, study: Study) -> str:
    """The address, in a hover, that opens the graph page with what a tracer of PyTorch's says."""
    about = {"uri": uri, "function": function, "example": example, "study": study.value}
    return f"command:nst.openPage?{quote(json.dumps([about]), safe='')}"


def lens(document: Document, shown: Lens, encoding: Encoding) -> lsp.CodeLens:
    """A lens without its title, which can be asked for by its data."""
    data = {"uri": document.uri, "what": shown.what.value, "function": shown.function}
    return lsp.CodeLens(range_of(document.text, shown.span, encoding), data=data)


def titled_lens(given: lsp.CodeLens, uri: str, told: Titled) -> lsp.CodeLens:
    return lsp.CodeLens(given.range, command(uri, told.title, told.call, told.note), given.data)


def lens_data(given: lsp.CodeLens) -> tuple[str, What, str] | None:
    """The document of a lens that came back, what it tells, and of which function; None for no lens of ours."""
    known = {what.value: what for what in What}
    what = known.get(str(member(given.data, "what")))
    return (str(member(given.data, "uri")), what, str(member(given.data, "function"))) if what else None


def graph(shown: Graph, document: Document, encoding: Encoding) -> dict[str, Any]:
    """A graph as plain JSON: docs/protocol.md says what it holds."""
    return {
        "uri": shown.uri,
        "file": document.notebook.uri if document.notebook else document.uri,
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


def listed(function: Listed, document: Document, encoding: Encoding) -> dict[str, Any]:
    """A function with its examples as plain JSON: docs/protocol.md says what it holds."""
    return {
        "function": function.name,
        **_plain_place(document, function.span, encoding),
        "example": function.example,
        "examples": [
            {
                "index": one.index,
                "source": one.source,
                "origin": one.origin,
                "status": one.status.value,
                "verdict": one.verdict.value,
                "operations": one.operations,
                "validFor": one.valid_for,
            }
            for one in function.examples
        ],
        "witnesses": [{"code": one.code, "arguments": one.arguments} for one in function.witnesses],
    }


def _plain_place(document: Document, span: Span | None, encoding: Encoding) -> dict[str, Any]:
    """The range of what lies there; in a notebook with the cell it lies in."""
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
