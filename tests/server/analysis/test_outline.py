"""What the syntax tree and the text alone say."""

from __future__ import annotations

import pytest

from nst_lsp.analysis.outline import definitions, may_hold_examples, tells_shapes
from nst_lsp.analysis.text import Text

SOURCE = '''\
import tracer
from tracer import example

# nst: example(1)
@decorated
def commented(x): ...

@example(1)
def decorated(x): ...

@tracer.example(1)
async def also_decorated(x): ...

def tested(x):
    """Twice.

    >>> tested(1)
    """

class Layer:
    # nst: example(Layer(), 1)
    def forward(self, *args, y=1, **kwargs):
        def inner(): ...

if True:
    def conditional(): ...  # 𝛼
def annotated(
    x: Float[np.ndarray, "b 4"],
    k: int = 1,
): ...
def é(): ...
'''


def test_functions_have_qualified_names_at_their_exact_places():
    found = definitions(SOURCE)
    assert found is not None
    names = [one.name for one in found]
    assert names == [
        "commented", "decorated", "also_decorated", "tested",
        "Layer.forward", "Layer.forward.<locals>.inner", "conditional", "annotated", "é",
    ]  # fmt: skip
    text = Text(SOURCE)
    assert [text.at(one.name_span) for one in found] == [name.rpartition(".")[2] for name in names]
    assert [one.name for one in found if one.has_example] == names[:5]
    assert found[0].first_line == 5
    assert [one.name for one in found if one.is_annotated] == ["annotated"]
    assert found[4].parameters == {"self", "args", "y", "kwargs"}
    assert [found[7].heads(found[7].first_line + lines) for lines in (-1, 0, 2, 4)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("annotation", "is_one"),
    [
        ('Float[np.ndarray, "b 4"]', True),
        ('jaxtyping.Float32[np.ndarray, ""]', True),
        ("'Float[np.ndarray, \"b\"] | None'", True),
        ('tuple[Float[np.ndarray, "b"], ...]', True),
        ("Annotated[np.ndarray, spec((3, 4))]", True),
        ("Annotated[np.ndarray, tracer.spec('b 4')]", True),
        ("np.ndarray", False),
        ("NDArray[np.float32]", False),
        ("dict[str, int]", False),
        ("'not Python('", False),
    ],
)
def test_annotations_that_look_like_an_example(annotation, is_one):
    (found,) = definitions(f"def f(x: {annotation}): ...") or ()
    assert (found.is_annotated, found.has_example) == (is_one, False)


def test_a_text_that_does_not_parse_has_no_outline():
    assert definitions("def f(:") is None
    assert definitions("\0") is None


@pytest.mark.parametrize(
    "source",
    [
        "# nst: example(1)\ndef f(x",
        "#nst:example(1)",
        "@tracer.example(1)",
        "    @example(x)",
        "  >>> f(1)",
        '"""\n>>> f(1)\n"""',
        '    """>>> f(1)"""',
        "def f(x: Annotated[np.ndarray, spec((3, 4))]): ...",
        "from jaxtyping import Float",
        "def f(x: np.ndarray[tuple[int, int], np.dtype[np.float64]]): ...",
    ],
)
def test_each_kind_of_example_is_seen(source):
    assert may_hold_examples(source)


@pytest.mark.parametrize(
    "source",
    ["def f(x: np.ndarray): ...", "def f(x: 'NDArray'): ...", "def f(x: list[np.ndarray]): ...", "A = NDArray[Any]"],
)
def test_arrays_whose_rank_is_open_are_examples_where_ranks_are_told(source):
    assert tells_shapes(source, ranked=True)
    assert not may_hold_examples(source)
    assert not tells_shapes("isinstance(x, np.ndarray)", ranked=True)


@pytest.mark.parametrize("source", ["", "import numpy\nlaunch_missiles()\n", "# for example\n", "x >>= 1", "a >> b"])
def test_other_files_hold_none(source):
    assert not may_hold_examples(source)
