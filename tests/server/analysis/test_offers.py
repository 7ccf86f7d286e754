"""Examples that could be written: the questions, the comments that answer them, and that those are found again."""

from __future__ import annotations

import ast

import pytest

from nst_lsp.analysis.actions import actions
from nst_lsp.analysis.calls import Found
from nst_lsp.analysis.offers import guessed
from nst_lsp.analysis.outline import definitions
from tests.server.messages import PATH, File, place, report, span
from tracer.specs import Spec, spec
from tracer.worker.wire import ModuleLoaded, Offer

SOURCE = """\
import numpy as np
from numpy.typing import NDArray


def first(x): ...


class Layer:
    @staticmethod
    def blur(
        image: NDArray[np.float32], other: np.ndarray
    ):
        return image
"""


def titles(file, part):
    return [one.title for one in actions(file.view, span(file.document.text.source, part), file.told)]


def applied(file, title, part):
    """The text after an action."""
    source = file.document.text.source
    (action,) = [one for one in actions(file.view, span(source, part), file.told) if one.title == title]
    (edit,) = action.edits
    start, end = file.document.text.offsets(edit.span)
    return source[:start] + edit.text + source[end:]


def test_a_file_that_was_not_run_is_asked_by_its_text():
    file = File(SOURCE)
    assert titles(file, "def first") == []
    assert titles(file, "return image") == []
    questions = [f"Trace Layer.blur with image and other of {rank}" for rank in ("1 dimension", "2 dimensions")]
    assert titles(file, "image: ")[:2] == titles(file, "@static")[:2] == titles(file, "blur")[:2] == questions


def test_the_answer_is_a_comment_above_the_decorators():
    after = applied(File(SOURCE), "Trace Layer.blur with image and other of 2 dimensions", "blur")
    expected = '    # nst: example(spec((3, 5), "float32"), spec((3, 5)))\n    @staticmethod\n'
    assert after == SOURCE.replace("    @staticmethod\n", expected)
    (found,) = [one for one in definitions(after) or () if one.name == "Layer.blur"]
    assert found.has_example
    assert titles(File(after), "def blur") == ["Trace this file"]


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_the_offered_arrays_have_distinct_sizes_that_do_not_broadcast(rank):
    offer = guessed(SOURCE, PATH)[rank - 1]
    image, other = eval(f"({offer.arguments})", {"spec": spec})
    assert isinstance(image, Spec)
    assert (offer.rank, len(image.shape), str(image.dtype), other.shape) == (rank, rank, "float32", image.shape)
    assert len({*image.shape}) == rank
    assert min(image.shape) > 2


@pytest.mark.parametrize(
    ("parameters", "arguments"),
    [
        ("x: np.ndarray", "spec(3)"),
        ("x: numpy.ndarray | None", "spec(3)"),
        ("x: Optional[np.ndarray]", "spec(3)"),
        ("x: 'np.ndarray'", "spec(3)"),
        ("x: Image", 'spec(3, "uint8")'),
        ("x: npt.ArrayLike", "spec(3)"),
        ("x: npt.NDArray[np.floating[Any]]", "spec(3)"),
        ("x: npt.NDArray[np.bool_]", 'spec(3, "bool")'),
        ("x: npt.NDArray[np.integer]", 'spec(3, "int64")'),
        ("x: np.ndarray[Any, np.dtype[np.complex64]]", 'spec(3, "complex64")'),
        ("x: np.ndarray, k: int, p: float, flag: bool, f", "spec(3), 2, 0.5, True, f"),
        ("x: np.ndarray, k=3, *, y: np.ndarray, z: int = 1", "spec(3), y=spec(3)"),
        ("x: np.ndarray, *more: int, **named: int", "spec(3)"),
        ("k: int", None),
        ("x", None),
        ("x: np.ndarray = None", None),
        ("x: list[np.ndarray]", None),
        ("x: Endless", None),
    ],
)
def test_what_the_text_of_an_annotation_tells(parameters, arguments):
    source = f"Image = NDArray[np.uint8]\nEndless = Endless\ndef f({parameters}): ...\n"
    assert [one.arguments for one in guessed(source, PATH)[:1]] == ([arguments] if arguments else [])


def test_methods_are_asked_about_where_their_object_can_be_made():
    source = """
class Plain:
    def __init__(self, size=3): ...
    def method(self, x: np.ndarray): ...
class Needing:
    def __init__(self, size): ...
    def method(self, x: np.ndarray): ...
class Derived(Base):
    def method(self, x: np.ndarray): ...
def outer():
    def inner(x: np.ndarray): ...
async def later(x: np.ndarray): ...
"""
    assert [(one.function, one.arguments) for one in guessed(source, PATH)] == [
        ("Plain.method", "Plain(), spec(3)"),
        ("Plain.method", "Plain(), spec((3, 5))"),
        ("Plain.method", "Plain(), spec((3, 5, 7))"),
    ]


def test_of_a_file_that_was_loaded_the_worker_knows_better():
    file = File(SOURCE)
    offer = Offer("first", place(SOURCE, "first"), (), None, "spec(3), k=2")
    file.receive(ModuleLoaded(1, offers=(offer,)))
    assert titles(file, "def blur") == []
    assert titles(file, "def first") == ["Write an example of first"]
    after = applied(file, "Write an example of first", "def first")
    assert after == SOURCE.replace("def first", "# nst: example(spec(3), k=2)\ndef first")


def test_an_example_of_annotations_can_be_written_down():
    source = 'def f(x: Float[np.ndarray, "a"]):\n    return x + 1\n'
    made = report(source, "f", origin="annotation", place=place(source, "f", 2))
    file = File(source).run(f=[made])
    title = "Write the example of f as a comment"
    assert title in titles(file, "f(x")
    assert title not in titles(file, "return")
    after = applied(file, title, "f(x")
    assert after == f"# nst: example(f)\n{source}"
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(source))
    file.edit("def f", "# nst: example(1)\ndef f")
    assert title not in titles(file, "f(x")


@pytest.mark.parametrize(
    ("parameters", "arguments"),
    [
        ("x=np.ones(3)", "np.ones(3)"),
        ("x=np.ones(3), k=2, *, y=np.zeros((2, 2)), flag=False", "np.ones(3), 2, y=np.zeros((2, 2)), flag=False"),
        ("x, y=np.ones(3)", None),
        ("k=2, x=None", None),
        ("", None),
    ],
)
def test_defaults_are_arguments_where_every_parameter_has_one(parameters, arguments):
    source = f"import numpy as np\ndef f({parameters}): ...\n"
    file, title = File(source), "Write an example of f"
    assert titles(file, "def f") == ([title] if arguments else [])
    if arguments:
        assert applied(file, title, "def f") == source.replace("def", f"# nst: example({arguments})\ndef")


def test_calls_in_the_file_and_elsewhere_make_examples():
    source = "import numpy as np\ndef f(x): ...\nf(np.ones(2))\n"
    found = [Found("np.ones(4), k=1", "/project/tests/test_model.py", 12)]
    offered = actions(File(source).view, span(source, "def f"), [], found)
    assert [(one.title, one.kind, one.deferred) for one in offered] == [
        ("Write an example of f from the call in model.py:3", "refactor.rewrite", False),
        ("Write an example of f from the call in test_model.py:12", "refactor.rewrite", True),
    ]
    written = ["# nst: example(np.ones(2))\n", "# nst: example(np.ones(4), k=1)\n"]
    assert [one.edits[0].text for one in offered] == written
