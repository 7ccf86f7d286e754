"""What is written into the text on request: code actions, with their edits at once or when one is chosen."""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types as lsp

from tracer.worker.wire import Span

from .. import convert
from ..analysis import actions
from ..analysis.calls import Found
from ..analysis.view import View
from ..connection import Server
from ..convert import writing as to_lsp

PATIENCE = 1.0
"""Seconds that the offers wait for calls in other files; a later request has what was not found by then."""


async def code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    if not ls.tells_cursor:
        ls.point(params.text_document.uri, params.range.start)
    view = ls.view(params.text_document.uri)
    if view is None:
        return []
    given, only = params.context.diagnostics, params.context.only
    selected = convert.span_of(view.document.text, params.range, ls.encoding)
    offered = await _offered(ls, view, selected)
    later = _later(params) if ls.client.resolve_edits else None
    return [to_lsp.action(view.document, one, given, ls.encoding, later) for one in offered if to_lsp.wanted(one, only)]


async def resolve(ls: Server, action: lsp.CodeAction) -> lsp.CodeAction:
    """The action with its edit, for the text as it is now; without one where it is no longer offered."""
    match action.data:
        case {"uri": str(uri), "line": int(line), "character": int(character)} if line >= 0 and character >= 0:
            start, view = lsp.Position(line, character), ls.view(uri)
        case _:
            return action
    if view is None:
        return action
    selected = convert.span_of(view.document.text, lsp.Range(start, start), ls.encoding)
    for one in await _offered(ls, view, selected):
        now = to_lsp.action(view.document, one, [], ls.encoding)
        if now.title == action.title:
            action.edit = now.edit
    return action


async def _offered(ls: Server, view: View, selected: Span) -> list[actions.Action]:
    found = await _calls(ls, view, selected)
    now = ls.view(view.document.uri)
    same = now is not None and now.document.version == view.document.version
    return actions.actions(view, selected, ls.session.knowledge.diagnostics(view.document.path), found) if same else []


async def _calls(ls: Server, view: View, selected: Span) -> list[Found]:
    """Calls, in other files, of the function that is asked about."""
    definition, path = actions.wanting(view, selected.line), view.document.path
    if definition is None:
        return []
    texts = {one.path: one.text.source for one in ls.session.knowledge.documents.values()}
    root = ls.session.workspace.configuration.folder_of(path) or ls.session.workspace.root(path)
    search = asyncio.ensure_future(ls.callers.search(root, path, definition.name, texts))
    done, _ = await asyncio.wait([search], timeout=PATIENCE)
    return search.result() if done else []


def _later(params: lsp.CodeActionParams) -> dict[str, Any]:
    at = params.range.start
    return {"uri": params.text_document.uri, "line": at.line, "character": at.character}
