"""Hovers: what is said where the cursor stands (`|` in the tests marks it)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nst_lsp.analysis import markdown, plaintext
from nst_lsp.analysis.hovers import hover
from nst_lsp.analysis.text import Text
from tests.server.messages import File, finding, node, report
from tracer.worker.wire import Amount, Cost, ExampleDone, GraphCost, Verdict, Witness

SOURCE = """\
import numpy as np

# nst: example(np.ones(3), {"w": 2.0})
def f(x: np.ndarray, params):
    y = np.exp(x) * 2
    y += 1
    a, b = x + 1, x - 1
    # 𝛼𝛽
    z = "𝛼", y / a
    return z

def other(x):
    return x
"""
NODES = [
    node(SOURCE, "x", "input", "x: np.ndarray", shape="float64[3]", values="[1. 1. 1.]", code="x"),
    node(SOURCE, "params_w", "input", "params", code='params["w"]', shape="float", values="2.0"),
    node(SOURCE, "t1", "numpy.exp", "np.exp(x)", values="[2.7 2.7 2.7]"),
    node(SOURCE, "y", "numpy.multiply", "np.exp(x) * 2", values="[5.4 5.4 5.4]"),
    node(SOURCE, "y2", "numpy.add", "y += 1", values="[6.4 6.4 6.4]"),
    node(SOURCE, "a", "numpy.add", "x + 1", values="[2. 2. 2.]"),
    node(SOURCE, "b", "numpy.subtract", "x - 1", values="[0. 0. 0.]"),
    node(SOURCE, "t2", "numpy.divide", "y / a", values="[3.2 3.2 3.2]"),
]
FULL = report(
    SOURCE,
    'np.ones(3), {"w": 2.0}',
    finding(SOURCE, "NST202", "2", 2, value="2", witness=Witness({"n": "3 | 4"}, "6", "`4`")),
    nodes=NODES,
    valid_for="x.shape[0] > 2",
    verdict=Verdict.AGREES,
    tried="9 re-traces agree (values, sizes)",
    output="hello\n",
)


def at(file, marked, to=markdown, **options):
    """The hover where `|` stands in a piece of the document's text."""
    text = file.document.text
    offset = text.source.index(marked.replace("|", "")) + marked.index("|")
    line, column = text.position(offset)
    return hover(file.view, line, column, file.told, lambda code: f"file:///rules/{code}.md", to, **options)


@pytest.fixture
def file():
    return File(SOURCE).run(f=FULL)


@pytest.mark.parametrize("marked", ["def |f(x", "def f|(x", '|np.ones(3), {"w"', '{"w": 2|.0})'])
def test_a_function_and_its_example_show_the_graph(file, marked):
    text = at(file, marked).text
    assert text.startswith(
        '**f** · `np.ones(3), {"w": 2.0}`\n\n```python\ndef graph(x):\n    y = x * 2\n    return y\n```'
    )
    assert "valid for `x.shape[0] > 2`" in text
    assert "agrees with the function: 9 re-traces agree (values, sizes)" in text
    assert "3.2 ms · Python 3.11.7 (/usr/bin/python3)" in text
    assert "```text\nhello\n```" in text


@pytest.mark.parametrize(
    ("marked", "covered", "values"),
    [
        ("np.ex|p(x)", "np.exp(x)", "[2.7 2.7 2.7]"),
        ("np.exp(x) |* 2", "np.exp(x) * 2", "[5.4 5.4 5.4]"),
        ("np.exp(|x)", "x", "[1. 1. 1.]"),
        ("|y = np.exp", "y", "[5.4 5.4 5.4]"),
        ("|y / a", "y", "[6.4 6.4 6.4]"),
        ("|y += 1", "y", "[6.4 6.4 6.4]"),
        ("y / |a", "a", "[2. 2. 2.]"),
        ("y / a|", "a", "[2. 2. 2.]"),
        ("y |/ a", "y / a", "[3.2 3.2 3.2]"),
        ("a, |b =", "b", "[0. 0. 0.]"),
        ("def f(|x:", "x", "[1. 1. 1.]"),
        ("f(x: np.ndarray, |params", "params", "2.0"),
    ],
)
def test_an_expression_shows_its_value(file, marked, covered, values):
    found = at(file, marked)
    assert file.at(found.span) == covered
    assert f"```python\n{values}\n```" in found.text


