"""What the syntax tree and the text alone say."""

from __future__ import annotations

import pytest

from nst_lsp.analysis.outline import definitions, may_hold_examples
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
def é(): ...
'''


def test_functions_have_qualified_names_at_their_exact_places():
    found = definitions(SOURCE)
    assert found is not None
    names = [one.name for one in found]
    assert names == [
        "commented", "decorated", "also_decorated", "tested",
        "Layer.forward", "Layer.forward.<locals>.inner", "conditional", "é",
    ]  # fmt: skip
    text = Text(SOURCE)
    assert [text.at(one.name_span) for one in found] == [name.rpartition(".")[2] for name in names]
    assert [one.name for one in found if one.has_example] == names[:5]
    assert found[0].first_line == 5
    assert found[4].parameters == {"self", "args", "y", "kwargs"}


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
    ],
)
def test_each_kind_of_example_is_seen(source):
    assert may_hold_examples(source)


@pytest.mark.parametrize("source", ["", "import numpy\nlaunch_missiles()\n", "# for example\n", "x >>= 1", "a >> b"])
def test_other_files_hold_none(source):
    assert not may_hold_examples(source)
