"""Documents that are opened, changed, saved and closed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lsprotocol import types as lsp

from .. import convert
from ..analysis.document import Document
from ..connection import Server
from ..notebooks import SUFFIX


async def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    document = params.text_document
    path = path_to_open(ls, document.uri)
    if path is not None and not path.endswith(SUFFIX) and (is_python(document) or not is_untitled(document.uri)):
        ls.session.open(document.uri, path, document.version, python_text(document.text))


def path_to_open(ls: Server, uri: str) -> str | None:
    """The path of a document that can be traced; a buffer without a file lies in the first workspace folder."""
    if not is_untitled(uri):
        return convert.path_of(uri)
    folder = next(iter(ls.session.workspace.configuration.folders), str(Path.home()))
    return convert.untitled_path(uri, folder)


def is_untitled(uri: str) -> bool:
    return uri.startswith("untitled:")


def is_python(document: lsp.TextDocumentItem) -> bool:
    return str(document.language_id).lower() == "python"


def python_text(text: str) -> str:
    """A text that begins with a byte-order mark with a form feed instead: as wide, and white space to Python."""
    return "\f" + text[1:] if text.startswith("\ufeff") else text


async def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    document = _open(ls, params.text_document.uri)
    if document is not None:
        changes = convert.changed(document.text, params.content_changes, ls.encoding)
        whole = [replace(one, text=python_text(one.text)) if one.span is None else one for one in changes]
        ls.session.change(document.path, params.text_document.version, whole)


async def saved(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    document = _open(ls, params.text_document.uri)
    if document is not None:
        ls.session.save(document.path)


async def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    document = _open(ls, params.text_document.uri)
    if document is not None:
        ls.session.close(document.path)


def _open(ls: Server, uri: str) -> Document | None:
    """An open document that is no notebook."""
    document = ls.session.knowledge.documents.get(ls.path_of(uri) or "")
    return document if document and document.notebook is None else None
