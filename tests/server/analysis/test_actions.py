"""Code actions: lenses' commands, fixes, and comments that silence, of which Python says whether they still parse."""

from __future__ import annotations

import ast
import re

import pytest

from nst_lsp.analysis.actions import actions
from nst_lsp.analysis.silence import silence
from nst_lsp.analysis.silencing import silencing
from nst_lsp.analysis.text import Text
from tests.server.messages import File, finding, report, span
from tracer.worker.wire import Edit, Fix, Witness

SOURCE = """\
# nst: example(np.ones(3))
# nst: example(np.ones(1))
def f(x):
    y = x + bias
    return y
"""


def offered(file, part, nth=1):
    return actions(file.view, span(file.document.text.source, part, nth), file.told)


def traced(*findings):
    return File(SOURCE).run(f=[report(SOURCE, "np.ones(3)", *findings), report(SOURCE, "np.ones(1)", index=1)])


@pytest.mark.parametrize("part", ["f(x)", "np.ones(3)", "np.ones(1)"])
def test_at_its_head_a_function_offers_what_its_lenses_do(part):
    found = [(one.title, one.call.command, one.call.example) for one in offered(traced(), part)]
    assert found == [
        ("Show graph of f", "nst.showGraph", 0),
        ("Open the graph view of f", "nst.openPage", 0),
        ("Trace this file again", "nst.retrace", None),
        ("Show example 2 of 2", "nst.switchExample", 1),
    ]


def test_within_its_body_it_offers_them_at_findings_only():
    file = traced(finding(SOURCE, "NST204", "bias"))
    assert offered(file, "return y") == []
    assert [one.title for one in offered(file, "bias")][:2] == ["Silence NST204 here", "Show graph of f"]


def test_before_the_first_trace_a_trace_is_offered():
    assert [one.title for one in offered(File(SOURCE), "f(x)")] == ["Trace this file"]


def test_fixes_are_offered_while_they_fit_the_text():
    fix = Fix("pass it in", True, (Edit(span(SOURCE, "bias"), "0"),))
    file = traced(finding(SOURCE, "NST204", "bias", fixes=(fix,)))
    first = offered(file, "bias")[0]
    assert (first.title, first.edits, first.preferred) == ("pass it in", fix.edits, True)
    file.edit("return y", "return y + 1")
    assert offered(file, "bias")[0].title == "Silence NST204 here"


def applied(source, edit):
    start, end = Text(source).offsets(edit.span)
    return source[:start] + edit.text + source[end:]


def parsed(source):
    """The syntax tree; of a text that is no Python, the text without its comments."""
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return re.sub(r"\s*#.*", "", source)


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("y = x + bias", "bias"),
        ("y = x + bias   \n", "bias"),
        ("y = x + bias  # why\n", "bias"),
        ("y = x + bias  # nst: ignore[NST101]\n", "bias"),
        ("y = f(x,\n      bias,\n      z)\n", "bias"),
        ("y = f('''\n''', bias, '''\n''')\n", "bias"),
        ("y = x + \\\n    bias + \\\n    z\n", "bias"),
        ("if bias:\n    pass\n", "bias"),
        ("y = f(\n  bias + '''\n\n''', 1)\n", "bias + '''\n\n'''"),
        ("y = f'''{bias\n}'''\n", "bias"),
        ("y = '𝛼', bias\r\nz = 1\r\n", "bias"),
        ("def f(x):\r\n    return g(\r\n        x + bias\r\n    )\r\n", "x + bias\r\n    "),
        ("y = x + bias  # noqa: E501\n", "bias"),
        ("y = x + bias  # type: ignore[operator]  # pragma: no cover\n", "bias"),
        (
            "class A:\n  def f(self):\n    return [\n      self.bias\n      for _ in '''\n'''\n        ]\n",
            "self.bias",
        ),
        ('def f(x):\n    y = """a\n  b""" % (\n        bias)\n    return y\n', "bias"),
        ("y = x + bias; z = 1\n", "bias"),
        ("for i in bias: pass\n", "bias"),
        ("@g(bias)\ndef f(x): return x\n", "bias"),
        ("y = lambda: (x +\n  bias)\nz = (", "bias"),
    ],
)
def test_the_comment_silences_and_nothing_else_changes(source, part):
    found = finding(source, "NST204", part)
    edit = silencing(Text(source), found)
    after = applied(source, edit)
    assert parsed(after) == parsed(source)
    assert silence(after, [found]) == ([], [one for one in silence(after, [found])[1] if "NST101" in one.message])


