"""Notebooks as an editor keeps them in step: cells as one module, and everything told at the cell it is about."""

from __future__ import annotations

from typing import Any

import pytest_asyncio
from lsprotocol import types as lsp

from nst_lsp import convert
from nst_lsp.analysis.document import Change
from nst_lsp.analysis.text import Text
from tests.server.editor import Editor
from tests.server.several import SHARED, around, diagnostics, hover, own_folder, published, shared, told, workspace

IMPORTS = "%matplotlib inline\nimport numpy as np\nlabel = '𝛼'; bias = np.array([1.0, 2.0, 3.0])\n!ls"
FUNCTION = "# nst: example(np.ones(3))\ndef f(x):\n    s = '𝛼𝛽'; y = x * 2 + bias\n    return y"
OTHER = "# nst: example(np.ones(4))\ndef g(x):\n    if x.shape[0] > 2:\n        return x\n    return -x"
IN_FUNCTION = [("NST204", "bias")]
IN_OTHER = [("NST102", "x.shape[0] > 2")]


class Notebook:
    """A notebook in an editor: what it shows, and the messages that say how it changes."""

    def __init__(self, it: Editor, uri: str, *texts: str) -> None:
        self.it, self.uri, self.version = it, uri, 1
        self.texts: dict[str, str] = {}
        self.order: list[str] = []
        items = [self._new(text) for text in texts]
        cells = [lsp.NotebookCell(lsp.NotebookCellKind.Code, item.uri) for item in items]
        document = lsp.NotebookDocument(uri, "jupyter-notebook", 1, cells)
        it.client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(document, items))

    def _new(self, text: str) -> lsp.TextDocumentItem:
        path = self.uri.partition(":")[2]
        uri = f"vscode-notebook-cell:{path}#W{len(self.texts)}sZmlsZQ%3D%3D"
        self.texts[uri] = text
        self.order.append(uri)
        return lsp.TextDocumentItem(uri, "python", 1, text)

    def edit(self, number: int, part: str, new: str) -> None:
        uri = self.order[number]
        before = self.texts[uri]
        change = lsp.TextDocumentContentChangePartial(around(self.it, before, part), new)
        self.texts[uri] = before.replace(part, new, 1)
        document = lsp.VersionedTextDocumentIdentifier(self.version + 1, uri)
        content = lsp.NotebookDocumentCellContentChanges(document, [change])
        self._changed(lsp.NotebookDocumentCellChanges(text_content=[content]))

    def insert(self, at: int, text: str) -> None:
        item = self._new(text)
        self.order.insert(at, self.order.pop())
        cells = [lsp.NotebookCell(lsp.NotebookCellKind.Code, item.uri)]
        self._spliced(lsp.NotebookCellArrayChange(at, 0, cells), did_open=[item])

    def delete(self, at: int) -> None:
        closed = [lsp.TextDocumentIdentifier(self.order.pop(at))]
        self._spliced(lsp.NotebookCellArrayChange(at, 1), did_close=closed)

    def move(self, at: int, to: int) -> None:
        """Move a cell down, as an editor says it: the cells between by the same ones in another order."""
        self.order.insert(to, self.order.pop(at))
        cells = [lsp.NotebookCell(lsp.NotebookCellKind.Code, uri) for uri in self.order[at : to + 1]]
        self._spliced(lsp.NotebookCellArrayChange(at, to + 1 - at, cells))

    def _spliced(self, array: lsp.NotebookCellArrayChange, **more: Any) -> None:
        structure = lsp.NotebookDocumentCellChangeStructure(array, **more)
        self._changed(lsp.NotebookDocumentCellChanges(structure=structure))

    def _changed(self, cells: lsp.NotebookDocumentCellChanges) -> None:
        self.version += 1
        document = lsp.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        change = lsp.NotebookDocumentChangeEvent(cells=cells)
        self.it.client.notebook_document_did_change(lsp.DidChangeNotebookDocumentParams(document, change))

    def save(self) -> None:
        document = lsp.NotebookDocumentIdentifier(self.uri)
        self.it.client.notebook_document_did_save(lsp.DidSaveNotebookDocumentParams(document))

    def close(self) -> None:
        document = lsp.NotebookDocumentIdentifier(self.uri)
        cells = [lsp.TextDocumentIdentifier(uri) for uri in self.order]
        self.it.client.notebook_document_did_close(lsp.DidCloseNotebookDocumentParams(document, cells))

    def told(self) -> list[list[tuple[Any, str]]]:
        return [told(self.it, uri, self.texts[uri]) for uri in self.order]

    def stale(self) -> list[bool]:
        return [any("(stale)" in one.message for one in diagnostics(self.it, uri)) for uri in self.order]

    async def hover(self, number: int, marked: str) -> str:
        uri = self.order[number]
        return await hover(self.it, uri, self.texts[uri], marked)

    async def lenses(self, number: int) -> list[tuple[int, str]]:
        params = lsp.CodeLensParams(lsp.TextDocumentIdentifier(self.order[number]))
        found = await self.it.client.text_document_code_lens_async(params) or []
        return [(one.range.start.line, one.command.title) for one in found if one.command]

    async def hints(self, number: int) -> list[tuple[int, int]]:
        """Where the inlay hints of a cell stand."""
        cell = lsp.Range(lsp.Position(0, 0), lsp.Position(len(self.texts[self.order[number]].split("\n")), 0))
        params = lsp.InlayHintParams(lsp.TextDocumentIdentifier(self.order[number]), cell)
        found = await self.it.client.text_document_inlay_hint_async(params) or []
        return [(one.position.line, one.position.character) for one in found]

    async def actions(self, number: int, part: str) -> list[lsp.CodeAction]:
        uri = self.order[number]
        where = around(self.it, self.texts[uri], part)
        params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), where, lsp.CodeActionContext([]))
        found = await self.it.client.text_document_code_action_async(params) or []
        return [one for one in found if isinstance(one, lsp.CodeAction)]


