"""Documents that are opened, changed, saved and closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types as lsp

from .. import convert
from ..connection import Server


async def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    document = params.text_document
    path = convert.path_of(document.uri)
    if path is not None:
        ls.session.open(document.uri, path, document.version, document.text)


async def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    view = ls.view(params.text_document.uri)
    if view is not None:
        changes = convert.changed(view.document.text, params.content_changes, ls.encoding)
        ls.session.change(view.document.path, params.text_document.version, changes)


async def saved(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    view = ls.view(params.text_document.uri)
    if view is not None:
        ls.session.save(view.document.path)


async def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    path = convert.path_of(params.text_document.uri)
    if path in ls.session.documents:
        ls.session.close(path)


FEATURES: dict[str, Callable[..., Any]] = {
    lsp.TEXT_DOCUMENT_DID_OPEN: opened,
    lsp.TEXT_DOCUMENT_DID_CHANGE: changed,
    lsp.TEXT_DOCUMENT_DID_SAVE: saved,
    lsp.TEXT_DOCUMENT_DID_CLOSE: closed,
}