def test_a_value_shows_type_shape_and_node(file):
    assert at(file, "np.ex|p(x)").text == (
        "**`np.exp(x)`**\n\n`float64[3]`\n\n```python\n[2.7 2.7 2.7]\n```\n\ngraph: `t1 = np.exp(x)`"
    )


assert FULL.graph is not None
GRAPH = FULL.graph
COST = Cost(Amount(96), Amount(32), Amount(12, "4*x.shape[0]"), 256)


def test_an_expression_shows_what_it_costs():
    nodes = [replace(one, cost=COST) if one.name == "t1" else one for one in NODES]
    graph = replace(GRAPH, nodes=tuple(nodes))
    file = File(SOURCE).run(f=replace(FULL, graph=graph))
    assert at(file, "np.ex|p(x)").text.endswith(
        "graph: `t1 = np.exp(x)`\n\n12 flop (`4*x.shape[0]`) · reads 96 B · writes 32 B"
    )
    assert "flop" not in at(file, "y |/ a").text  # of which nothing is known


def test_many_nodes_of_an_expression_are_summed():
    here = [replace(NODES[2], name=f"t{n}", cost=COST if n else None) for n in range(60)]
    file = File(SOURCE).run(f=replace(FULL, graph=replace(GRAPH, nodes=tuple(here))))
    text = at(file, "np.ex|p(x)").text
    assert text.endswith("708 flop · reads 5.53 KiB · writes 1.84 KiB · 1 of unknown cost · in 60 nodes")


def test_what_moves_nothing_and_computes_nothing_shows_no_cost():
    view = replace(NODES[2], cost=Cost(Amount(0), Amount(0), Amount(0), 256))
    file = File(SOURCE).run(f=replace(FULL, graph=replace(GRAPH, nodes=(view,))))
    assert at(file, "np.ex|p(x)").text.endswith("graph: `t1 = np.exp(x)`")


def test_a_large_captured_array_is_told_not_spelled():
    spelled = "bias = np.frombuffer(base64.b85decode('" + 50 * "0{>Z" + "'), np.dtype('<f8'))"
    captured = replace(node(SOURCE, "bias", "constant", "params", code=spelled), shape="float64[20]", values="1., … 2.")
    graph = replace(
        GRAPH, code=f"import base64\n\n{spelled}\n\ndef f(x):\n    return x", nodes=(replace(captured, line=2),)
    )
    file = File(SOURCE).run(f=replace(FULL, graph=graph))
    text = at(file, "def |f(x").text
    assert "bias = ...  # float64[20]: 1., … 2.\n" in text
    assert "b85decode" not in text


def test_a_function_shows_what_its_graph_costs():
    cost = GraphCost(Amount(3 << 20), Amount(1 << 20), Amount(1_200_000, "3*x.shape[0]"), 2 << 20, "y", 2)
    file = File(SOURCE).run(f=replace(FULL, graph=replace(GRAPH, cost=cost)))
    assert (
        "graph: 1.2 Mflop (`3*x.shape[0]`) · reads 3 MiB, writes 1 MiB · peak 2 MiB at `y` · 2 of unknown cost"
    ) in at(file, "def |f(x").text


@pytest.mark.parametrize("marked", ["import |numpy", "def |other", "# 𝛼|𝛽"])
def test_elsewhere_there_is_nothing_to_say(file, marked):
    assert at(file, marked) is None


def test_a_finding_shows_rule_value_and_witness(file):
    text = at(file, "np.exp(x) * |2").text
    assert text.startswith("**[NST202 argument-constant](file:///rules/NST202.md)**\n\nabout 2\n\nvalue: `2`")
    assert "| `n` | `3 \\| 4` |" in text
    assert "| the graph gives | `` `4` `` |" in text
    assert "`float64[3]`" in text  # the value of the expression stands below


