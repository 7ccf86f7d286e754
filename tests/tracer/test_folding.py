"""A folded graph's text runs and gives what the graph gives, bit for bit; alike iterations are printed once."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.tracer.oracle import Function, outcome, same
from tests.tracer.straight import HEAD, programs
from tracer import Trace, load_module, trace
from tracer.printing import code
from tracer.report import graph_info

_numbers = itertools.count()


def run(text: str) -> Function:
    """The function that a graph's text defines."""
    namespace: dict[str, Any] = {"__name__": "printed_graph"}
    exec(compile(text, "<graph>", "exec"), namespace)
    function: Function = next(v for v in namespace.values() if getattr(v, "__module__", "") == "printed_graph")
    return function


def traced(folder: Path, source: str, *args: Any, name: str = "f") -> Trace:
    path = folder / f"folding_{next(_numbers)}.py"
    path.write_text(source, encoding="utf-8")
    made = trace(getattr(load_module(path), name), *args)
    assert made.error is None, made.error
    return made


def agree(made: Trace, *args: Any) -> str:
    """Hold the folded and the unfolded text against the graph; the folded text."""
    folded, unfolded = made.graph.code, code(made.graph, folded=False)
    wanted = outcome(made.graph.replay, args)
    same(outcome(run(unfolded), args), wanted, f"unfolded\n{unfolded}")
    same(outcome(run(folded), args), wanted, f"folded\n{folded}\nunfolded\n{unfolded}")
    return folded


SOURCE = """\
import numpy as np

WEIGHTS = [np.full(3, 1.5), np.full(3, -2.0), np.full(3, 0.25), np.full(3, 7.0)]

def carried(x):
    for _ in range(2000):
        x = x * 0.5 + 1.0
    return x

def stencil(u):
    for t in range(6):
        for i in range(1, 9):
            u[i] = (u[i - 1] + u[i + 1]) / 2.0
    return u

def two_steps_back(x):
    a, b = x, x * 2.0
    for _ in range(9):
        a, b = b, a + b
    return a, b

def collected(x):
    rows = []
    for k in range(5):
        row = []
        for j in range(6):
            row.append(x[j] * k)
        rows.append(np.stack(row))
    return np.stack(rows), rows

def layers(x, params):
    for layer in params:
        x = np.tanh(x @ layer["w"] + layer["b"])
    return x

def constants(x):
    for w in WEIGHTS:
        x = x * w
    return x

def literals(x):
    for rate in (0.5, 0.125, 4.0, 0.25, 0.0, -0.0):
        x = x * rate
    return x

def odd_one_out(x):
    for i in range(9):
        if i == 4:
            x = x - 1.0
        x = x * 2.0
        x = x + i
    return x

def triangle(a):
    n = 9
    for k in range(n):
        for i in range(k + 1, n):
            a[i] = a[i] - a[k] * a[i, k]
    return a

def backwards(x, w):
    states = [x]
    for t in range(7):
        states.append(np.tanh(states[-1] * w))
    g, total = np.ones_like(x), np.zeros_like(w)
    for t in reversed(range(7)):
        g = g * (1 - states[t + 1] ** 2)
        total = total + g * states[t]
    return total

def shrinking(x):
    for _ in range(6):
        x = x[1:] - x[:-1]
    return x

def shared_name(x):
    y = x
    for _ in range(5):
        y = y + x
        x = y * 2.0
    return x, y

def written(x):
    y = np.zeros_like(x)
    z = y[1:]
    for i in range(6):
        z += x[1:]
        y[0] = y[1] + i
    return y, z

def names_of_functions(x, range, zip):
    for k in (3, 1, 4, 1):
        for j in (2.0, 0.5, 3.0, 1.0, 8.0):
            x = x * j + k * range
    return x - zip
"""
PARAMS = [{"w": np.eye(3) * k, "b": np.arange(3.0) - k} for k in range(5)]
X = np.array([0.5, -1.0, 2.0])
EXAMPLES: dict[str, tuple[Any, ...]] = {
    "carried": (X,),
    "stencil": (np.arange(10.0) ** 2,),
    "two_steps_back": (X,),
    "collected": (np.arange(6.0),),
    "layers": (X, PARAMS),
    "constants": (X,),
    "literals": (X,),
    "odd_one_out": (X,),
    "triangle": (np.arange(81.0).reshape(9, 9) % 7,),
    "backwards": (X, X * 0.5),
    "shrinking": (np.arange(9.0) ** 2,),
    "shared_name": (X,),
    "written": (X,),
    "names_of_functions": (X, 0.5, X),
}
LINES = {
    "carried": """
    for _ in range(2000):
        mul = x * 0.5
        x = mul + 1.0
    return x
""",
    "stencil": """
    for _ in range(6):
        for i in range(1, 9):
            getitem = u[i - 1]
            getitem_1 = u[i + 1]
            add = getitem + getitem_1
            truediv = add / 2.0
            u[i] = truediv
    return u
""",
    "two_steps_back": """
    mul = x * 2.0
    add, add_1 = x, mul
    for _ in range(9):
        add_2 = add + add_1
        add, add_1 = add_1, add_2
    return (add, add_2)
""",
    "collected": """
    stack_list = []
    for k in range(5):
        mul_list = []
        for j in range(6):
            getitem = x[j]
            mul = getitem * k
            mul_list.append(mul)
        stack = np.stack([*mul_list])
        stack_list.append(stack)
    stack_1 = np.stack([*stack_list])
    return (stack_1, [*stack_list])
""",
    "layers": """
    for i in range(5):
        matmul = x @ params[i]['w']
        add = matmul + params[i]['b']
        x = np.tanh(add)
    return x
""",
    "literals": """
    for rate in (0.5, 0.125, 4.0, 0.25, 0.0, -0.0):
        x = x * rate
    return x
""",
    "shrinking": """
    for _ in range(6):
        getitem = x[1:]
        getitem_1 = x[:-1]
        x = getitem - getitem_1
    return x
""",
}


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path = tmp_path_factory.mktemp("folding") / "loops.py"
    path.write_text(SOURCE, encoding="utf-8")
    return load_module(path)


