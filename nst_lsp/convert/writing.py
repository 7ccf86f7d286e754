"""Code actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types as lsp

from ..analysis.actions import Action
from ..analysis.document import Document
from .positions import Encoding, range_of, text_edits
from .shown import command


def action(
    document: Document, offered: Action, given: Iterable[lsp.Diagnostic], encoding: Encoding, later: Any = None
) -> lsp.CodeAction:
    """A code action; `given` are the client's own diagnostics at the place, of which it may mend one.

    With `later`, a deferred action has no edit yet: the client sends `later` back when it wants it.
    """
    text, waits = document.text, later is not None and offered.deferred
    title = offered.title.replace("`", "")  # no client marks titles up
    edits = text_edits(document, offered.edits, encoding)
    mends = offered.mends
    mended = [
        one for one in given if mends and one.code == mends.code and one.range == range_of(text, mends.span, encoding)
    ]
    return lsp.CodeAction(
        title=title,
        kind=offered.kind or None,
        diagnostics=mended or None,
        is_preferred=offered.preferred or None,
        edit=lsp.WorkspaceEdit(changes=edits) if edits and not waits else None,
        command=command(document.uri, title, offered.call) if offered.call else None,
        data=later if waits else None,
    )


def wanted(offered: Action, only: Iterable[str] | None) -> bool:
    """Whether a client that asks for some kinds of actions only would take this one."""
    return only is None or any(_is_within(offered.kind, str(getattr(kind, "value", kind))) for kind in only)


def _is_within(kind: str, asked: str) -> bool:
    """`refactor` means `refactor.rewrite`, too; the empty kind means all that have one."""
    return bool(kind) and (not asked or kind == asked or kind.startswith(f"{asked}."))