def test_beside_the_diagnostic_only_the_evidence_is_shown(file):
    whole = at(file, "np.exp(x) * |2")
    rest = at(file, "np.exp(x) * |2", beside_diagnostics=True)
    assert rest.span == whole.span
    assert rest.text == whole.text[whole.text.index("value: `2`") :]


def test_without_markdown_the_same_is_said_in_plain_text(file):
    text = at(file, "np.exp(x) * |2", plaintext).text
    assert text.startswith("NST202 argument-constant\n\nabout 2\n\nvalue: 2")
    assert "witness\n  n: 3 | 4\n  the function gives: 6\n  the graph gives: `4`" in text
    graph = at(file, "def |f(x", plaintext).text
    assert graph.startswith('f · np.ones(3), {"w": 2.0}\n\n    def graph(x):\n        y = x * 2\n')
    assert "It wrote:\n\n    hello" in graph
    assert not any(mark in text + graph for mark in ("**", "```", "|---"))


def test_what_the_module_wrote_stands_with_its_functions():
    file = File(SOURCE)
    file.receive(replace(file.loaded("f"), output="<b>loading</b>\n"), ExampleDone(1, "f", FULL))
    text = at(file, "def |f(x").text
    assert "While the file was loaded, it wrote:\n\n```text\n<b>loading</b>\n```" in text


def test_a_helpers_parameter_is_not_the_functions_own():
    source = SOURCE.replace("def other(x)", "def other(params)")
    file = File(source).run(f=report(source, 'np.ones(3), {"w": 2.0}', nodes=NODES))
    assert at(file, "def other(|params)") is None


def test_while_one_types_values_are_found_where_they_moved(file):
    file.edit("import numpy as np\n", "import numpy as np\n# 𝛼\n")
    found = at(file, "y |/ a")
    assert (file.at(found.span), "*(stale)*" in found.text) == ("y / a", True)
    file.edit("y / a", "y / a + new")
    assert at(file, "+ n|ew") is None


def test_a_syntax_error_leaves_the_hovers(file):
    file.edit("return z", "return (z")
    assert file.at(at(file, "np.ex|p(x)").span) == "np.exp(x)"
    assert at(file, "def |f(x").text.startswith("**f** *(stale)*")


def test_many_nodes_of_one_expression_are_counted():
    source = "# nst: example(np.ones(3))\ndef f(x):\n    for i in range(60):\n        x = x + 1\n    return x\n"
    nodes = [node(source, f"x{index}", "numpy.add", "x + 1", values=f"[{index}.]") for index in range(60)]
    file = File(source).run(f=report(source, "np.ones(3)", nodes=nodes))
    text = at(file, "x |+ 1").text
    assert "[2.]" in text
    assert "[3.]" not in text
    assert "… 60 nodes come from this expression" in text


def test_nothing_a_user_writes_breaks_the_markdown():
    assert markdown.code("a `b` ``c``") == "``` a `b` ``c`` ```"
    assert markdown.fence("```\nx", "python").startswith("````python\n")
    assert (
        markdown.fence("\n".join(map(str, range(100))), "python", lines=3) == "```python\n0\n1\n# … 98 more lines\n```"
    )
    assert markdown.prose("x_1 _a_ <b> [c](d) e[0] `y_2` *") == "x_1 \\_a\\_ \\<b> [c\\](d) e[0] `y_2` \\*"
    assert markdown.prose("# a\n- b ~~c~~ &lt; 1 & 2\n 1. d\n2 > 1") == (
        "\\# a\n\\- b \\~\\~c\\~\\~ \\&lt; 1 & 2\n 1\\. d\n2 > 1"
    )
    assert markdown.table([("a", "x|y\nz")]).splitlines()[-1] == "| a | `x\\|y z` |"


def test_positions_are_those_of_the_text():
    assert Text("𝛼b").position(1) == (1, 2)