def body(text: str) -> str:
    """The lines of a graph's function without their comments."""
    lines = text.partition("def ")[2].splitlines()[1:]
    return "\n" + "".join(line.partition("  #")[0].rstrip() + "\n" for line in lines)


@pytest.mark.parametrize("name", EXAMPLES)
def test_loops_run_folded_and_unfolded(name: str, module: ModuleType):
    args = EXAMPLES[name]
    made = trace(getattr(module, name), *args)
    folded = agree(made, *args)
    assert "for " in folded, folded
    if name in LINES and sys.version_info >= (3, 11):  # before, nothing tells which variable a result is assigned to
        assert body(folded) == LINES[name]


def test_a_loop_says_how_often_and_where(module: ModuleType):
    text = trace(module.carried, X).graph.code
    assert "for _ in range(2000):  # 2,000 alike iterations  line 6" in text


def test_few_alike_lines_stay_as_they_are(tmp_path: Path):
    source = "def f(x):\n    for i in range(3):\n        x = x * 2.0 + i\n    return x\n"
    made = traced(tmp_path, source, X)
    assert made.graph.code == code(made.graph, folded=False)


def test_a_hundred_thousand_nodes_are_a_few_lines(tmp_path: Path):
    source = "def f(x):\n    for i in range(50000):\n        x = x * 0.5\n        x = x + i\n    return x\n"
    made = traced(tmp_path, source, X)
    assert len(made.graph.nodes) == 100_001
    folded = made.graph.code
    assert len(folded.splitlines()) in (5, 6)  # with a line to begin with, where variables are not known
    same(run(folded)(X), made.graph.replay(X), folded)


def test_long_graphs_without_loops_print_too(tmp_path: Path):
    source = """\
import numpy as np

def f(x):
    z = 1
    for i in range(2000):
        z = (z * 1103515245 + 12345) % 2147483648
        if z & 256:
            x = x + z
        if z & 512:
            x = x * 0.5
        if z & 1024:
            x = np.sin(x)
    return x
"""
    agree(traced(tmp_path, source, X), X)


def test_long_chains_of_sizes_get_lines_of_their_own(tmp_path: Path):
    source = """\
def f(x):
    n, m = x.shape[0], x.shape[0]
    for i in range(400):
        n = n + 1
    for i in range(40):
        m = m + m
    return x * n, x * m
"""
    agree(traced(tmp_path, source, X), X)


@pytest.mark.parametrize("change", ["y.shape = (1, 3)", "y.resize((1, 3), refcheck=False)"])
def test_sizes_are_asked_before_the_shape_is_set(change: str, tmp_path: Path):
    source = f"def f(x):\n    y = x * 1.0\n    n = y.shape[0]\n    {change}\n    return y * n\n"
    agree(traced(tmp_path, source, X), X)


