"""Inlay hints: `«…»` in the expected texts is what an editor would draw there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nst_lsp.analysis import markdown, plaintext
from nst_lsp.analysis.hints import hints, note
from nst_lsp.settings import HINTS, Settings, read
from tests.server.messages import PATH, File, finding, node, report, span
from tracer.worker.wire import GraphInfo, NodeInfo, Place, Span

SOURCE = """\
# nst: example(np.ones(3), 2)
def f(x, w: np.ndarray, n=2):
    y = x * w
    y += 1
    a, b = np.split(y, 2)
    total: float = y.sum()
    if (big := y[1:]).size > 1:
        self.kept = -y if n else y
    for row in x:
        t = row * 2
    return y, a


def helper(x):
    z = x + 1
    return z
"""
NODES = [
    NodeInfo("x", "input", "x = x", (), "int32[b, 4]", None, None),
    NodeInfo("w", "input", "w = w", (), "float64[4]", None, None),
    node(SOURCE, "y", "operator.mul", "x * w", shape="float64[b, 4]", inputs=("x", "w"), sizes="(b, 4)"),
    node(SOURCE, "y_1", "operator.iadd", "y += 1", shape="float64[b, 4]", inputs=("y",)),
    node(SOURCE, "split", "numpy.split", "np.split(y, 2)", shape="list", inputs=("y_1",)),
    node(SOURCE, "b_", "operator.getitem", "np.split(y, 2)", shape="float64[c, 4]", code="b_ = split[1]"),
    node(SOURCE, "s", "numpy.ndarray.sum", "y.sum()", shape="float64[]", inputs=("y_1",)),
    node(SOURCE, "big", "operator.getitem", "y[1:]", shape="float64[b - 1, 4]", inputs=("y_1",)),
    node(SOURCE, "neg", "operator.neg", "-y", shape="float64[b, 4]", inputs=("y_1",)),
    NodeInfo("r0", "operator.getitem", "r0 = x[0]", ("x",), "int32[4]", None, Place(PATH, Span(9, 16, 9, 17))),
    node(SOURCE, "t", "operator.mul", "row * 2", shape="int32[4]", inputs=("r0",)),
    node(SOURCE, "t_1", "operator.mul", "row * 2", shape="int32[3]", inputs=("r0",)),
    node(SOURCE, "z", "numpy.add", "x + 1", shape="int64[b, 4]", inputs=("x",)),
]
EVERYTHING = Span(1, 1, 10**6, 1)


def opened(*kinds: str, nodes=NODES) -> File:
    file = File(SOURCE, Settings(inlay_hints=kinds or HINTS))
    return file.run(f=report(SOURCE, "np.ones(3), 2", nodes=nodes))


def drawn(file: File, within: Span = EVERYTHING) -> list[str]:
    """The lines that have hints, with their hints."""
    lines = file.document.text.source.split("\n")
    touched = set()
    for hint in reversed(hints(file.view, within)):
        line, at = lines[hint.line - 1], hint.column - 1
        lines[hint.line - 1] = f"{line[:at]}«{' ' if hint.spaced else ''}{hint.label}»{line[at:]}"
        touched.add(hint.line)
    return [lines[number - 1].strip() for number in sorted(touched)]


def test_names_have_dtype_and_shape_and_widening_stands_behind_its_operation():
    assert drawn(opened()) == [
        "def f(x«: int32[b, 4]», w: np.ndarray« float64[4]», n=2):",
        "y«: float64[b, 4]» = x * w",
        "y«: float64[b, 4]» += 1",
        "a, b«: float64[c, 4]» = np.split(y, 2)",
        "total: float« float64[]» = y.sum()",
        "if (big«: float64[b - 1, 4]» := y[1:]).size > 1:",
        "self.kept«: float64[b, 4]» = -y if n else y",
        "for row«: int32[4]» in x:",
        "t«: int32[4] | int32[3]» = row * 2",
        "return y, a« → float64[b, 4], …»",
        "z«: int64[b, 4]» = x + 1« int32 → int64»",
        "return z« → int64[b, 4]»",
    ]


def test_the_only_return_of_a_function_gives_the_output_of_its_graph():
    source = SOURCE.replace("return y, a", "return helper(x), tuple(x), None")
    outputs = ("z", "x", "z")
    graph = GraphInfo("def graph(x):\n    return z, x, z\n", tuple(NODES[:2] + NODES[-1:]), outputs)
    file = File(source, Settings(inlay_hints=("returns",)))
    assert drawn(file.run(f=report(source, "np.ones(3), 2", graph=graph))) == [
        "return helper(x), tuple(x), None« → int64[b, 4], int32[b, 4], int64[b, 4]»",
        "return z« → int64[b, 4]»",
    ]
    contained = replace(graph, code="def graph(x):\n    return [z, x, z]\n")
    file = File(source, Settings(inlay_hints=("returns",))).run(f=report(source, "np.ones(3), 2", graph=contained))
    assert drawn(file) == ["return z« → int64[b, 4]»"]
    several = source.replace("    y = x * w\n", "    return x\n")
    file = File(several, Settings(inlay_hints=("returns",))).run(f=report(several, "np.ones(3), 2", graph=graph))
    assert drawn(file) == ["return x« → int32[b, 4]»", "return z« → int64[b, 4]»"]


def test_what_was_not_run_has_none():
    source = SOURCE.replace(
        "    y = x * w\n", "    y = x * w if n else w * x\n    if n:\n        t = x\n        return y\n    v = y\n"
    )
    after = finding(source, "NST103", "n:\n        t", value="False", dead=(span(source, "t = x\n        return y"),))
    arm = finding(source, "NST103", "n else", value="True", dead=(span(source, "w * x"),))
    made = [NODES[0], node(source, "y", "operator.mul", "x * w", shape="float64[b, 4]")]
    file = File(source, Settings(inlay_hints=("shapes", "returns")))
    file.run(f=report(source, "np.ones(3), 2", after, arm, nodes=made))
    assert drawn(file) == ["y«: float64[b, 4]» = x * w if n else w * x", "v«: float64[b, 4]» = y"]


@pytest.mark.parametrize(
    ("kind", "first", "count"),
    [
        ("shapes", "y«: float64[b, 4]» = x * w", 9),
        ("parameters", "def f(x«: int32[b, 4]», w: np.ndarray« float64[4]», n=2):", 1),
        ("returns", "return y, a« → float64[b, 4], …»", 2),
        ("widening", "z = x + 1« int32 → int64»", 1),
    ],
)
def test_each_kind_can_be_asked_for_alone(kind, first, count):
    lines = drawn(opened(kind))
    assert (lines[0], len(lines)) == (first, count)


def test_there_are_none_unless_they_are_asked_for_and_none_before_a_trace():
    assert hints(File(SOURCE, Settings()).run(f=report(SOURCE, "np.ones(3), 2", nodes=NODES)).view, EVERYTHING) == []
    assert hints(File(SOURCE, Settings(inlay_hints=HINTS)).view, EVERYTHING) == []


def test_only_those_in_sight_are_given():
    assert drawn(opened(), Span(4, 1, 6, 1)) == ["y«: float64[b, 4]» += 1", "a, b«: float64[c, 4]» = np.split(y, 2)"]


def test_they_move_with_the_text_and_go_where_it_changed():
    file = opened("shapes").edit("# nst:", "# 𝛼\n# nst:").edit("y += 1", "y += 2").edit("x * w", "x  * w")
    lines = drawn(file)
    assert lines[0] == "a, b«: float64[c, 4]» = np.split(y, 2)"
    assert not [line for line in lines if line.startswith("y«")]
    assert all(hint.stale for hint in hints(file.view, EVERYTHING))


def test_a_syntax_error_leaves_them():
    file = opened("shapes").edit("def helper(x)", "def helper(x")
    assert len(drawn(file)) == 9


def test_one_place_has_one_hint():
    places = [(hint.line, hint.column) for hint in hints(opened().view, EVERYTHING)]
    assert len(places) == len(set(places))


def test_a_helpers_parameter_is_not_taken_for_the_functions_own():
    assert "def helper(x):" not in " ".join(drawn(opened("parameters")))


def test_what_a_helper_gives_to_several_callers_is_told_of_all():
    source = SOURCE.replace(
        "def helper(x):", "# nst: example(np.ones(2))\ndef g(x):\n    return helper(x)\n\n\ndef helper(x):"
    )
    made = [node(source, "z", "numpy.add", "x + 1", shape=shape, inputs=("x",)) for shape in ("int64[2]", "int64[3]")]
    other = report(source, "np.ones(2)", nodes=made[1:])
    file = File(source, Settings(inlay_hints=("shapes", "returns")))
    assert drawn(file.run(f=report(source, "np.ones(3), 2", nodes=made[:1]), g=other)) == [
        "z«: int64[2] | int64[3]» = x + 1",
        "return z« → int64[2] | int64[3]»",
    ]


def test_a_name_that_was_given_what_no_node_tells_has_none():
    source = SOURCE.replace(
        "    z = x + 1\n    return z", "    z = x + 1\n    z = other(z)\n    t = tuple(x)\n    return z, t"
    )
    made = [
        node(source, "z", "numpy.add", "x + 1", shape="int64[2]"),
        node(source, "i", "operator.getitem", "tuple(x)", shape="int64[]", code="i = x[0]"),
    ]
    file = File(source, Settings(inlay_hints=("shapes", "returns"))).run(f=report(source, "np.ones(3), 2", nodes=made))
    assert drawn(file) == ["z«: int64[2]» = x + 1"]


def test_a_hint_knows_its_operation_and_has_more_to_say():
    file = opened("shapes")
    hint = hints(file.view, EVERYTHING)[0]
    assert hint.source
    assert file.at(hint.source.span) == "x * w"
    assert note(hint, markdown) == (
        "**`y`**\n\n`float64[b, 4]` shape `(b, 4)`\n\n```python\n[1. 1. 1.]\n```\n\ngraph: `y = x * w`"
    )
    assert note(hint, plaintext) == "y\n\nfloat64[b, 4] shape (b, 4)\n\n    [1. 1. 1.]\n\ngraph: y = x * w"


@pytest.mark.parametrize(
    ("given", "result", "shown"),
    [
        (("float32[3]", "float64[3]"), "float64[3]", "float32 → float64"),
        (("int64[3]", "float64[3]"), "float64[3]", None),  # as everybody expects
        (("int64[3]", "float32[3]"), "float64[3]", "int64 → float64"),
        (("int32[3]", "int"), "int32[3]", None),
        (("bool[3]",), "int64[]", None),
        (("complex64[3]",), "float32[3]", None),
        (("uint8[3]", "int"), "int64[3]", "uint8 → int64"),
    ],
)
def test_a_dtype_widens_where_no_array_asked_for_it(given, result, shown):
    inputs = [NodeInfo(f"i{n}", "input", "", (), shape, None, None) for n, shape in enumerate(given)]
    made = node(SOURCE, "y", "operator.mul", "x * w", shape=result, inputs=tuple(one.name for one in inputs))
    found = hints(opened("widening", nodes=[*inputs, made]).view, EVERYTHING)
    assert [hint.label for hint in found] == ([shown] if shown else [])


@pytest.mark.parametrize("code", ["y = x.sum(dtype=np.float64)", "y = x.astype(float)"])
def test_a_dtype_that_was_asked_for_does_not_widen(code):
    operation = "numpy.sum" if "sum" in code else "numpy.ndarray.astype"
    given = NodeInfo("x", "input", "", (), "float32[3]", None, None)
    made = node(SOURCE, "y", operation, "x * w", shape="float64[]", inputs=("x",), code=code)
    assert hints(opened("widening", nodes=[given, made]).view, EVERYTHING) == []


@pytest.mark.parametrize(
    ("given", "kinds"),
    [(True, HINTS), (False, ()), (["widening", "shapes"], ("shapes", "widening")), ("returns", ("returns",)), ([], ())],
)
def test_the_setting_is_a_switch_or_a_list_of_kinds(given, kinds):
    assert read({"inlayHints": given}, {}) == (Settings(inlay_hints=kinds), [])


@pytest.mark.parametrize("given", [3, ["shape"], {"shapes": True}])
def test_a_wrong_setting_is_named(given):
    settings, problems = read({}, {"inlayHints": given})
    assert settings.inlay_hints == ()
    assert "`inlayHints` must be true, false or a list of shapes, parameters, returns, widening" in problems[0]
