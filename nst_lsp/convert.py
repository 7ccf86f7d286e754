"""Between the analysis' plain data and LSP: positions in the negotiated encoding, diagnostics, hovers, lenses, actions.

What a client cannot show is said another way: related places go into the message, faded text is left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp

from tracer.rules import Severity
from tracer.worker.wire import Place, Span

from .analysis.actions import Action
from .analysis.diagnostics import Diagnostic
from .analysis.document import Change, Document
from .analysis.graphs import Graph
from .analysis.hovers import Hover
from .analysis.lenses import Call, Lens
from .analysis.text import Text

Encoding = lsp.PositionEncodingKind | str
Texts = Callable[[str], Text]
"""The text of a file, by its path."""

SOURCE = "nst"


@dataclass(frozen=True, slots=True)
class Client:
    """What the editor can do, as far as we care."""

    related_information: bool = False
    tags: bool = False
    links: bool = False
    """It shows the address of a rule's page with its code."""
    markdown: bool = False
    progress: bool = False
    configuration: bool = False
    register_configuration: bool = False
    register_watchers: bool = False
    refresh_lenses: bool = False
    show_documents: bool = False
    virtual_documents: bool = False
    """`workspace/textDocumentContent`."""
    shows_graphs: bool = False
    """It has its own way to show what `nst.showGraph` gives."""
    status: bool = False


def client(capabilities: lsp.ClientCapabilities) -> Client:
    """The capabilities that matter here; what the client does not mention it cannot do."""
    published = _at(capabilities, "text_document", "publish_diagnostics")
    formats = _at(capabilities, "text_document", "hover", "content_format") or ()
    experimental = capabilities.experimental
    return Client(
        related_information=bool(_at(published, "related_information")),
        tags=lsp.DiagnosticTag.Unnecessary in (_at(published, "tag_support", "value_set") or ()),
        links=bool(_at(published, "code_description_support")),
        markdown=lsp.MarkupKind.Markdown in formats,
        progress=bool(_at(capabilities, "window", "work_done_progress")),
        configuration=bool(_at(capabilities, "workspace", "configuration")),
        register_configuration=bool(_at(capabilities, "workspace", "did_change_configuration", "dynamic_registration")),
        register_watchers=bool(_at(capabilities, "workspace", "did_change_watched_files", "dynamic_registration")),
        refresh_lenses=bool(_at(capabilities, "workspace", "code_lens", "refresh_support")),
        show_documents=bool(_at(capabilities, "window", "show_document", "support")),
        virtual_documents=_at(capabilities, "workspace", "text_document_content") is not None,
        shows_graphs="nst.showGraph" in (_at(experimental, "commands", "commands") or ()),
        status=bool(_at(experimental, "serverStatusNotification")),
    )


def _at(value: Any, *names: str) -> Any:
    """A field of nested optional objects; those of `experimental` come as dicts or as named tuples."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
    return value


# ---- files -----------------------------------------------------------------------------------------


def path_of(uri: str) -> str | None:
    """The path of a file URI; None for anything that is not a file of this machine."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    path = unquote(parts.path)
    drive = len(path) > 2 and path[2] == ":"
    return os.path.normpath(path[1:] if drive else path)


def uri_of(path: str) -> str:
    return Path(path).as_uri()


# ---- positions -------------------------------------------------------------------------------------


def units(text: str, encoding: Encoding) -> int:
    """How long a text is in the units that the client counts."""
    if text.isascii() or encoding == lsp.PositionEncodingKind.Utf32:
        return len(text)
    if encoding == lsp.PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


def characters(text: str, count: int, encoding: Encoding) -> int:
    """How many characters the first `count` units are; a unit within a character counts for what is before it."""
    if text.isascii() or encoding == lsp.PositionEncodingKind.Utf32:
        return min(count, len(text))
    seen = 0
    for index, character in enumerate(text):
        seen += units(character, encoding)
        if seen > count:
            return index
    return len(text)


def position(text: Text, line: int, column: int, encoding: Encoding) -> lsp.Position:
    return lsp.Position(line - 1, units(text.line(line)[: column - 1], encoding))


def place(text: Text, at: lsp.Position, encoding: Encoding) -> tuple[int, int]:
    """Line and column of a client's position."""
    return at.line + 1, characters(text.line(at.line + 1), at.character, encoding) + 1


def range_of(text: Text, span: Span, encoding: Encoding) -> lsp.Range:
    start = position(text, span.line, span.column, encoding)
    return lsp.Range(start, position(text, span.end_line, span.end_column, encoding))


def span_of(text: Text, given: lsp.Range, encoding: Encoding) -> Span:
    return Span(*place(text, given.start, encoding), *place(text, given.end, encoding))


def changed(text: Text, events: Iterable[lsp.TextDocumentContentChangeEvent], encoding: Encoding) -> list[Change]:
    """A client's changes, each of which speaks of the text that the ones before it left."""
    changes = []
    for event in events:
        if isinstance(event, lsp.TextDocumentContentChangePartial):
            change = Change(span_of(text, event.range, encoding), event.text)
        else:
            change = Change(None, event.text)
        text = change.applied(text)
        changes.append(change)
    return changes


