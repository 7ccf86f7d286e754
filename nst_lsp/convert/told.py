"""Diagnostics.  What a client cannot show is said another way: related places go into the message."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from lsprotocol import types as lsp

from tracer.rules import Severity
from tracer.worker.wire import Place

from ..analysis.diagnostics import Diagnostic
from .client import Client
from .positions import Encoding, Texts, range_of, uri_of

SOURCE = "nst"


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


_PAGES = (Path(__file__).parents[1] / "rules", Path(__file__).parents[2] / "docs" / "rules")
"""Where the rules' pages are: in an installed wheel, in a checkout."""


@cache
def page_link(code: str) -> str | None:
    """The address of a rule's page."""
    pages = (folder / f"{code}.md" for folder in _PAGES)
    return next((page.as_uri() for page in pages if page.is_file()), None)