def test_readable_text_begins_with_the_guards(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = "def f(x):\n    if x.shape[0] > 2:\n        x = x * 2.0\n    return x\n"
    made = traced(tmp_path, source, X)
    made.graph.print_readable()
    written = capsys.readouterr().out
    assert written.splitlines()[0] == "# holds for x.shape[0] > 2  line 2"
    assert written.endswith(made.graph.code)


def test_nodes_of_alike_iterations_share_a_line(module: ModuleType):
    sent = graph_info(trace(module.literals, X).graph, {"x": X}, ("unfolded",))
    lines = [node.line for node in sent.nodes if node.operation != "input"]
    assert len(lines) == 6
    assert set(lines) == {next(at for at, text in enumerate(sent.code.splitlines()) if " * " in text)}
    assert sent.rendered["unfolded"].count(" * ") == 6


def test_pictures_of_large_graphs_are_folded_and_json_is_not(tmp_path: Path):
    source = """\
def f(x, ws):
    for k in range(4):
        for i in range(150):
            x = x * 0.5 + ws[1]
            x = x - i
    return x
"""
    graph = traced(tmp_path, source, X, [X, X]).graph
    assert len(json.loads(graph.to_json())["nodes"]) == len(graph.nodes) == 4 * 150 * 3 + 3
    dot, mermaid = graph.to_dot(), graph.to_mermaid()
    assert dot.count("->") == 6  # x and ws into the loop, from line to line and back, and out
    assert dot.count("subgraph") == mermaid.count("subgraph") == 2
    assert "150 alike iterations" in dot
    assert "4 alike iterations" in mermaid


FOUND = {
    "a table is read after a variable of the loop is set": """
    for i in range(7):
        c = d + more[0]
        kept = [b, a]
        for j in range(5):
            a = sum(kept)
            kept.append(a)
    return a, kept
""",
    "a captured array is named before its first line, not before the first loop that reads it": """
    d = a + WEIGHTS[4]
    for i in range(8):
        b = b + WEIGHTS[4]
        u[-i - 1] = u[-i - 1] + b[1]
    return d, b
""",
    "what an inner loop leaves behind is not what the outer one does": """
    for i in range(3):
        for j in range(8):
            a = c + more[0]
            kept.append(d)
            for k in range(6):
                c = helper(c, c)
                c, a = a, b + c
                b = d - i * 2 + 1
                kept.append(a)
        d -= c
    return b, kept
""",
    "how often a loop runs stands in no table": """
    for i in range(5, -1, -1):
        for j in range(i + 1):
            for k in range(j + 1):
                a -= b
        b, a = a, c + b
    return a, b
""",
}
ARGUMENTS = (np.arange(6), np.arange(6) * 3 - 7, np.arange(8) % 5, [np.arange(6) * k for k in range(5)])


@pytest.mark.parametrize("what", FOUND)
def test_programs_that_were_wrong_once(what: str, tmp_path: Path):
    begin = "def f(a, b, u, more):\n    c = a\n    d = np.zeros(6, dtype=np.int64)\n    kept = [b]"
    made = traced(tmp_path, HEAD + begin + FOUND[what], *ARGUMENTS)
    assert "for " in agree(made, *ARGUMENTS)


@given(program=programs())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_folded_programs_give_what_the_graph_gives(program: str, tmp_path_factory: pytest.TempPathFactory):
    made = traced(tmp_path_factory.getbasetemp(), program, *ARGUMENTS)
    agree(made, *ARGUMENTS)
    agree(made, *[a[::-1].copy() if isinstance(a, np.ndarray) else a[::-1] for a in ARGUMENTS])


def test_iterations_have_calls_as_a_whole_where_that_can_be(tmp_path: Path):
    source = """\
import numpy as np

def act(x):
    return np.tanh(x)

def block(x):
    for i in range(5):
        x = x + 1.0
    return act(x * 0.5)

def f(x):
    x = act(x)
    for k in range(6):
        x = block(x)
    return x
"""
    text = agree(traced(tmp_path, source, X), X)
    lines = [line.split("  #")[0].rstrip() for line in text.splitlines()]
    assert [line.strip() for line in lines if line.strip().startswith("for ")] == [
        "for _ in range(6):",
        "for _ in range(5):",
    ]
    assert text.index("np.tanh") < text.index("for _ in range(6)")


def test_the_turns_of_a_recursion_are_folded_in_text(tmp_path: Path):
    source = "def g(x, n):\n    return x if n == 0 else g(x * 0.5, n - 1) + 1.0\n\ndef f(x):\n    return g(x, 30)\n"
    text = agree(traced(tmp_path, source, X), X)
    assert text.count("for _ in range(30)") == 2
