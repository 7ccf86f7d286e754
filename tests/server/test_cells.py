"""A notebook as one module: magics, and changes of cells as changes of the module; positions in every unit."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from nst_lsp import convert
from nst_lsp.analysis.document import Change, Document
from nst_lsp.analysis.text import Text
from nst_lsp.notebooks import Notebook, cell, cell_texts, python_lines, with_cells, with_changes
from tests.server.messages import span

# ---- what only IPython understands -----------------------------------------------------------------

MAGICS = {
    "%matplotlib inline\nx = 1": "pass\nx = 1",
    "!pip install \\\n  numpy\nx = 1": "pass\n\nx = 1",
    "for i in y:\n    !echo {i}\n    %cd {i}\n": "for i in y:\n    pass\n    pass\n",
    "%%bash\necho $HOME\n": "\n\n",
    "\n%%timeit\nf()": "\n\n",
    "%%time\nx = f()": "# time\nx = f()",
    "%time y = f(x, 1)": "if 1: y = f(x, 1)",
    "%prun   y = f(x)": "if 1:   y = f(x)",
    "np.ones?": "pass",
    "?np.ones\nx = 1": "pass\nx = 1",
    "%timeit?": "pass",
    "files = !ls *.py": "files = None",
    "now = %time f()": "now = None",
    "x = (a\n  % b)\n!ls": "x = (a\n  % b)\npass",
    "x = a \\\n  % b\n!ls": "x = a \\\n  % b\npass",
    's = """\n%magic\n!ls?\n"""\n!ls': 's = """\n%magic\n!ls?\n"""\npass',
    "s = 'a?'; t = \"%x\"  # really?\n!ls": "s = 'a?'; t = \"%x\"  # really?\npass",
    "if a:  # '''\n    %load x\nb = 5 % 3": "if a:  # '''\n    pass\nb = 5 % 3",
    "await f()\nasync with g() as h: pass": "await f()\nasync with g() as h: pass",
    "def f(x:\n    pass": "def f(x:\n    pass",
    "\ufeffx = 1": "\fx = 1",
    "": "",
}


@pytest.mark.parametrize("text", MAGICS)
def test_magics_become_statements_that_do_nothing(text):
    assert "\n".join(python_lines(Text(text))) == MAGICS[text]


@given(st.text("abx=+%!?()[]'\"#\\ \n\r\t𝛼", max_size=60))
def test_a_cell_has_as_many_lines_as_the_editor_counts_and_no_column_moves(text):
    before, after = Text(text), python_lines(Text(text))
    assert len(after) == len(before.starts)
    for number, line in enumerate(after, 1):
        shown = before.line(number)
        if line != shown and line.strip() not in ("", "pass"):
            assert line.startswith("# ") or line.lstrip().startswith("if 1:") or re.search(r"=\s*None$", line)


# ---- changes ---------------------------------------------------------------------------------------

SOURCES = st.sampled_from(
    ["x = 1", "x = 1\n", "", "def f(x):\n    return x", "!ls\ny = 2", "# 𝛼\r\nz = 3", "x = 1\rw = 4"]
)


def notebook(*texts: str) -> Notebook:
    return Notebook("n", "/n.ipynb", 1, tuple(cell(str(at), 1, text, is_code=True) for at, text in enumerate(texts)))


def applied(before: Notebook, changes: list[Change]) -> Document:
    text = Text(before.source)
    return Document("n", "/n.ipynb", 1, text, saved=text).changed(2, changes)


@given(st.lists(SOURCES, min_size=1, max_size=4), st.data())
def test_a_change_of_a_cell_is_a_change_of_the_module(texts, data):
    before = notebook(*texts)
    at = data.draw(st.integers(0, len(texts) - 1))
    text = before.cells[at].text
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text.source))] * 2)))
    change = Change(data.draw(st.sampled_from([None, text.span(start, end)])), data.draw(SOURCES))
    after, changes = with_changes(before, str(at), 2, [change])
    assert after.cells[at].text == change.applied(text)
    assert applied(before, changes).text.source == after.source


@given(st.lists(SOURCES, min_size=1, max_size=5), st.data())
def test_any_other_cells_are_a_change_of_the_module(texts, data):
    before = notebook(*texts)
    kept = data.draw(st.lists(st.sampled_from(before.cells), unique_by=lambda one: one.uri))
    new = [cell(f"new {at}", 1, text, is_code=True) for at, text in enumerate(data.draw(st.lists(SOURCES, max_size=2)))]
    after, changes = with_cells(before, data.draw(st.permutations([*kept, *new])))
    document = applied(before, changes)
    assert document.text.source == after.source


def test_cells_that_stay_keep_their_places():
    texts = ["import numpy", "def f(x):\n    return x", "def f(y):\n    return y", "def f(z):\n    return z"]
    before = notebook(*texts)
    text = Text(before.source)
    document = Document("n", "/n.ipynb", 1, text, saved=text)
    spans = {name: span(text.source, f"return {name}") for name in "xyz"}
    new = cell("new", 1, "def f(x):\n    return x\n\n", is_code=True)
    moved = [before.cells[0], new, before.cells[2], before.cells[3], before.cells[1]]  # the first function to the end
    after, changes = with_cells(before, moved)
    shift = document.changed(2, changes).shift(document.snapshot)
    assert {name: shift.now(spans[name]) for name in "yz"} == {
        name: span(after.source, f"return {name}") for name in "yz"
    }


def test_the_module_parses_and_cells_show_their_part():
    book = notebook("%matplotlib inline\nimport numpy", "x = 1\n", "y = 2")
    ast.parse(book.source)
    whole = Text(book.source)
    (_, first), (_, second), (_, third) = cell_texts(book, whole)
    assert convert.position(second, 4, 1, "utf-16") == lsp.Position(0, 0)
    assert convert.place(second, lsp.Position(0, 3), "utf-16") == (4, 4)
    assert convert.place(second, lsp.Position(9, 0), "utf-16") == (5, 1)  # beyond the cell is its end
    shown = [[one.shows(line) for one in (first, second, third)].index(True) for line in range(1, 8)]
    assert shown == [0, 0, 0, 1, 1, 2, 2]


# ---- positions -------------------------------------------------------------------------------------

LETTERS = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("e\u0301𝛼🐍👩\u200d💻\u2028\f\r\n\t")),
    max_size=40,
)
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@given(LETTERS, st.sampled_from(list(CODECS)), st.data())
def test_positions_are_those_that_an_encoder_counts(source, encoding, data):
    text = Text(source)
    line = data.draw(st.integers(1, len(text.starts)))
    column = data.draw(st.integers(1, len(text.line(line)) + 1))
    codec, size = CODECS[encoding]
    found = convert.position(text, line, column, encoding)
    assert found == lsp.Position(line - 1, len(text.line(line)[: column - 1].encode(codec)) // size)
    assert convert.place(text, found, encoding) == (line, column)


@given(LETTERS, st.sampled_from(list(CODECS)), st.integers(0, 50), st.integers(0, 200))
def test_every_position_of_a_client_is_somewhere_in_the_text(source, encoding, line, character):
    text = Text(source)
    found = convert.place(text, lsp.Position(line, character), encoding)
    assert text.position(text.offset(*found)) == found


@given(
    LETTERS,
    st.sampled_from(list(CODECS)),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), LETTERS), max_size=4),
)
def test_a_clients_changes_lead_to_the_clients_text(source, encoding, edits):
    before, expected, events = Text(source), source, []
    for one, other, new in edits:
        now = Text(expected)
        start, end = sorted((min(one, len(expected)), min(other, len(expected))))
        where = now.span(start, end)
        start, end = now.offsets(where)  # within a line's end there is no position
        events.append(lsp.TextDocumentContentChangePartial(convert.range_of(now, where, encoding), new))
        expected = expected[:start] + new + expected[end:]
    text = before
    for change in convert.changed(before, events, encoding):
        text = change.applied(text)
    assert text.source == expected
