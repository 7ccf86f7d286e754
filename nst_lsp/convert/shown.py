"""Hovers, lenses, actions, graphs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types as lsp

from tracer.worker.wire import Span

from ..analysis.actions import Action
from ..analysis.document import Document
from ..analysis.graphs import Graph
from ..analysis.hovers import Hover
from ..analysis.lenses import Call, Lens
from ..analysis.text import Text
from .client import Client
from .positions import Encoding, range_of


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


def action(document: Document, offered: Action, given: Iterable[lsp.Diagnostic], encoding: Encoding) -> lsp.CodeAction:
    """A code action; `given` are the client's own diagnostics at the place, of which it may mend one."""
    text = document.text
    edits = [lsp.TextEdit(range_of(text, edit.span, encoding), edit.text) for edit in offered.edits]
    mends = offered.mends
    mended = [
        one for one in given if mends and one.code == mends.code and one.range == range_of(text, mends.span, encoding)
    ]
    return lsp.CodeAction(
        title=offered.title,
        kind=lsp.CodeActionKind.QuickFix if mends else None,
        diagnostics=mended or None,
        is_preferred=offered.preferred or None,
        edit=lsp.WorkspaceEdit(changes={document.uri: edits}) if edits else None,
        command=command(document.uri, offered.title, offered.call) if offered.call else None,
    )


def wanted(offered: Action, only: Iterable[str] | None) -> bool:
    """Whether a client that asks for some kinds of actions only would take this one."""
    return only is None or (offered.mends is not None and any(_is_quick_fix(kind) for kind in only))


def _is_quick_fix(kind: str) -> bool:
    return kind in ("", lsp.CodeActionKind.QuickFix.value)


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
                "range": _plain_range(document.text, node.span, encoding),
            }
            for node in shown.nodes
        ],
    }


def _plain_range(text: Text, span: Span | None, encoding: Encoding) -> dict[str, dict[str, int]] | None:
    if span is None:
        return None
    found = range_of(text, span, encoding)
    return {
        "start": {"line": found.start.line, "character": found.start.character},
        "end": {"line": found.end.line, "character": found.end.character},
    }
