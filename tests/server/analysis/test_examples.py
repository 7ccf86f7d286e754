"""The examples that a text tells are those that the tracer finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from nst_lsp.analysis.examples import written_examples
from tracer.examples import collect
from tracer.positions import SourceFile

TESTS = Path(__file__).parents[2]
FILES = sorted([*(TESTS / "cases").glob("*.py"), *(TESTS.parent / "examples").rglob("*.py")])

SOURCE = '''\
import numpy as np
from tracer import example

# nst: example(np.ones(3),
#   k=2)
# a word between

@example(np.ones(2))
def f(x, k=1):
    """
    >>> y = np.ones(5)
    >>> f(y)
    >>> z = f(np.zeros(2), k=3)
    """

class A:
    # nst: example(A())
    def g(self): ...
    # nst: example(A())
    h = g
    if True:
        # nst: example(A())
        async def later(self): ...

def outer():
    # nst: example(1)
    def inner(x): ...

# nst: example(1
def not_closed(x): ...
# nst: exampel(1)
# nst: example(1)
# nst: example(2)
def twice(x): ...
text = """
# nst: example(1)
def no(x): ...
"""
'''


def told(text: str) -> list[tuple[str, int, int]]:
    return [(one.function, one.index, one.line) for one in written_examples(text) if not one.annotated]


def traced(text: str, path: str) -> list[tuple[str, int, int]]:
    import ast

    found, _ = collect(SourceFile(path, text, ast.parse(text)))
    return sorted(((one.function, one.index, one.place.span.line) for one in found), key=lambda one: (one[2], one[0]))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_they_are_those_of_the_tracer(path: Path):
    text = path.read_text(encoding="utf-8")
    try:
        expected = traced(text, str(path))
    except SyntaxError:
        expected = []
    assert told(text) == expected


def test_every_form():
    assert told(SOURCE) == traced(SOURCE, "source.py")
    assert len(told(SOURCE)) == 9


def test_annotations_may_make_one():
    source = 'def f(x: Float[np.ndarray, "n"]): ...\n# nst: example(1)\ndef g(x: Float[np.ndarray, "n"]): ...\n'
    assert [(one.function, one.annotated) for one in written_examples(source)] == [("f", True), ("g", False)]
