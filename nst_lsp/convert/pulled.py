"""Reports of diagnostics that were asked for: whole, or unchanged since the answer that the client names."""

from __future__ import annotations

import hashlib

from lsprotocol import types as lsp


def report(
    told: list[lsp.Diagnostic], before: str | None
) -> lsp.RelatedFullDocumentDiagnosticReport | lsp.RelatedUnchangedDocumentDiagnosticReport:
    """The report of one document; `before` names the answer that the client has."""
    name = _name(told)
    if name == before:
        return lsp.RelatedUnchangedDocumentDiagnosticReport(name)
    return lsp.RelatedFullDocumentDiagnosticReport(told, result_id=name)


def workspace_report(
    uri: str, version: int | None, told: list[lsp.Diagnostic], before: str | None
) -> lsp.WorkspaceFullDocumentDiagnosticReport | lsp.WorkspaceUnchangedDocumentDiagnosticReport:
    """The same among those of the workspace; a version where the client has the document open."""
    name = _name(told)
    if name == before:
        return lsp.WorkspaceUnchangedDocumentDiagnosticReport(uri, name, version)
    return lsp.WorkspaceFullDocumentDiagnosticReport(uri, told, version, result_id=name)


def _name(told: list[lsp.Diagnostic]) -> str:
    """The same diagnostics have the same name, whenever they are found."""
    return hashlib.blake2s(repr(told).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
