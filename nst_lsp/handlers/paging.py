"""Graph pages: opening them, and telling them where the cursor is."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from lsprotocol import types as lsp

from ..analysis.studies import BY_NAME
from ..analysis.traced import Function
from ..analysis.view import View
from ..connection import Server
from ..page import bundle
from ..page.desk import Subject
from .commands import about, position, say_no_graph, target


async def open_page(ls: Server, *arguments: Any) -> dict[str, str] | None:
    """Serve the page of a function and have the client open it; its address, and what it is about."""
    subject = await _subject(ls, *arguments)
    if subject is None:
        if not ls.client.shows_pages:
            say_no_graph(ls, *arguments)
        return None
    if not bundle.is_built():
        ls.warn(f"nst: {bundle.MISSING}")
    serving = await ls.served_pages()
    study = BY_NAME.get(str(about(*arguments).get("study", "")))
    url = serving.url(subject, study)
    if not ls.client.shows_pages and not await _is_shown(ls, url):
        ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, f"nst: the graph is at {url}"))
    chosen = {"study": study.value} if study is not None else {}
    return {"url": url, "uri": subject.uri, "function": subject.function, **chosen}


async def _subject(ls: Server, *arguments: Any) -> Subject | None:
    """What a page is asked for, once it is known whether there is a graph; the example that is wanted is chosen.

    A client that shows pages itself has a view of a file rather than of a function.  It may ask by name before there
    is a graph, or when there is none any more: the page says why, and shows it when it comes.  And a position outside
    of all functions means the one above it, else the first.
    """
    given = about(*arguments)
    named = "uri" in given and "function" in given and ls.client.shows_pages
    view, function, example = target(ls, given) if named else await _traced_target(ls, given)
    if function is None and view is not None and "function" not in given and ls.client.shows_pages:
        function = _nearest(view, position(given.get("position")))
    if view is None or function is None or (outcome := view.shown(function)) is None:
        return Subject(str(given["uri"]), str(given["function"])) if named else None
    if example is not None and example != outcome.report.index:
        ls.session.choose(view.document.path, function.name, example)
    return Subject(view.document.uri, function.name)


def _nearest(view: View, at: lsp.Position | None) -> Function | None:
    graphs = [(span.line, one) for one, span in view.names() if (shown := view.shown(one)) and shown.report.graph]
    above = [(line, one) for line, one in graphs if at is not None and line <= at.line + 1]
    nearest = max(above, key=itemgetter(0)) if above else min(graphs, key=itemgetter(0), default=None)
    return nearest[1] if nearest is not None else None


async def _traced_target(ls: Server, given: dict[str, Any]) -> tuple[View | None, Function | None, int | None]:
    """The target of a command; while its file is being traced for the first time, what comes of that."""
    view, function, example = target(ls, given)
    if view is not None and function is None and not view.traced.functions:
        await ls.session.until_traced(view.document.path)
        view, function, example = target(ls, given)
    return view, function, example


async def _is_shown(ls: Server, url: str) -> bool:
    """Whether the client opened an address in a browser."""
    if not ls.client.show_documents:
        return False
    shown = await ls.window_show_document_async(lsp.ShowDocumentParams(url, external=True))
    return shown.success


async def cursor(ls: Server, *arguments: Any) -> dict[str, str] | None:
    """Tell the pages where the cursor is; the function around it, where that has a graph."""
    ls.tells_cursor = True
    given = about(*arguments)
    at = position(given.get("position"))
    if at is None:
        return None
    ls.point(str(given.get("uri", "")), at)
    view, function, _ = await _traced_target(ls, given)
    outcome = view.shown(function) if view and function else None
    if view is None or function is None or outcome is None or outcome.report.graph is None:
        return None
    return {"uri": view.document.uri, "function": function.name}


async def document_highlight(ls: Server, params: lsp.DocumentHighlightParams) -> None:
    """Nothing is highlighted, as editors would show it in place of the uses of a name: the cursor is heard of by it."""
    if not ls.tells_cursor:
        ls.point(params.text_document.uri, params.position)
