"""Diagnostics for clients that ask for them, of one file and of all that are known.

Only clients that ask again when they are told to are offered this (`Client.pull_diagnostics`), and only they are
not sent any.  A notebook's are sent to all, as clients do not ask for those of cells.
"""

from __future__ import annotations

from lsprotocol import types as lsp

from .. import convert
from ..connection import Server
from ..convert import pulled as to_lsp

Report = lsp.RelatedFullDocumentDiagnosticReport | lsp.RelatedUnchangedDocumentDiagnosticReport


async def document_diagnostic(ls: Server, params: lsp.DocumentDiagnosticParams) -> Report:
    path = ls.path_of(params.text_document.uri)
    if path is not None:
        await ls.session.showing.typed(path)  # the client asks after every keystroke, and moves what it shows by itself
    page = _page(ls, path) if path in ls.session.showing.spoken_of() else None
    return to_lsp.report(_told(ls, path, page), params.previous_result_id)


async def workspace_diagnostic(ls: Server, params: lsp.WorkspaceDiagnosticParams) -> lsp.WorkspaceDiagnosticReport:
    before = {one.uri: one.value for one in params.previous_result_ids}
    items = []
    for path in sorted(ls.session.showing.spoken_of()):
        page = _page(ls, path)
        if page is not None:
            told = _told(ls, path, page)
            items.append(to_lsp.workspace_report(page.uri, page.version, told, before.pop(page.uri, None)))
    gone = [to_lsp.workspace_report(uri, None, [], known) for uri, known in before.items()]
    return lsp.WorkspaceDiagnosticReport([*items, *gone])


def _page(ls: Server, path: str | None) -> convert.Page | None:
    document = ls.session.knowledge.documents.get(path or "")
    is_notebook = document is not None and document.notebook is not None
    return None if path is None or is_notebook else ls.pages(path)[0]


def _told(ls: Server, path: str | None, page: convert.Page | None) -> list[lsp.Diagnostic]:
    if path is None or page is None:
        return []
    return convert.diagnostics(ls.session.knowledge.diagnostics(path), page, ls.pages, ls.client, ls.encoding)
