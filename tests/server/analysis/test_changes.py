"""Why a graph changed: real traces of a text and of the text with an edit, compared both ways."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nst_lsp.analysis.changes import Changes, compare
from nst_lsp.pool import WorkerPool
from tracer.worker.wire import (
    ExampleDone,
    ExampleReport,
    GraphInfo,
    NodeInfo,
    Options,
    Place,
    Span,
    Status,
    TraceFile,
    Verdict,
)

SOURCE = """\
import numpy as np

gain = 3.0
w = np.arange(4.0)

def helper(h):
    return h / np.sum(h)

# nst: example(np.ones((3, 4)), 2)
def f(x, n):
    h = x * gain + w
    if x.shape[0] > 2:
        h = helper(h)
    for i in range(8):
        h = np.tanh(h @ np.eye(4)) * 2
    h[0] = 0
    y = h.sum(axis=0)
    z = np.exp(y)
    return y * n, z, h
"""
Trace = Callable[..., ExampleReport]


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trace]:
    """The report of the first example of `f` in a text."""
    folder = tmp_path_factory.mktemp("changes")
    with asyncio.Runner() as runner:
        pool = WorkerPool(sys.executable, str(folder))

        async def traced(text: str, verify: bool, overlay: dict[str, str]) -> ExampleReport:
            path, options = str(folder / "model.py"), Options(verify=verify)
            texts = {str(folder / name): source for name, source in overlay.items()}
            request = TraceFile(1, path, text, str(folder), options, functions=("f",), overlay=texts)
            messages = [message async for message in pool.trace(request)]
            return [one.report for one in messages if isinstance(one, ExampleDone)][-1]

        yield lambda text, verify=False, **overlay: runner.run(
            traced(text, verify, {f"{name}.py": source for name, source in overlay.items()})
        )
        runner.run(pool.close())


def edited(source: str, *edits: tuple[str, str]) -> str:
    for old, new in edits:
        assert old in source
        source = source.replace(old, new)
    return source


def told(changes: Changes) -> list[tuple[str, int | None]]:
    """Each reason with its line; of what went away, with the line that stands in its stead."""
    return [(one.text, one.place.span.line if one.place else None) for one in changes.reasons]


@pytest.mark.parametrize(
    ("edits", "summary", "reasons"),
    [
        pytest.param(
            [("gain = 3.0", "gain = 4.0")],
            "1 constant changed: `gain` 3.0 → 4.0",
            [("`gain` is 4.0, was 3.0", 3)],
            id="a constant, told where it is defined",
        ),
        pytest.param(
            [("np.sum(h)", "np.mean(h)")],
            "1 operation replaced: `np.sum` → `np.mean`",
            [("`np.sum(h)` became `np.mean(h)`", 7)],
            id="an operation of a helper is replaced",
        ),
        pytest.param(
            [("np.exp(y)", "np.exp(np.sin(y))")],
            "1 operation added: `np.sin(y)`",
            [("added: `np.sin(y)`", 18)],
            id="one is added",
        ),
        pytest.param(
            [("    z = np.exp(y)\n", ""), ("* n, z", "* n, y")],
            "1 operation removed: `np.exp(y)`",
            [("removed: `np.exp(y)`", 18)],
            id="one is removed: the line that stands there now",
        ),
        pytest.param(
            [("h = helper(h)", "pass")],
            "2 operations removed",
            [("removed: `np.sum(h)` and 1 more operation", 15)],
            id="a call is removed",
        ),
        pytest.param(
            [("axis=0", "axis=1")],
            "1 operation changed: `h_8.sum(axis=0)` → `h_8.sum(axis=1)`",
            [("`h_8.sum(axis=0)` became `h_8.sum(axis=1)`", 17)],
            id="a literal",
        ),
        pytest.param(
            [("np.eye(4)) * 2", "np.eye(4)) * 3")],
            "1 operation changed: `tanh * 2` → `tanh * 3`",
            [("`tanh * 2` became `tanh * 3`", 15)],
            id="a literal in a loop, once",
        ),
        pytest.param(
            [("range(8)", "range(16)")],
            "1 loop changed: ×8 → ×16",
            [("runs 16 times, was 8: `np.eye(4)` and 3 more operations", 15)],
            id="iterations",
        ),
        pytest.param(
            [("range(8)", "range(1)")],
            "1 loop changed: ×8 → ×1",
            [("runs 1 time, was 8: `np.eye(4)` and 3 more operations", 15)],
            id="iterations, down to one",
        ),
        pytest.param(
            [("y * n, z, h", "z, y * n, h")],
            "results in another order",
            [("returns `(z, mul_1, h_1)`, was `(mul_1, z, h_1)`", 18)],
            id="results in another order",
        ),
        pytest.param(
            [("y * n, z, h", "[y * n, z, h]")],
            "another result",
            [("returns `[mul_1, z, h_1]`, was `(mul_1, z, h_1)`", 19)],
            id="results in another container",
        ),
        pytest.param(
            [("    h[0] = 0\n    y = h.sum(axis=0)\n", "    y = h.sum(axis=0)\n    h[0] = 0\n")],
            "writes in another order",
            [("`h_8.sum(axis=0)` stands otherwise to what is written in place", 16)],
            id="a write moves behind what reads it",
        ),
        pytest.param(
            [("x * gain + w", "w + x * gain")],
            "1 operation changed: `mul + w` → `w + mul`",
            [("`mul + w` became `w + mul`", 11)],
            id="operands swapped",
        ),
        pytest.param(
            [("np.ones((3, 4))", "np.ones((5, 4))")],
            "another example: `x` float64[3, 4] → float64[5, 4]",
            [("`x` is float64[5, 4], was float64[3, 4]", 9)],
            id="a size of the example, and none of those that follow from it",
        ),
        pytest.param(
            [("np.ones((3, 4))", "np.ones((2, 4))")],
            "another example: `x` float64[3, 4] → float64[2, 4], 2 operations removed, "
            "1 condition changed: `x.shape[0] > 2` is False now",
            [
                ("`x` is float64[2, 4], was float64[3, 4]", 9),
                ("removed: `np.sum(h)` and 1 more operation", 15),
                ("`x.shape[0] > 2` is False now, was True", 12),
            ],
            id="a condition that the example decides otherwise",
        ),
        pytest.param(
            [("4)), 2)", "4)), 3)")],
            "1 argument changed: `n` 2 → 3",
            [("`n` is 3, was 2", 9)],
            id="an argument that is no array",
        ),
        pytest.param(
            [("w = np.arange(4.0)", "w = np.arange(4)")],
            "1 captured array changed: `w` float64[4] → int64[4]",
            [("`w` is int64[4], was float64[4]", 4)],
            id="the dtype of a captured array",
        ),
        pytest.param(
            [("w = np.arange(4.0)", "w = np.arange(4.0) + 1")],
            "1 captured array changed: `w` [0., 1., 2., 3.] → [1., 2., 3., 4.]",
            [("`w` is [1., 2., 3., 4.], was [0., 1., 2., 3.]", 4)],
            id="its contents",
        ),
        pytest.param(
            [("x * gain", "x * 3.0")],
            "1 hidden input removed: `gain`",
            [("the hidden input `gain` is not read any more", None)],
            id="a constant is written out",
        ),
        pytest.param(
            [("x.shape[0] > 2", "x.shape[0] > 1")],
            "1 guard added: `x.shape[0] > 1`, 1 guard removed: `x.shape[0] > 2`",
            [("holds only for `x.shape[0] > 1` now", 12), ("`x.shape[0] > 2` need not hold any more", None)],
            id="a condition is another",
        ),
        pytest.param(
            [("z = np.exp(y)", "z = np.exp(y)[9]")],
            "traced only in part now",
            [("traced only in part now", 18)],
            id="the trace does not come to its end",
        ),
        pytest.param(
            [("np.exp(y)", "np.exp(np.sin(y))"), ("gain = 3.0", "gain = 5.0"), ("range(8)", "range(9)")],
            "1 operation added: `np.sin(y)`, 1 loop changed: ×8 → ×9, 1 constant changed: `gain` 3.0 → 5.0",
            [
                ("added: `np.sin(y)`", 18),
                ("runs 9 times, was 8: `np.eye(4)` and 3 more operations", 15),
                ("`gain` is 5.0, was 3.0", 3),
            ],
            id="several at once",
        ),
    ],
)
def test_what_an_edit_changes(trace: Trace, edits, summary: str, reasons):
    before, after = trace(SOURCE), trace(edited(SOURCE, *edits))
    changes, back = compare(before, after), compare(after, before)
    assert (changes.summary, told(changes)) == (summary, reasons)
    assert changes == compare(before, after)  # the same every time
    assert back
    assert (len(back.added), len(back.removed)) == (len(changes.removed), len(changes.added))


@pytest.mark.parametrize(
    "edits",
    [
        pytest.param([], id="nothing"),
        pytest.param([("gain = 3.0\n", "# a comment\n\n\ngain = 3.0\n")], id="lines"),
        pytest.param([("    y = h", "    s = h"), ("exp(y)", "exp(s)"), ("return y", "return s")], id="a variable"),
        pytest.param([("def f(x,", "def f(xs,"), ("x * gain", "xs * gain"), ("x.shape", "xs.shape")], id="a parameter"),
        pytest.param([("w = np", "bias = np"), ("+ w", "+ bias")], id="a captured array's name"),
        pytest.param([("gain = 3.0", "factor = 3.0"), ("x * gain", "x * factor")], id="a constant's name"),
        pytest.param([("    h = x * gain + w\n", "    b = w\n    k = x * gain\n    h = k + b\n")], id="statements"),
        pytest.param([("h = helper(h)", "h = h / np.sum(h)")], id="a helper is written out"),
        pytest.param([("    h[0] = 0\n", "    if n > 5:\n        print(n)\n    h[0] = 0\n")], id="what is not run"),
    ],
)  # fmt: skip
def test_what_changes_nothing(trace: Trace, edits):
    changes = compare(trace(SOURCE), trace(edited(SOURCE, *edits)))
    assert changes == replace(Changes(), names=changes.names)


ALIKE = """\
import numpy as np