# ---- diagnostics -----------------------------------------------------------------------------------

_SEVERITY = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFORMATION: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}


def diagnostics(
    told: Iterable[Diagnostic], path: str, texts: Texts, to: Client, encoding: Encoding
) -> list[lsp.Diagnostic]:
    """What the client is told about a file; text that only fades is left out where it cannot fade."""
    return [diagnostic(one, path, texts, to, encoding) for one in told if to.tags or one.finding or not one.unnecessary]


def diagnostic(told: Diagnostic, path: str, texts: Texts, to: Client, encoding: Encoding) -> lsp.Diagnostic:
    related = [_related(one.place, one.message, texts, encoding) for one in told.related]
    page = page_link(told.code) if to.links else None
    message = told.message
    if not to.related_information:
        message = "\n".join([message, *(f"{one.message} ({_where(one.place)})" for one in told.related)])
    return lsp.Diagnostic(
        range=range_of(texts(path), told.span, encoding),
        severity=_SEVERITY[told.severity],
        code=told.code,
        code_description=lsp.CodeDescription(page) if page else None,
        source=SOURCE,
        message=message,
        tags=[lsp.DiagnosticTag.Unnecessary] if told.unnecessary else None,
        related_information=related if related and to.related_information else None,
    )


def _related(at: Place, message: str, texts: Texts, encoding: Encoding) -> lsp.DiagnosticRelatedInformation:
    where = lsp.Location(uri_of(at.path), range_of(texts(at.path), at.span, encoding))
    return lsp.DiagnosticRelatedInformation(where, message)


def _where(at: Place) -> str:
    return f"{Path(at.path).name}:{at.span.line}"


_PAGES = (Path(__file__).parent / "rules", Path(__file__).parent.parent / "docs" / "rules")
"""Where the rules' pages are: in an installed wheel, in a checkout."""


@cache
def page_link(code: str) -> str | None:
    """The address of a rule's page."""
    pages = (folder / f"{code}.md" for folder in _PAGES)
    return next((page.as_uri() for page in pages if page.is_file()), None)


# ---- hovers, lenses, actions, graphs ---------------------------------------------------------------


def hover(text: Text, found: Hover, to: Client, encoding: Encoding) -> lsp.Hover:
    kind = lsp.MarkupKind.Markdown if to.markdown else lsp.MarkupKind.PlainText
    return lsp.Hover(lsp.MarkupContent(kind, found.text), range_of(text, found.span, encoding))


def command(uri: str, title: str, call: Call) -> lsp.Command:
    about = {"uri": uri, "function": call.function, "example": call.example}
    return lsp.Command(
        title, call.command, arguments=[{name: value for name, value in about.items() if value is not None}]
    )


def lens(document: Document, shown: Lens, encoding: Encoding) -> lsp.CodeLens:
    return lsp.CodeLens(range_of(document.text, shown.span, encoding), command(document.uri, shown.title, shown.call))


def action(document: Document, offered: Action, given: Iterable[lsp.Diagnostic], encoding: Encoding) -> lsp.CodeAction:
    """A code action; `given` are the client's own diagnostics at the place, of which it may mend one."""
    text = document.text
    edits = [lsp.TextEdit(range_of(text, edit.span, encoding), edit.text) for edit in offered.edits]
    mends = offered.mends
    mended = [
        one for one in given if mends and one.code == mends.code and one.range == range_of(text, mends.span, encoding)
    ]
    return lsp.CodeAction(
        title=offered.title,
        kind=lsp.CodeActionKind.QuickFix if mends else None,
        diagnostics=mended or None,
        is_preferred=offered.preferred or None,
        edit=lsp.WorkspaceEdit(changes={document.uri: edits}) if edits else None,
        command=command(document.uri, offered.title, offered.call) if offered.call else None,
    )


def wanted(offered: Action, only: Iterable[str] | None) -> bool:
    """Whether a client that asks for some kinds of actions only would take this one."""
    return only is None or (offered.mends is not None and any(_is_quick_fix(kind) for kind in only))


def _is_quick_fix(kind: str) -> bool:
    return kind in ("", lsp.CodeActionKind.QuickFix.value)


def graph(shown: Graph, document: Document, encoding: Encoding) -> dict[str, Any]:
    """A graph as plain JSON: docs/protocol.md says what it holds."""
    return {
        "uri": shown.uri,
        "file": document.uri,
        "function": shown.function,
        "example": shown.example,
        "examples": shown.examples,
        "title": shown.title,
        "code": shown.code,
        "languageId": "python",
        "operations": shown.operations,
        "validFor": shown.valid_for,
        "stale": shown.stale,
        "nodes": [
            {
                "name": node.name,
                "code": node.code,
                "line": node.line,
                "range": _plain_range(document.text, node.span, encoding),
            }
            for node in shown.nodes
        ],
    }


def _plain_range(text: Text, span: Span | None, encoding: Encoding) -> dict[str, dict[str, int]] | None:
    if span is None:
        return None
    found = range_of(text, span, encoding)
    return {
        "start": {"line": found.start.line, "character": found.start.character},
        "end": {"line": found.end.line, "character": found.end.character},
    }
