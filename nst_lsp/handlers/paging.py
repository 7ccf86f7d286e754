"""Graph pages: opening them, and telling them where the cursor is."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from ..connection import Server
from ..page import bundle
from ..page.desk import Subject
from .commands import about, position, target


async def open_page(ls: Server, *arguments: Any) -> dict[str, str] | None:
    """Serve the page of a function and have the client open it; its address."""
    view, function, example = target(ls, *arguments)
    outcome = view.shown(function) if view and function else None
    if view is None or function is None or outcome is None:
        ls.warn("nst: there is no graph here yet")
        return None
    if not bundle.is_built():
        ls.warn(f"nst: {bundle.MISSING}")
    if example is not None and example != outcome.report.index:
        ls.session.choose(view.document.path, function.name, example)
    serving = await ls.served_pages()
    url = serving.url(Subject(view.document.uri, function.name))
    if not ls.client.shows_pages and not await _is_shown(ls, url):
        ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, f"nst: the graph is at {url}"))
    return {"url": url}


async def _is_shown(ls: Server, url: str) -> bool:
    """Whether the client opened an address in a browser."""
    if not ls.client.show_documents:
        return False
    shown = await ls.window_show_document_async(lsp.ShowDocumentParams(url, external=True))
    return shown.success


async def cursor(ls: Server, *arguments: Any) -> None:
    ls.tells_cursor = True
    given = about(*arguments)
    at = position(given.get("position"))
    if at is not None:
        ls.point(str(given.get("uri", "")), at)


async def document_highlight(ls: Server, params: lsp.DocumentHighlightParams) -> None:
    """Nothing is highlighted, as editors would show it in place of the uses of a name: the cursor is heard of by it."""
    if not ls.tells_cursor:
        ls.point(params.text_document.uri, params.position)