w = np.array([1.0, 2.0, 3.0, 0.12345678901])

# nst: example(np.ones(4))
def f(x):
    return x + w, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"
"""


def test_what_is_cut_short_is_not_told_as_the_same(trace: Trace):
    changes = compare(trace(ALIKE), trace(edited(ALIKE, ("678901", "678902"), ('ab"', 'ac"'))))
    assert changes.summary == "1 captured array changed: `w`, other values of float64[4], another result"
    array, result = told(changes)
    assert array == ("`w` has other values of float64[4]", 3)
    assert result[0].startswith("returns other values in `(add, 'aaa")


PAIRS = """\
import numpy as np

# nst: example(np.ones(3), np.zeros(3))
def f(x, y):
    a = np.tanh(x)
    b = np.tanh(y)
    return a - b
"""


def test_independent_lines_may_change_their_order(trace: Trace):
    swapped = edited(PAIRS, ("    a = np.tanh(x)\n    b = np.tanh(y)\n", "    b = np.tanh(y)\n    a = np.tanh(x)\n"))
    assert not compare(trace(PAIRS), trace(swapped))
    assert compare(trace(PAIRS), trace(edited(PAIRS, ("a - b", "b - a")))).summary == (
        "1 operation changed: `a - b` → `b - a`"
    )


def test_a_helper_in_another_file_is_told_at_its_place(trace: Trace):
    source = edited(
        SOURCE,
        ("def helper(h):\n    return h / np.sum(h)\n", "from tools import helper\n"),
        ("gain = 3.0\n", "gain = 3\n"),
    )
    tools = "import numpy as np\n\ndef helper(h):\n    s = np.sum(h)\n    return h / s\n"
    before = trace(source, tools=tools)
    changes = compare(before, trace(source, tools=edited(tools, ("h / s", "h / (s + 1)"))))
    assert changes.summary == "1 operation added: `s + 1`"
    [reason] = changes.reasons
    assert reason.place is not None
    assert (Path(reason.place.path).name, reason.place.span.line) == ("tools.py", 5)


def test_a_clock_and_random_numbers_are_no_news(trace: Trace):
    source = """\