it = shared(inlayHints=True)
folder = own_folder()
pytestmark = SHARED


@pytest_asyncio.fixture(loop_scope="module")
async def opened(it, folder):
    async with it.settled():
        book = Notebook(it, (folder / "a b.ipynb").as_uri(), IMPORTS, FUNCTION, OTHER)
    yield book
    book.close()


async def test_findings_hovers_and_lenses_stand_in_their_cells(opened):
    assert opened.told() == [[], IN_FUNCTION, IN_OTHER]
    assert "NST204" in await opened.hover(1, "+ bi|as")
    assert "float64[3]" in await opened.hover(1, "x |* 2")
    assert "NST102" in await opened.hover(2, "x.shape[0] |> 2")
    assert await opened.hover(0, "import n|umpy") == ""
    assert await opened.lenses(0) == []
    assert [line for line, _ in await opened.lenses(1)] == [1, 1]
    assert [line for line, _ in await opened.lenses(2)] == [1, 1]
    assert await opened.hints(1) == [(1, 7), (2, 17), (3, 12)]
    assert await opened.hints(2) == [(1, 7)]  # of several returns none is told


async def test_where_a_hidden_input_is_defined_is_a_place_in_a_cell(opened):
    (finding,) = diagnostics(opened.it, opened.order[1])
    (related,) = [one for one in finding.related_information or () if "defined" in one.message]
    assert related.location.uri == opened.order[0]
    text = Text(IMPORTS)
    assert text.at(convert.span_of(text, related.location.range, opened.it.encoding)).startswith("bias")


async def test_actions_edit_the_cell_they_are_asked_in(opened):
    (silence,) = [one for one in await opened.actions(2, "x.shape[0] > 2") if one.title.startswith("Silence NST102")]
    ((uri, edits),) = silence.edit.changes.items()
    assert uri == opened.order[2]
    line = "    if x.shape[0] > 2:"
    assert (edits[0].range.start, edits[0].new_text) == (lsp.Position(2, len(line)), "  # nst: ignore[NST102]")
    async with opened.it.settled():
        opened.edit(2, line, line + edits[0].new_text)
        opened.save()
    assert opened.told() == [[], IN_FUNCTION, []]