def test_a_rule_is_added_to_the_comment_that_is_there():
    source = "y = x + bias  # why  # nst: ignore[NST101]\n"
    after = applied(source, silencing(Text(source), finding(source, "NST204", "bias")))
    assert after == "y = x + bias  # why  # nst: ignore[NST101, NST204]\n"


# ---- static arguments ------------------------------------------------------------------------------

STATIC = """\
class Layer:
    # nst: example(Layer(), np.ones(3), True, 2)
    @decorated
    def f(self, x, training, depth):
        if training:
            return x * depth
        return x
"""


def method(source, code, part, nth=1):
    told = finding(source, code, part, nth, function="Layer.f")
    return File(source).run(**{"Layer.f": [report(source, "np.ones(3)", told)]})


def made_static(source, code, part, nth=1):
    (action,) = [one for one in offered(method(source, code, part, nth), part, nth) if "static" in one.title]
    assert (action.kind, action.mends.code) == ("quickfix", code)
    return action.title, applied(source, *action.edits)


def test_an_argument_is_made_static_above_the_decorators():
    title, after = made_static(STATIC, "NST103", "training", 2)
    assert title == "Make training static"
    assert after == STATIC.replace("    @dec", "    # nst: static(training)\n    @dec")
    assert silence(after, [finding(after, "NST103", "training", 3, function="Layer.f")])[0] == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("static(training)", "static(training, depth)"),
        ("static( training,a )  # why", "static(training, a, depth)  # why"),
        ("static()", "static(depth)"),
    ],
)
def test_it_joins_those_that_are_static(before, now, end):
    source = STATIC.replace("    @dec", f"    # nst: {before}\n    # more\n    @dec").replace("\n", end)
    _, after = made_static(source, "NST202", "depth", 2)
    assert after == source.replace(before, now)
    assert silence(after, [finding(after, "NST202", "depth", 3, function="Layer.f")])[0] == []


@pytest.mark.parametrize(("code", "part"), [("NST103", "if"), ("NST101", "training")])
def test_what_is_no_specialisation_on_an_argument_is_not_made_static(code, part):
    assert [one for one in offered(method(STATIC, code, part, 1), part, 1) if "static" in one.title] == []


# ---- witnesses -------------------------------------------------------------------------------------

NAMED = """\
# nst: example(np.ones(3))
def f(x, n=1, *rest, flag=True, **more):
    return x * n
"""


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        ({"x": "np.zeros(3)"}, "np.zeros(3)"),
        ({"x": "np.zeros(3)", "n": "2", "rest": "(1, 2)"}, "np.zeros(3), 2, *(1, 2)"),
        ({"x": "np.zeros(3)", "flag": "False", "more": "{'a': 1}"}, "np.zeros(3), flag=False, **{'a': 1}"),
        ({"n": "2"}, "n=2"),
        ({"x": "np.ones(3)"}, None),
        ({"x": "np.array([1, ..., 3])"}, None),
        ({"x": "<object>"}, None),
        ({"x": "np.zeros(3)", "bias": "2"}, None),
    ],
)
def test_a_witness_can_become_an_example(arguments, written):
    told = finding(NAMED, "NST202", "n", 3, witness=Witness(arguments, "1", "2"))
    file = File(NAMED).run(f=[report(NAMED, "np.ones(3)", told)])
    found = [one for one in offered(file, "n", 3) if "witness" in one.title]
    assert [one.title for one in found] == (["Add the witness as an example of f"] if written else [])
    for action in found:
        assert applied(NAMED, *action.edits) == NAMED.replace("def f", f"# nst: example({written})\ndef f")
