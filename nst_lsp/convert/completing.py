"""Completions and signatures."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

from tracer.worker.wire import Span

from ..analysis.completions import Completion
from ..analysis.text import Text
from ..completion.messages import Signature
from .positions import Encoding, range_of

_Kind = lsp.CompletionItemKind
_KINDS = {
    "keyword": _Kind.Keyword,
    "parameter": _Kind.Variable,
    "rule": _Kind.EnumMember,
    "param": _Kind.Variable,
    "function": _Kind.Function,
    "class": _Kind.Class,
    "module": _Kind.Module,
    "namespace": _Kind.Module,
    "instance": _Kind.Variable,
    "statement": _Kind.Variable,
    "property": _Kind.Property,
}


def completion(
    text: Text, one: Completion, line: int, column: int, typed: int, encoding: Encoding
) -> lsp.CompletionItem:
    """An item that replaces the `typed` characters before a position."""
    replaced = range_of(text, Span(line, column - typed, line, column), encoding)
    return lsp.CompletionItem(
        label=one.label,
        kind=_KINDS.get(one.kind, _Kind.Text),
        detail=one.detail or None,
        documentation=one.documentation or None,
        sort_text=f"{one.rank}{one.label.lower()}",
        text_edit=lsp.TextEdit(replaced, one.label),
    )


def signature_help(found: Iterable[Signature]) -> lsp.SignatureHelp | None:
    signatures = [
        lsp.SignatureInformation(
            label=one.label,
            documentation=one.documentation or None,
            parameters=[lsp.ParameterInformation(parameter) for parameter in one.parameters],
            active_parameter=one.active,
        )
        for one in found
    ]
    if not signatures:
        return None
    return lsp.SignatureHelp(signatures, active_signature=0, active_parameter=signatures[0].active_parameter)
