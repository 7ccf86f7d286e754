"""Diagnostics.  What a client cannot show is said another way: related places go into the message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from lsprotocol import types as lsp

from tracer.rules import Severity
from tracer.worker.wire import Place

from ..analysis.diagnostics import Diagnostic
from .client import Client
from .positions import Encoding, Page, Pages, range_of

SOURCE = "nst"


_SEVERITY = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFORMATION: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}


def diagnostics(
    told: Iterable[Diagnostic], page: Page, pages: Pages, to: Client, encoding: Encoding
) -> list[lsp.Diagnostic]:
    """What the client is told about a page; text that only fades is left out where it cannot fade."""
    shown = [one for one in told if page.text.shows(one.span.line)]
    around = cache(pages)
    return [diagnostic(one, page, around, to, encoding) for one in shown if to.tags or not is_faded(one)]


def is_faded(told: Diagnostic) -> bool:
    return told.unnecessary and not told.finding


def diagnostic(told: Diagnostic, page: Page, pages: Pages, to: Client, encoding: Encoding) -> lsp.Diagnostic:
    related = [found for one in told.related for found in _related(one.place, one.message, pages, encoding)]
    link = page_link(told.code) if to.links else None
    message = told.message
    if not to.related_information:
        message = "\n".join([message, *(f"{one.message} ({_where(one.place, pages)})" for one in told.related)])
    return lsp.Diagnostic(
        range=range_of(page.text, told.span, encoding),
        severity=_SEVERITY[told.severity],
        code=told.code,
        code_description=lsp.CodeDescription(link) if link else None,
        source=SOURCE,
        message=message,
        tags=[lsp.DiagnosticTag.Unnecessary] if told.unnecessary else None,
        related_information=related if related and to.related_information else None,
    )


def _related(at: Place, message: str, pages: Pages, encoding: Encoding) -> Iterator[lsp.DiagnosticRelatedInformation]:
    for page in pages(at.path):
        if page.text.shows(at.span.line):
            where = lsp.Location(page.uri, range_of(page.text, at.span, encoding))
            yield lsp.DiagnosticRelatedInformation(where, message)


def _where(at: Place, pages: Pages) -> str:
    """File and line; in a notebook, the line of the cell."""
    first = next((page.text.first for page in pages(at.path) if page.text.shows(at.span.line)), 1)
    return f"{Path(at.path).name}:{max(at.span.line - first, 0) + 1}"


_PAGES = (Path(__file__).parents[1] / "rules", Path(__file__).parents[2] / "docs" / "rules")
"""Where the rules' pages are: in an installed wheel, in a checkout."""


@cache
def page_link(code: str) -> str | None:
    """The address of a rule's page."""
    pages = (folder / f"{code}.md" for folder in _PAGES)
    return next((page.as_uri() for page in pages if page.is_file()), None)
