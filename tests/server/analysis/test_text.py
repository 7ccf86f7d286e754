"""Positions against what Python itself says: its encoders and its slices."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from nst_lsp import convert
from nst_lsp.analysis.text import Text
from tracer.worker.wire import Span

TEXTS = st.text(st.sampled_from("ab é\u2028\f\n\r𝛼\N{COMBINING ACUTE ACCENT}漢\t"), max_size=40)
WIDTH = {
    "utf-8": lambda text: len(text.encode()),
    "utf-16": lambda text: len(text.encode("utf-16-le")) // 2,
    "utf-32": len,
}


@given(TEXTS, st.data())
def test_an_offset_is_found_again_by_its_position(source, data):
    text = Text(source)
    offset = data.draw(st.integers(0, len(source)))
    line, column = text.position(offset)
    inside_line_end = source[offset - 1 : offset + 1] == "\r\n" or column > len(text.line(line)) + 1
    assert inside_line_end or text.offset(line, column) == offset


def test_lines_end_where_python_ends_them():
    text = Text("a\fb\u2028c\r\nd\re\n")
    assert [text.line(number) for number in range(1, 6)] == ["a\fb\u2028c", "d", "e", "", ""]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@given(source=TEXTS, data=st.data())
def test_columns_are_counted_in_the_clients_units(encoding, source, data):
    text = Text(source)
    line, column = text.position(data.draw(st.integers(0, len(source))))
    column = min(column, len(text.line(line)) + 1)
    at = convert.position(text, line, column, encoding)
    assert at == lsp.Position(line - 1, WIDTH[encoding](text.line(line)[: column - 1]))
    assert convert.place(text, at, encoding) == (line, column)


def test_a_position_outside_the_text_is_its_nearest_place():
    text = Text("one\ntwo")
    assert convert.span_of(text, lsp.Range(lsp.Position(0, 99), lsp.Position(9, 9)), "utf-16") == Span(1, 4, 2, 4)
    assert text.offsets(Span(1, 4, 10, 1)) == (3, 7)
    assert text.offsets(Span(0, 0, 1, 0)) == (0, 0)
