"""Comments that silence: `# nst: ignore[…]`, `# nst: static(…)`."""

from __future__ import annotations

import pytest

from nst_lsp.analysis.silence import silence
from nst_lsp.analysis.text import Text
from tests.server.messages import finding, place
from tracer.worker.wire import Related


def codes(source, findings):
    return [one.code for one in silence(source, findings)[0]]


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("# nst: ignore", []),
        ("# nst: ignore[NST204]", ["NST101"]),
        ("# nst: ignore[NST204, NST101]", []),
        ("#nst:ignore[captured-array]", ["NST101"]),
        ("# fast path  # nst: ignore[NST2]", ["NST101"]),
        ("# nst: ignored", ["NST101", "NST204"]),
        ("# ignore", ["NST101", "NST204"]),
    ],
)
def test_a_comment_silences_the_rules_it_names_on_its_line(comment, left):
    source = f"def f(x):\n    if x.sum() > bias:  {comment}\n        return x\n    return x + bias\n"
    found = [finding(source, "NST101", "x.sum() > bias"), finding(source, "NST204", "bias")]
    assert codes(source, found) == left


def test_other_lines_are_not_silenced():
    source = "a = x + bias  # nst: ignore\nb = x + bias\n"
    assert codes(source, [finding(source, "NST204", "bias", 1), finding(source, "NST204", "bias", 2)]) == ["NST204"]


def test_the_end_of_a_statement_silences_all_of_it():
    source = "y = f(\n    x.item(),\n    bias,\n)  # nst: ignore\n"
    assert codes(source, [finding(source, "NST201", "x.item()"), finding(source, "NST204", "bias")]) == []


def test_a_line_within_a_statement_silences_that_line_only():
    source = "y = f(\n    x.item(),  # nst: ignore\n    bias,\n)\n"
    assert codes(source, [finding(source, "NST201", "x.item()"), finding(source, "NST204", "bias")]) == ["NST204"]


@pytest.mark.parametrize("quote", ['"', "'", '"""'])
def test_a_string_is_no_comment(quote):
    source = f"y = g(x + bias, {quote}# nst: ignore{quote})\n"
    kept, unused = silence(source, [finding(source, "NST204", "bias")])
    assert (len(kept), unused) == (1, [])


def test_comments_before_a_syntax_error_still_count():
    source = "y = x + bias  # nst: ignore\nz = (\n"
    assert codes(source, [finding(source, "NST204", "bias")]) == []


def test_an_ignore_that_silences_nothing_is_told():
    source = "y = x + bias  # nst: ignore[NST101]\nz = x  # keep  # nst: ignore\n"
    _, unused = silence(source, [finding(source, "NST204", "bias")])
    assert [Text(source).at(one.span) for one in unused] == ["# nst: ignore[NST101]", "# nst: ignore"]
    assert "NST101" in unused[0].message


STATIC = """\
# nst: example(np.ones(3), 2.0, True)
# nst: static(training, scale)
@decorated
def f(x, scale, training, depth=2):
    if training and depth:
        return x * scale
    return x * depth
"""


@pytest.mark.parametrize(
    ("code", "part", "nth", "silenced"),
    [
        ("NST103", "training", 3, True),
        ("NST202", "scale", 3, True),
        ("NST202", "depth", 3, False),
        ("NST103", "training and depth", 1, False),
        ("NST101", "scale", 3, False),
    ],
)
def test_static_accepts_specialisation_on_its_arguments(code, part, nth, silenced):
    assert codes(STATIC, [finding(STATIC, code, part, nth)]) == ([] if silenced else [code])


def test_static_goes_by_the_parameter_that_a_finding_relates_to():
    related = (Related("the parameter", place(STATIC, "scale", 2)),)
    one = finding(STATIC, "NST202", "x * depth", related=related)
    assert codes(STATIC, [one]) == []


def test_static_of_one_function_does_not_reach_another():
    source = "# nst: static(p)\ndef g(x, p):\n    return x * p\n\ndef f(x, p):\n    return x + p\n"
    assert codes(source, [finding(source, "NST202", "p", 5), finding(source, "NST202", "p", 3, function="g")]) == [
        "NST202"
    ]