async def test_an_edit_marks_results_stale_and_a_save_renews_them(opened):
    opened.edit(1, "    s =", "    # 𝛼\n    s =")
    await opened.it.until(lambda: opened.stale()[1])
    assert opened.told() == [[], IN_FUNCTION, IN_OTHER]
    assert [line for line, _ in await opened.lenses(2)] == [1, 1]
    async with opened.it.settled():
        opened.save()
    assert (opened.told(), opened.stale()) == ([[], IN_FUNCTION, IN_OTHER], [False] * 3)


async def test_cells_that_come_go_and_move_leave_the_results_of_the_others(opened):
    it = opened.it
    opened.insert(1, OTHER.replace("g(", "h("))
    await it.until(lambda: published(it, opened.order[1]))
    assert opened.told() == [[], [], IN_FUNCTION, IN_OTHER]
    opened.move(1, 3)
    opened.edit(0, "import", "# told again\nimport")
    await it.until(lambda: (told_of := published(it, opened.order[0])) and told_of.version == opened.version)
    assert opened.told() == [[], IN_FUNCTION, IN_OTHER, []]
    opened.delete(1)
    async with it.settled():
        opened.save()
    assert opened.told() == [[], IN_OTHER, IN_OTHER]
    deleted = next(uri for uri in opened.texts if uri not in opened.order)
    assert not diagnostics(it, deleted)


async def test_a_syntax_error_is_told_in_its_cell_and_clears_nothing(opened):
    async with opened.it.settled():
        opened.edit(2, "def g(x):", "def g(x:")
        opened.save()
    first, function, other = opened.told()
    assert (first, function) == ([], IN_FUNCTION)
    assert [code for code, _ in other] == ["NST503", "NST102"]


async def test_graphs_point_into_the_cells(opened):
    about = {"uri": opened.order[1], "position": {"line": 1, "character": 5}}
    graph = await opened.it.execute("nst.graph", about)
    assert (graph["function"], graph["file"]) == ("f", opened.uri)
    places = {(node["uri"], node["range"]["start"]["line"]) for node in graph["nodes"] if node["range"]}
    assert (opened.order[1], 2) in places
    by_name = await opened.it.execute("nst.graph", {"uri": opened.uri, "function": "g"})
    assert by_name["function"] == "g"


async def test_closing_a_notebook_clears_its_cells(opened):
    opened.close()
    await opened.it.until(lambda: opened.told() == [[], [], []])
    assert await opened.hover(1, "+ bi|as") == ""


async def test_a_client_that_asks_for_diagnostics_is_told_those_of_cells(tmp_path):
    async with workspace(tmp_path, pulling=True) as it:
        async with it.settled():
            book = Notebook(it, (tmp_path / "a.ipynb").as_uri(), IMPORTS, FUNCTION)
        assert book.told() == [[], IN_FUNCTION]
        book.close()
        await it.until(lambda: not diagnostics(it, book.order[1]))


async def test_the_folder_of_a_notebook_is_the_root_of_its_imports(it, folder):
    (folder / "__init__.py").touch()
    helper = folder / "helper.py"
    helper.write_text("scale = 3.0\ndef times(x):\n    return x * scale\n")
    text = "import helper\nimport numpy as np\n# nst: example(np.ones(3))\ndef f(x):\n    return helper.times(x)"
    async with it.settled():
        book = Notebook(it, (folder / "numpy.ipynb").as_uri(), text)
    assert book.told() == [[]]
    assert told(it, helper.as_uri(), helper.read_text()) == [("NST205", "scale")]


async def test_a_notebook_without_a_file_is_traced_in_the_first_folder(it):
    (it.folder / "helper.py").write_text("def times(x):\n    return x * 3\n")
    texts = ["from helper import times\nimport numpy as np", FUNCTION.replace("x * 2", "times(x)"), "bias = 1.5"]
    async with it.settled():
        book = Notebook(it, "untitled:Untitled-1.ipynb?jupyter-notebook", *texts)
    assert book.told() == [[], [("NST205", "bias")], []]


