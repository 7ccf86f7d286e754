"""Inlay hints: in a list only what is drawn, for clients that ask for the rest when it is looked at."""

from __future__ import annotations

from lsprotocol import types as lsp

from ..analysis.document import Document
from ..analysis.hints import Hint, note
from ..analysis.sites import Kind
from .client import Client, member
from .positions import Encoding, position, range_of

_KIND = {Kind.PARAMETERS: lsp.InlayHintKind.Type, Kind.SHAPES: lsp.InlayHintKind.Type}


def hint(document: Document, shown: Hint, to: Client, encoding: Encoding) -> lsp.InlayHint:
    return _hint(document, shown, encoding) if to.resolve_hints else whole_hint(document, shown, to, encoding)


def whole_hint(document: Document, shown: Hint, to: Client, encoding: Encoding) -> lsp.InlayHint:
    """The hint with its note and the place of its operation."""
    whole, text = _hint(document, shown, encoding), note(shown, to.markup)
    whole.tooltip = lsp.MarkupContent(lsp.MarkupKind.Markdown, text) if to.markdown else text
    span = shown.source.span if shown.source else None
    if span is not None and document.text.shows(span.line) and isinstance(whole.label, list):
        whole.label[0].location = lsp.Location(document.uri, range_of(document.text, span, encoding))
    return whole


def _hint(document: Document, shown: Hint, encoding: Encoding) -> lsp.InlayHint:
    return lsp.InlayHint(
        position=position(document.text, shown.line, shown.column, encoding),
        label=[lsp.InlayHintLabelPart(shown.label)],
        kind=_KIND.get(shown.kind),
        padding_left=shown.spaced or None,
        data={"uri": document.uri},
    )


def label(given: lsp.InlayHint) -> str:
    return given.label if isinstance(given.label, str) else "".join(part.value for part in given.label)


def hint_document(given: lsp.InlayHint) -> str:
    """The document of a hint that came back."""
    return str(member(given.data, "uri") or "")
