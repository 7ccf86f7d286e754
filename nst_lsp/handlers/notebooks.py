"""Notebooks that are opened, changed, saved and closed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types as lsp

from .. import convert
from ..connection import Server
from ..notebooks import Cell, Notebook, cell, with_cells, with_changes
from .documents import is_python, path_to_open


async def opened(ls: Server, params: lsp.DidOpenNotebookDocumentParams) -> None:
    given = params.notebook_document
    path = path_to_open(ls, given.uri)
    if path is not None:
        cells = _cells(given.cells, params.cell_text_documents, ())
        notebook = Notebook(given.uri, path, given.version, tuple(cells))
        ls.session.open(given.uri, path, given.version, notebook.source, notebook)


async def changed(ls: Server, params: lsp.DidChangeNotebookDocumentParams) -> None:
    uri, version, change = params.notebook_document.uri, params.notebook_document.version, params.change.cells
    if change is None:  # of the notebook's own metadata
        return
    if change.structure is not None:
        _reordered(ls, uri, version, change.structure)
    if change.data:
        _retyped(ls, uri, version, change.data)
    for content in change.text_content or ():
        _edited(ls, uri, version, content)


def _reordered(ls: Server, uri: str, version: int, change: lsp.NotebookDocumentCellChangeStructure) -> None:
    notebook = _notebook(ls, uri)
    if notebook is not None:
        start, count = change.array.start, change.array.delete_count
        came = _cells(change.array.cells or (), change.did_open or (), notebook.cells)
        _set(ls, version, *with_cells(notebook, [*notebook.cells[:start], *came, *notebook.cells[start + count :]]))


def _retyped(ls: Server, uri: str, version: int, given: Iterable[lsp.NotebookCell]) -> None:
    notebook = _notebook(ls, uri)
    if notebook is not None:
        code = {one.document: one.kind == lsp.NotebookCellKind.Code for one in given}
        cells = [
            one if code.get(one.uri, one.is_code) == one.is_code
            else cell(one.uri, one.version, one.text.source, is_code=not one.is_code)
            for one in notebook.cells
        ]  # fmt: skip
        _set(ls, version, *with_cells(notebook, cells))


def _edited(ls: Server, uri: str, version: int, content: lsp.NotebookDocumentCellContentChanges) -> None:
    notebook = _notebook(ls, uri)
    text = next((one.text for one in notebook.cells if one.uri == content.document.uri), None) if notebook else None
    if notebook is not None and text is not None:
        changes = convert.changed(text, content.changes, ls.encoding)
        _set(ls, version, *with_changes(notebook, content.document.uri, content.document.version, changes))


def _set(ls: Server, version: int, notebook: Notebook, changes: list[Any]) -> None:
    ls.session.change(notebook.path, version, changes, notebook)


def _notebook(ls: Server, uri: str) -> Notebook | None:
    document = ls.session.knowledge.documents.get(ls.session.knowledge.path_of(uri) or "")
    return document.notebook if document else None


def _cells(
    given: Iterable[lsp.NotebookCell], texts: Iterable[lsp.TextDocumentItem], known: Iterable[Cell]
) -> list[Cell]:
    """The cells with the texts that came along; those that only moved are known."""
    items, known_cells = {one.uri: one for one in texts}, {one.uri: one for one in known}
    return [
        _cell(one, items[one.document])
        if one.document in items
        else known_cells.get(one.document, cell(one.document, 0, "", is_code=False))
        for one in given
    ]


def _cell(given: lsp.NotebookCell, item: lsp.TextDocumentItem) -> Cell:
    is_code = given.kind == lsp.NotebookCellKind.Code and is_python(item)
    return cell(item.uri, item.version, item.text, is_code=is_code)


async def saved(ls: Server, params: lsp.DidSaveNotebookDocumentParams) -> None:
    notebook = _notebook(ls, params.notebook_document.uri)
    if notebook is not None:
        ls.session.save(notebook.path)


async def closed(ls: Server, params: lsp.DidCloseNotebookDocumentParams) -> None:
    notebook = _notebook(ls, params.notebook_document.uri)
    if notebook is not None:
        ls.session.close(notebook.path)
