"""What the text alone tells of our comments; of examples, the tracer is asked whether it says the same."""

from __future__ import annotations

import ast

import pytest

from nst_lsp.analysis.diagnostics import diagnostics
from nst_lsp.analysis.places import Places
from nst_lsp.analysis.syntax import bad_examples
from nst_lsp.analysis.text import Text
from nst_lsp.analysis.traced import Traced
from nst_lsp.settings import Settings
from tests.server.messages import PATH, File, finding
from tracer.examples import collect
from tracer.positions import SourceFile
from tracer.rules import Severity


def told(source):
    """Code, covered text and message of what is said of a file that never ran."""
    said = diagnostics(PATH, source, [Traced(PATH)], Places({}), Settings(), "/project")
    return [(one.code, Text(source).at(one.span), one.message) for one in said]


@pytest.mark.parametrize(
    "source",
    [
        "# nst: example(1)\ndef f(x): ...\n",
        "# nst: example(1\ndef f(x): ...\n",
        "# nst: example(1) + 2\ndef f(x): ...\n",
        "# nst: example(1,\n#   2)\n\n# more\n@g(\n  1)\ndef f(x): ...\n",
        "# nst: example(1,\n#   2\ndef f(x): ...\n",
        "# nst: example(1,\n# nst: example(2)\ndef f(x): ...\n",
        "# nst: example()\nclass A:\n    # nst: example(1)\n    x = 1\n    # nst: example(2)\n    y: int = 2\n",
        "# nst: example(1)\n",
        "# nst: example(1)\nx += 1\n# nst: example(2)\na, b = 1, 2\n# nst: example(3)\nfor i in (): pass\n",
        "if x:\n  # nst: example(1)\n  def f(): ...\nelse:\n  # nst: example(1)\n  f = g\n  # nst: example(2)\n",
        "def outer():\n    # nst: example(1)\n    def inner(): ...\n",
        "# nst: exmaple(1)\n# NST: example(1)\n# nst: static(x)\ndef f(x): ...  # nst: other\n",
        "'''\n# nst: example(1\n'''\nx = '# nst: exmaple'\n",
        "y = 1; # nst: example(\ndef f(x): ...\n",
        "# nst: example(np.ones(3), 'ü𝛼'\r\ndef f(x): ...\r\n",
        "# nst: example(lambda: (yield))\ndef f(x): ...\n",
        "# nst: example(*a, **b, c=1, *d)\ndef f(x): ...\n# nst: example(c=1, 2)\ndef g(): ...\n",
    ],
)
def test_examples_are_judged_as_the_tracer_judges_them(source):

    _, misplaced = collect(SourceFile(PATH, source, ast.parse(source)))
    expected = [(one.place.span, one.message) for one in misplaced]
    assert [(one.place.span, one.message) for one in bad_examples(source, PATH)] == expected


def test_a_text_that_is_no_python_says_nothing_of_places():
    assert told("# nst: example(1)\nx = 1\ny = (\n") == []
    ((code, text, _),) = told("# nst: example(1\nx = 1\ny = (\n")
    assert (code, text) == ("NST502", "# nst: example(1")


COMMENTS = """\
class Layer:
    # nst: static(training, depht)
    # more
    @decorated
    def f(self, x, training, depth):
        return x  # why  # nst: ignore[NST101, NST999, captured-array, NST2]

    # nst: static(x)

    def g(self, x, **more):
        return "# nst: ignore[NST998]"
"""


def test_names_that_mean_nothing_are_told():
    assert [one[2] for one in told("# nst: static(depht)\ndef f(depth): ...  # nst: ignore[captured-aray]\n")] == [
        "there is no rule `captured-aray`; did you mean `captured-array`?",
        "f has no parameter `depht`; did you mean `depth`?",
    ]
    assert [one[:2] for one in told(COMMENTS)] == [
        ("unknown-rule", "NST999"),
        ("unknown-argument", "depht"),
        ("unknown-argument", "# nst: static(x)"),
    ]


BAD = "# nst: example(1\ndef f(x):\n    return x  # nst: ignore[NST999]\n"


def test_a_trace_that_says_the_same_is_no_second_finding():
    traced = finding(
        BAD, "NST502", "# nst: example(1", severity=Severity.ERROR, message="the example is not valid Python: x"
    )
    file = File(BAD)
    file.receive(file.loaded("f", findings=(traced,)))
    assert [(one.code, one.message) for one in file.told] == [
        ("NST502", "bad-example: the example is not valid Python: x"),
        ("unknown-rule", "there is no rule `NST999`"),
    ]


def test_what_the_text_refutes_is_gone_before_the_next_trace():
    traced = finding(BAD, "NST502", "# nst: example(1", message="the example is not valid Python: x")
    other = finding(BAD, "NST502", "# nst: example(1", message="the example cannot be evaluated: x")
    for known, left in ((traced, []), (other, ["NST502"])):
        file = File(BAD)
        file.receive(file.loaded("f", findings=(known,)))
        file.edit("(1", "(1)")
        assert [one.code for one in file.told if one.code == "NST502"] == left


def test_excluded_files_are_left_alone():
    said = diagnostics(PATH, BAD, [Traced(PATH)], Places({}), Settings(exclude=("model.py",)), "/project")
    assert said == []
