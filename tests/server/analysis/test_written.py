"""Arguments as they are typed, and examples to be filled in."""

from __future__ import annotations

import pytest

from nst_lsp.analysis.written import problem, template

SOURCE = """\
class Layer:
    def __init__(self, width=2): ...

    @property
    def size(self): ...

    def forward(self, x, /, n: int, *, scale, deep=True): ...

    @staticmethod
    def blur(x, *rest, **more): ...


class Net:
    def __init__(self, layers): ...

    @cached
    async def run(self, x):
        def inner(y): ...


double = lambda x: 2 * x
"""


@pytest.mark.parametrize(
    ("function", "arguments", "told"),
    [
        ("Layer.forward", "Layer(), np.ones(3), 2, scale=1", None),
        ("Layer.forward", "Layer(), np.ones(3), n=2, scale=1, deep=False", None),
        ("Layer.forward", "*WITNESS", None),
        ("Layer.forward", "Layer(), **WITNESS", None),
        ("Layer.forward", "Layer(), np.ones(3), 2, 1", "forward() takes 3 arguments, and 4 are given by position"),
        ("Layer.forward", "Layer(), np.ones(3), 2", "forward() needs scale"),
        ("Layer.forward", "Layer(), np.ones(3), 2, n=3, scale=1", "n is given twice"),
        ("Layer.forward", "Layer(), x=np.ones(3), n=2, scale=1", "forward() has no parameter x"),
        ("Layer.forward", "Layer(), np.ones(3", "not valid Python: '(' was never closed"),
        ("Layer.forward", "", "forward() needs self, x, n, scale"),
        ("Layer.blur", "1, 2, 3, any=4", None),
        ("Layer.blur", "1) + g(2", "not the arguments of one call"),
        ("Layer.blur", "1, # the first", None),
        ("double", "anything, at=all", None),
    ],
)
def test_what_speaks_against_arguments(function, arguments, told):
    found = problem(SOURCE, function, arguments)
    assert found == told or (told and found and told.startswith("not valid Python") and found.startswith("not valid"))


@pytest.mark.parametrize(
    ("part", "above", "snippet"),
    [
        (
            "self, x, /",
            "    def forward",
            "    # nst: example(${1:Layer()}, ${2:np.ones(3)}, ${3:2}, scale=${4:np.ones(3)})\n",
        ),
        ("def blur", "    @staticmethod", "    # nst: example(${1:np.ones(3)})\n"),
        ("def inner", "    @cached", "    # nst: example(${1:Net(…)}, ${2:np.ones(3)})\n"),
    ],
)
def test_an_example_to_fill_in_stands_above_the_function_around_the_cursor(part, above, snippet):
    rows = SOURCE.split("\n")
    line = next(number for number, row in enumerate(rows, 1) if part in row)
    found = template(SOURCE, line)
    assert found is not None
    assert found.edit.text == snippet
    assert rows[found.edit.span.line - 1].startswith(above)


def test_there_is_none_outside_of_functions():
    assert template(SOURCE, 1) is None
    assert template("def f(:\n", 1) is None