async def test_top_level_await_and_ipython_run(it, folder):
    cells = [
        "import asyncio, numpy as np\nawait asyncio.sleep(0)\nscale = 2.0",
        "%%time\nfiles = !ls\n%time shift = 1.0\ndisplay(scale)",
        "%%bash\necho $HOME",
        "np.ones?",
        "# nst: example(np.ones(3))\ndef f(x):\n    return x * scale + shift",
    ]
    async with it.settled():
        book = Notebook(it, (folder / "a.ipynb").as_uri(), *cells)
    assert book.told() == [[], [], [], [], [("NST205", "scale"), ("NST205", "shift")]]


async def test_a_fix_may_edit_several_cells(it, folder):
    cells = [
        "import numpy as np\nbias = 2.0",
        "# nst: example(np.ones(3))\ndef f(x):\n    return x * bias",
        "f(np.ones(2))",
    ]
    async with it.settled():
        book = Notebook(it, (folder / "a.ipynb").as_uri(), *cells)
    (fix,) = [one for one in await book.actions(1, "bias") if one.title.startswith("Make bias a parameter")]
    changes = dict((fix.edit and fix.edit.changes) or {})
    assert {uri: len(edits) for uri, edits in changes.items()} == {book.order[1]: 2, book.order[2]: 1}
    for uri, edits in changes.items():
        text = Text(book.texts[uri])
        for edit in sorted(edits, key=lambda edit: edit.range.start.line, reverse=True):
            text = Change(convert.span_of(text, edit.range, it.encoding), edit.new_text).applied(text)
        book.texts[uri] = text.source
    exec("\n".join(book.texts.values()), {})


async def test_cells_in_other_languages_are_no_part_of_the_module(it, folder):
    uri = (folder / "a.ipynb").as_uri()
    cell = [f"vscode-notebook-cell:{uri[7:]}#{number}" for number in range(3)]
    kinds = [lsp.NotebookCellKind.Markup, lsp.NotebookCellKind.Code, lsp.NotebookCellKind.Code]
    texts = ["# A title", "SELECT *", "import numpy as np\n" + OTHER]
    languages = ["markdown", "sql", "python"]
    items = [lsp.TextDocumentItem(*one) for one in zip(cell, languages, [1, 1, 1], texts, strict=True)]
    document = lsp.NotebookDocument(uri, "jupyter-notebook", 1, list(map(lsp.NotebookCell, kinds, cell)))
    async with it.settled():
        it.client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(document, items))
    assert told(it, cell[2], texts[2]) == IN_OTHER
    assert await hover(it, cell[1], texts[1], "SEL|ECT") == ""


async def test_comments_are_completed_and_examples_written_in_their_cell(it, folder):
    cells = [
        "%matplotlib inline\nimport numpy as np",
        "def g(x, key=1): return x",
        "𝛼 = g(np.ones(3))  # nst: ignore[NST10",
    ]
    async with it.settled():
        book = Notebook(it, (folder / "a.ipynb").as_uri(), *cells)
    (write,) = [one for one in await book.actions(1, "def g") if one.title.startswith("Write an example")]
    assert write.title == "Write an example of g from the call in a.ipynb"
    ((uri, (edit,)),) = ((write.edit and write.edit.changes) or {}).items()
    assert (uri, edit.range.start, edit.new_text) == (book.order[1], lsp.Position(0, 0), "# nst: example(np.ones(3))\n")
    at = lsp.Position(0, len(cells[2].encode("utf-16-le")) // 2)
    found = await it.client.text_document_completion_async(
        lsp.CompletionParams(lsp.TextDocumentIdentifier(book.order[2]), at)
    )
    assert isinstance(found, lsp.CompletionList)
    assert [one.label for one in found.items][:2] == ["NST101", "NST102"]
    assert all(isinstance(one.text_edit, lsp.TextEdit) and one.text_edit.range.end == at for one in found.items)
