"""What is being typed in our comments, read from texts that may be no Python yet."""

from __future__ import annotations

import pytest

from nst_lsp.analysis.completions import completions, own_signature
from nst_lsp.analysis.heads import head_below
from nst_lsp.analysis.text import Text
from nst_lsp.analysis.typed import Argument, Directive, RuleCode, StaticName, for_jedi, typed_at


def typed(marked):
    """What is typed at the `|` of a text."""
    text = Text(marked.replace("|", "", 1))
    return typed_at(text, *text.position(marked.index("|")))


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("# nst: |", Directive("")),
        ("x = 1  #nst:ig|", Directive("ig")),
        ("x = 1  # nst: ignore[NST1, NS|]", RuleCode("NS", frozenset({"NST1"}))),
        ("# nst: static(a, b|)", StaticName("b", frozenset({"a"}), None)),
    ],
)
def test_each_comment_is_known(marked, expected):
    assert typed(marked) == expected


@pytest.mark.parametrize(
    "marked",
    [
        "np.on|",
        "# plain|",
        "# nst: example(1)|",
        "# nst: example('a|",
        '# nst: example(spec("b |',
        '"""\n# nst: example(|\n"""',
        "'''\\''' # nst: example(|",
        "x = '# nst: ignore[|'",
        "x = f(1)  |# nst: ignore[",
        "# nst: ignore[NST1]|",
        "# nst: example(1,\nx = |",
    ],
)
def test_everything_else_is_left_to_others(marked):
    assert typed(marked) is None


@pytest.mark.parametrize(
    ("body", "own_call", "begins", "index", "keyword", "keywords"),
    [
        ("|", True, True, 0, None, set()),
        ("np.on|", True, False, 0, None, set()),
        ("1, ke|", True, True, 1, None, set()),
        ("[1, 2|", True, False, 0, None, set()),
        ("(1, 2), {'a': 1}, |", True, True, 2, None, set()),
        ("np.ones(3|", False, False, 0, None, set()),
        ("np.ones((3, |", False, False, 0, None, set()),
        ("np.ones(3), k=|", True, False, 1, "k", {"k"}),
        ("k=1, n = np.ones(a=2), |", True, True, 2, None, {"k", "n"}),
        ("x == 1, |", True, True, 1, None, set()),
        ("'a, b(', |", True, True, 1, None, set()),
        ("1,\n#    2, |", True, True, 2, None, set()),
    ],
)
def test_arguments_know_their_call(body, own_call, begins, index, keyword, keywords):
    found = typed(f"    # nst: example({body}\n    def f(self): ...\n")
    assert isinstance(found, Argument)
    assert (found.own_call, found.begins, found.index) == (own_call, begins, index)
    assert (found.keyword, found.keywords) == (keyword, keywords)
    assert found.head is not None
    assert found.head.name == "f"


HEADS = """\
# nst: here 1
f = partial(g, 1)
class A(B):
    x = 1
    class C:
        # nst: here 2
        # more

        @decorated(
            1,
        )
        async def method(
            self, x: "np.ndarray[Any, 3]", *rest, k=[1, {2: 3}]  # why
        ) -> None: return (

    # nst: here 3
    def last(x): pass
# nst: here 4
if x: ...
"""


@pytest.mark.parametrize(
    ("number", "name", "parameters"),
    [(1, "f", []), (2, "A.C.method", ["self", "x", "k", "rest"]), (3, "A.last", ["x"]), (4, None, None)],
)
def test_the_function_below_is_found_in_a_broken_text(number, name, parameters):
    text = Text(HEADS)
    found = head_below(text, text.position(HEADS.index(f"here {number}"))[0])
    assert (found.name if found else None) == name
    assert ([one.arg for one in found.parameters()] if found else None) == parameters


def test_our_own_knowledge_completes_without_jedi():
    method = "class A:\n    # nst: {}|\n    def f(self, x: int, key=1, *rest, kind=2): ..."
    offered = [(one.label, one.detail) for one in completions(typed(method.format("example(A(), k")))]
    assert offered == [("key=", ""), ("kind=", "")]
    assert [one.label for one in completions(typed(method.format("example(A(), key=1, ")))] == ["x=", "kind="]
    assert [one.label for one in completions(typed(method.format("static(x, ")))] == ["key", "kind", "rest"]
    assert [one.label for one in completions(typed(method.format("ignore[NST50")))][:2] == ["NST501", "NST502"]
    assert [one.label for one in completions(typed(method.format("")))] == ["example(", "static(", "ignore["]


@pytest.mark.parametrize(
    ("body", "active"),
    [
        ("", "self"),
        ("A(), 1, ", "key"),
        ("A(), 1, 2, 3, 4, ", "rest"),
        ("kind=", "kind"),
        ("x=", "x"),
        ("other=", None),
    ],
)
def test_the_signature_follows_the_argument(body, active):
    found = typed(f"class A:\n    # nst: example({body}|\n    def f(self, x: int, key=1, *rest, kind=2) -> int: ...")
    signature = own_signature(found)
    assert signature is not None
    assert signature.label == "A.f(self, x: int, key=1, *rest, kind=2) -> int"
    assert (None if signature.active is None else signature.parameters[signature.active].split(":")[0]) == active
    assert all(one in signature.label for one in signature.parameters)


def test_jedi_is_asked_at_the_end_of_the_text():
    found = typed("# nst: example(np.ones(3),\r\n#   a.|\r\ndef f(x): ...\r\n")
    question = for_jedi(Text("def f(x): ...\r\n"), found)
    assert question.source.endswith("def f(x): ...\n\n\nf(np.ones(3),\n   a.")
    assert question.source.split("\n")[question.line - 1][: question.column] == "   a."
