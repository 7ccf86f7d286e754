"""Inlay hints: the cheap list of what is in sight, and what more there is to say of one."""

from __future__ import annotations

from lsprotocol import types as lsp

from .. import convert
from ..analysis import hints
from ..connection import Server
from ..convert import hints as to_lsp


async def inlay_hint(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    view = ls.view(params.text_document.uri)
    if view is None:
        return []
    within = convert.span_of(view.document.text, params.range, ls.encoding)
    return [to_lsp.hint(view.document, one, ls.client, ls.encoding) for one in hints.hints(view, within)]


async def resolve(ls: Server, hint: lsp.InlayHint) -> lsp.InlayHint:
    """The hint with its note and the place of its operation; as it is, where another stands there by now."""
    view = ls.view(to_lsp.hint_document(hint))
    if view is None:
        return hint
    at = convert.span_of(view.document.text, lsp.Range(hint.position, hint.position), ls.encoding)
    found = (to_lsp.whole_hint(view.document, one, ls.client, ls.encoding) for one in hints.hints(view, at))
    return next((one for one in found if to_lsp.label(one) == to_lsp.label(hint)), hint)
