"""Code actions: lenses' commands, fixes, and comments that silence, of which Python says whether they still parse."""

from __future__ import annotations

import ast

import pytest

from nst_lsp.analysis.actions import actions, silencing
from nst_lsp.analysis.silence import silence
from nst_lsp.analysis.text import Text
from tests.server.messages import File, finding, report, span
from tracer.worker.wire import Edit, Fix

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
    ],
)
def test_the_comment_silences_and_nothing_else_changes(source, part):
    found = finding(source, "NST204", part)
    edit = silencing(Text(source), found)
    after = applied(source, edit)
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(source))
    assert silence(after, [found]) == ([], [one for one in silence(after, [found])[1] if "NST101" in one.message])


def test_a_rule_is_added_to_the_comment_that_is_there():
    source = "y = x + bias  # why  # nst: ignore[NST101]\n"
    after = applied(source, silencing(Text(source), finding(source, "NST204", "bias")))
    assert after == "y = x + bias  # why  # nst: ignore[NST101, NST204]\n"
