"""What is shown of a file: hovers, lenses, graphs as documents."""

from __future__ import annotations

from functools import partial

from lsprotocol import types as lsp

from .. import convert
from ..analysis import graphs, hovers, lenses
from ..connection import Server
from ..convert import shown as to_lsp


async def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    if not ls.tells_cursor:
        ls.point(params.text_document.uri, params.position)
    view = ls.view(params.text_document.uri)
    if view is None:
        return None
    at = convert.place(view.document.text, params.position, ls.encoding)
    reported = ls.session.knowledge.diagnostics(view.document.path)
    found = hovers.hover(
        view,
        *at,
        reported,
        convert.page_link,
        ls.client.markup,
        beside_diagnostics=ls.client.hovers_have_diagnostics,
        study_link=partial(to_lsp.page_command, view.document.uri) if ls.client.links_commands else None,
    )
    return to_lsp.hover(view.document.text, found, ls.client, ls.encoding) if found else None


async def code_lens(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    view = ls.view(params.text_document.uri)
    if view is None:
        return []
    document, found = view.document, lenses.lenses(view, ls.session.showing.reported(view.document.path))
    shown = [to_lsp.lens(document, lens, ls.encoding) for lens in found if document.text.shows(lens.span.line)]
    return shown if ls.client.resolve_lenses else [_resolved(ls, one) for one in shown]


async def code_lens_resolve(ls: Server, lens: lsp.CodeLens) -> lsp.CodeLens:
    return _resolved(ls, lens)


def _resolved(ls: Server, lens: lsp.CodeLens) -> lsp.CodeLens:
    about = to_lsp.lens_data(lens)
    view = ls.view(about[0]) if about else None
    if about is None or view is None:
        return lens
    uri, what, function = about
    return to_lsp.titled_lens(
        lens, uri, lenses.titled(view, what, function, ls.session.showing.reported(view.document.path))
    )


async def text_document_content(ls: Server, params: lsp.TextDocumentContentParams) -> lsp.TextDocumentContentResult:
    if params.uri == graphs.LOG_URI:
        return lsp.TextDocumentContentResult(ls.logs.text)
    about = graphs.read_graph_uri(params.uri)
    ls.shown_graphs.add(params.uri)
    text = _graph_text(ls, about) if about else None
    return lsp.TextDocumentContentResult(text or "# There is no graph any more.\n")


def _graph_text(ls: Server, about: graphs.About) -> str | None:
    view = ls.session.knowledge.view(about.path)
    function = view.traced.function(about.function) if view else None
    if view is None or function is None:
        return None
    if about.study is not None:
        from .studying import answered  # what it imports is of no use while nobody has asked PyTorch

        return answered(ls, about)
    graph = graphs.graph(view, function, about.example)
    return graph.code if graph else None
