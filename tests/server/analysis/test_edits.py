"""Spans through edits: the text itself says where they belong."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nst_lsp.analysis import edits
from nst_lsp.analysis.document import Change, Document
from nst_lsp.analysis.edits import Edit
from nst_lsp.analysis.text import Text

ORIGINAL = "".join(chr(0x4E00 + index) for index in range(30))
"""Every character once, so that a character says where it came from."""


@st.composite
def histories(draw):
    """Edits one after another, and the text after all of them; what they write is `-`."""
    text, made = ORIGINAL, []
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 5)))
        length = draw(st.integers(0, 4))
        made.append(Edit(start, end, length))
        text = text[:start] + "-" * length + text[end:]
    return made, text


@given(histories(), st.integers(0, 29), st.integers(1, 30))
def test_a_span_keeps_the_characters_that_are_left_of_it(history, start, length):
    made, after = history
    before = ORIGINAL[start : start + length]
    moved = edits.forward(made, start, start + len(before))
    left = [character for character in before if character in after]
    if moved is None:
        assert not left
    elif left:
        covered = after[moved[0] : moved[1]]
        assert [character for character in covered if character != "-"] == left


@given(histories())
def test_every_character_that_is_left_is_found_back(history):
    made, after = history
    for offset, character in enumerate(after):
        then = edits.backward(made, offset)
        assert then == (None if character == "-" else ORIGINAL.index(character))


@given(histories())
def test_merged_edits_are_the_same_change(history):
    made, after = history
    merged = edits.merged(made)
    assert len(merged) <= len(made)
    text = ORIGINAL
    for edit in merged:
        text = text[: edit.start] + "-" * edit.length + text[edit.end :]
    kept = [character for character in after if character != "-"]
    assert len(text) == len(after)
    assert all(character in kept for character in text if character != "-")


def test_a_word_typed_letter_by_letter_is_one_edit():
    assert edits.merged([Edit(5, 5, 1), Edit(6, 6, 1), Edit(7, 7, 1), Edit(7, 8, 0)]) == (Edit(5, 5, 2),)


@given(st.text("ab\n", max_size=12), st.text("ab\n", max_size=12))
def test_one_edit_says_how_texts_differ(before, after):
    edit = edits.replacement(before, after)
    assert before[: edit.start] + after[edit.start : edit.start + edit.length] + before[edit.end :] == after


def test_what_is_typed_at_the_edge_of_a_span_does_not_belong_to_it():
    assert edits.forward([Edit(4, 4, 3)], 4, 8) == (7, 11)
    assert edits.forward([Edit(8, 8, 3)], 4, 8) == (4, 8)
    assert edits.forward([Edit(5, 6, 3)], 4, 8) == (4, 10)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.text("x\n", max_size=3)), max_size=5))
def test_a_document_holds_what_its_changes_say(changes):
    source = "one\ntwo\nthree four\n"
    text = Text(source)
    document = Document("file:///a.py", "/a.py", 1, text, text)
    snapshot = document.snapshot
    for start, length, new in changes:
        start = min(start, len(source))
        document = document.changed(2, [Change(document.text.span(start, min(start + length, len(source))), new)])
        source = source[:start] + new + source[start + length :]
        assert document.text.source == source
    assert document.shift(snapshot).stale == (source != text.source)


def test_a_document_forgets_what_no_result_speaks_of():
    text = Text("one two three")
    document = Document("file:///a.py", "/a.py", 1, text, text)
    old = document.snapshot
    document = document.changed(2, [Change(text.span(0, 0), "zero ")])
    new = document.snapshot
    document = document.changed(3, [Change(document.text.span(0, 0), "- ")])
    kept = document.forgetting(new.revision)
    assert kept.history == document.history[1:]
    assert kept.shift(new) == document.shift(new)
    assert kept.forgetting(kept.revision).history == ()
    two = text.span(4, 7)
    assert document.shift(old).now(two) == kept.shift(old).now(two)  # found by comparing the texts