import time
import numpy as np
rng = np.random.default_rng()

# nst: example(np.ones(3))
def f(x):
    return x * time.time() + rng.normal() + rng.normal(size=3)
"""
    before, after = trace(source), trace(source)
    assert before.graph != after.graph
    assert not compare(before, after)


def test_iterations_are_counted_also_where_they_are_not_folded(trace: Trace):
    source = """\
import numpy as np
weights = [1.0, 2.0, 3.0]

# nst: example(np.ones(3))
def f(x):
    for weight in weights:
        x = np.tanh(x * weight)
    return x
"""
    longer = trace(edited(source, ("2.0, 3.0", "2.0, 4.0, 7.0, 8.0")))
    assert longer.graph is not None
    assert "alike iterations" in longer.graph.code
    assert compare(trace(source), longer).summary == "1 loop changed: ×3 → ×5"
    other = compare(trace(source), trace(edited(source, ("3.0", "4.0"))))
    assert other.summary == "1 operation changed: `x_2 * 3.0` → `x_2 * 4.0`"


def test_a_verdict_is_news_only_where_both_were_compared(trace: Trace):
    source = "import numpy as np\n\n# nst: example(np.ones(3))\ndef f(x):\n    return x.sum()\n"
    worse = edited(source, ("    return", "    if x.shape[0] == 3:\n        return x.max()\n    return"))
    before, after = trace(source, verify=True), trace(worse, verify=True)
    assert (before.verdict, after.verdict) == (Verdict.AGREES, Verdict.DIFFERS)
    verified = compare(before, after)
    assert verified.reasons[-1].text == "the graph differs from the function now"
    first = compare(before, trace(worse))  # as told before it is verified
    assert first.reasons == verified.reasons[:-1]


# ---- large graphs ----------------------------------------------------------------------------------

BODY = ("{0} @ {0}", "np.tanh({0})", "{0} * {factor}")


def chain(count: int, factor: str = "2", extra: tuple[int, ...] = ()) -> ExampleReport:
    """A long graph that is not folded: blocks of three operations, behind some of them one more."""
    place = Place("/model.py", Span(1, 1, 1, 2))
    nodes = [NodeInfo("x", "input", "x = x", (), "float64[4, 4]", None, None)]

    def add(text: str) -> None:
        last, name = nodes[-1].name, f"v{len(nodes)}"
        line, code = len(nodes) + 1, f"{name} = {text.format(last, factor=factor)}"
        nodes.append(NodeInfo(name, f"numpy.{len(text)}", code, (last,), "float64[4, 4]", None, place, line))

    for block in range(count):
        for text in BODY:
            add(text)
        if block in extra:
            add("np.sin({0} + 1)")
    graph = GraphInfo(f"def f(x):\n    return {nodes[-1].name}\n", tuple(nodes), (nodes[-1].name,))
    return ExampleReport(0, "x", "comment", place, Status.TRACED, graph=graph)


@pytest.mark.parametrize("extra", [(0,), (6665,), (0, 6665), (1, 100, 2000, 5000, 6600)])
def test_a_few_edits_of_a_large_graph_are_found(extra: tuple[int, ...]):
    before, after = chain(6666), chain(6666, extra=extra)
    there, back = compare(before, after), compare(after, before)
    assert (len(there.added), len(there.removed), len(there.changed)) == (len(extra), 0, 0)
    assert (len(back.added), len(back.removed), len(back.changed)) == (0, len(extra), 0)


def test_an_edit_of_every_iteration_of_a_large_graph_is_found():
    changes = compare(chain(6666), chain(6666, factor="3"))
    assert (len(changes.added), len(changes.removed), len(changes.changed)) == (0, 0, 6666)
    assert changes.summary == "6666 operations changed"


def test_large_graphs_without_anything_in_common_are_told_apart():
    before = chain(6666)
    assert before.graph is not None
    first, *rest = before.graph.nodes
    others = [replace(one, operation="numpy.f", code=f"{one.name} = np.f({one.inputs[0]})") for one in rest]
    changes = compare(before, replace(before, graph=replace(before.graph, nodes=(first, *others))))
    assert len(changes.added) == len(changes.removed) > 15_000
