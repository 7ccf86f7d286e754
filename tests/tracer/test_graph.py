"""The graph itself: its text, its nodes and where they come from, and what it takes from outside."""

from __future__ import annotations

import copy
import inspect
import json
from typing import Any

import numpy as np
import pytest

from tests.tracer.gaps import cases
from tests.tracer.oracle import agrees, executed, same
from tests.tracer.versions import EXACT, NO_COLUMNS
from tracer import load_module, make_graph, trace

X = np.linspace(-1.0, 2.0, 6).reshape(2, 3)
table = np.array([1.0, 2.0, 3.0])
window = table[1:]
large = np.linspace(0.0, 1.0, 20_000)
special = np.array([np.nan, np.inf, -np.inf, -0.0])
names = np.array(["one", "two"])
when = np.array(["2020-01-01", "NaT"], dtype="datetime64[D]")
record = np.array([(1, 2.5), (3, 4.5)], dtype=[("count", "i4"), ("weight", "f8")])
settings: dict[str, Any] = {"scale": np.float32(0.1), "offset": [1.5, -0.0]}


def reads_captured_arrays(x):
    return x * table + special[0] - large[:3]


def reads_special_numbers(x):
    return special, x


def reads_text_and_dates(x):
    return names, when, x, record["weight"] * 2


def writes_into_a_captured_array(x):
    table[0] += x[0, 0]
    return table * x


def reads_two_views_of_one_memory(x):
    window[0] = 50.0
    return table + x, window


def reads_settings(x):
    return x * settings["scale"] + settings["offset"][0]


def uses_special_numbers(x):
    return (
        x * np.inf,
        x + -0.0,
        np.nan_to_num(x, nan=np.nan),
        x * (1 + 2j),
        np.where(x > 0, np.nan, -np.inf),
        x * 1e-320,
        x + 2**62,
    )


def uses_numpy_scalars(x):
    return (
        x * np.float32(0.1),
        x + np.int8(3),
        x * np.float64(0.1),
        np.float16(2) * x,
        x + np.uint64(7),
        x * np.bool_(True),
    )


def uses_dtypes(x):
    return x.astype("f4"), x.astype(np.dtype(">f8")), x.astype([("a", float)])["a"], np.zeros(3, "i2"), x.view("u8")


def uses_slices(x):
    rows = slice(None, None, -1)
    return x[rows, ::2], x[..., None], x[np.s_[:1]], x[(0, slice(1, None))]


def uses_text(x):
    return np.einsum("ij,kj->ik", x, x), np.sort(x, kind="stable"), np.char.add(names, "'\"\n"), x.astype(str)


def uses_a_power(power, x):
    return x**power


def shadows(nan, inf, np_, array, operator):
    return nan * inf + array - operator * np_


def nested_functions(x):
    def inner(y):
        return y * scale

    scale = x.max()
    return [f(x) for f in (inner, lambda y: y - scale, np.exp)]


def comprehensions(x):
    return {n: x * n for n in range(3)}, sum(row for row in x), [x[i] for i in range(2) if i]


def control_flow(x):
    total = x[0] * 0
    for i in range(10):
        if i % 2:
            continue
        total = total + x[i % 2] / (i + 1)
        if i > 6:
            break
    else:
        total = total * 0
    try:
        total = total + x[5]
    except IndexError:
        total = total - 1
    finally:
        total = total * 2
    while True:
        return total


def walrus_and_star(x):
    if (n := x * 2) is not None:
        first, *rest = [n, x, x + 1]
        return first, rest, np.add(*rest)
    return x


def recursion(x, depth=3):
    return x if depth == 0 else np.sin(recursion(x * 2, depth - 1))


def generators(x):
    def rows(a):
        for row in a:
            yield row * 2

    return np.stack(list(rows(x))), sum(r.sum() for r in rows(x))


def augmented_names(x):
    x = x + 1
    x += 1
    y = x
    y *= 2
    return x, y


def match_statement(x):
    match x.shape[0]:
        case 2:
            return x * 2
        case _:
            return x


def context_manager(x):
    with np.errstate(divide="ignore"):
        return 1 / (x - x[0, 0])


PROGRAMS = [
    reads_captured_arrays, reads_special_numbers, reads_text_and_dates, reads_two_views_of_one_memory, reads_settings,
    uses_special_numbers, uses_numpy_scalars, uses_dtypes, uses_slices, uses_text, nested_functions, comprehensions,
    control_flow, walrus_and_star, recursion, generators, augmented_names, match_statement, context_manager,
]  # fmt: skip


@pytest.mark.parametrize("function", cases(PROGRAMS))
def test_printed_graphs_give_the_functions_bits(function: Any) -> None:
    before = table.copy()
    try:
        plain = copy.deepcopy(function(X.copy()))  # a result may be a view of the table
    finally:
        table[:] = before
    traced = trace(function, X)
    assert traced.error is None
    same(traced.graph.replay(X.copy()), plain, "replayed")
    same(executed(traced)(X.copy()), plain, f"printed\n{traced.graph.code}\n")
    same(traced.output, plain, "the trace's own output")
    same(table, before, "a global array after the trace")


def test_parameters_named_like_what_the_text_needs() -> None:
    args = [X, X + 1, X + 2, X + 3, X + 4]
    agrees(shadows, *args)
    source = (
        "import numpy as np\ndef f(np_, np, array, len, nan, inf):\n    return np + array * len - nan / inf + np_\n"
    )
    scope: dict[str, Any] = {}
    exec(source, scope)
    agrees(scope["f"], *args, X)


def test_a_graph_never_touches_the_live_arrays() -> None:
    before = table.copy()
    try:
        graph = trace(writes_into_a_captured_array, X).graph
        same(table, before, "after the trace")
        first = graph.replay(X)
        same(table, before, "after a replay")
        same(graph.replay(X), first, "the second replay")
    finally:
        table[:] = before


def test_a_graph_does_not_follow_later_changes() -> None:
    before = table.copy()
    graph = trace(reads_captured_arrays, X).graph
    wanted = graph.replay(X)
    try:
        table[:] = 0
        same(graph.replay(X), wanted)
    finally:
        table[:] = before


def test_two_traces_print_the_same_text() -> None:
    for function in PROGRAMS:
        assert trace(function, X).graph.code == trace(function, X).graph.code


@pytest.mark.skipif(not EXACT, reason=NO_COLUMNS)
def test_lines_are_named_after_the_users_variables() -> None:
    def normalise(x):
        centre = x.mean(axis=0)
        shifted = x - centre
        return shifted / shifted.std()

    code = make_graph(normalise, tracing_mode="symbolic")(X).code
    lines = [line.split("#")[0].strip() for line in code.splitlines()]
    assert "def normalise(x):" in lines
    assert "centre = x.mean(axis=0)" in lines
    assert "shifted = x - centre" in lines


def test_lines_say_shape_and_source_line() -> None:
    code = make_graph(recursion)(X, 1).code
    number = inspect.getsourcelines(recursion)[1] + 1
    assert f"float64[2, 3]  line {number}" in code


def test_what_nothing_needs_is_left_out() -> None:
    def wasteful(x):
        np.exp(x)
        unused = x @ x.T
        y = np.zeros(3)
        y[0] = 5.0
        del unused
        return x + 1

    code = agrees(wasteful, X).graph.code
    assert "exp" not in code
    assert "@" not in code
    assert "zeros" not in code


def test_exports_hold_every_node() -> None:
    graph = make_graph(reads_captured_arrays)(X)
    assert graph.to_dot().startswith("digraph")
    assert graph.to_mermaid().splitlines()[0].split()[0] in ("flowchart", "graph")
    data = json.loads(graph.to_json())
    assert len(data["nodes"]) == len(graph.nodes)
    assert json.loads(graph.to_json()) == data


def test_a_loaded_module_and_an_imported_function_give_one_graph(tmp_path: Any) -> None:
    source = (
        "import numpy as np\n\ndef f(x):\n    if x.shape[0] > 1:\n        return np.zeros(x.shape[0]) + x.sum(axis=1)\n"
    )
    path = tmp_path / "twice.py"
    path.write_text(source, encoding="utf-8")
    scope: dict[str, Any] = {"__name__": "twice"}
    exec(compile(source, str(path), "exec"), scope)
    loaded, imported = trace(load_module(path).f, X), trace(scope["f"], X)
    assert loaded.graph.code == imported.graph.code
    assert [guard.text for guard in loaded.guards] == [guard.text for guard in imported.guards] == ["x.shape[0] > 1"]


def test_without_source_operators_are_still_recorded() -> None:
    scope: dict[str, Any] = {"np": np}
    exec("def f(x):\n    return np.exp(x) * 2 + x[0]", scope)
    traced = agrees(scope["f"], X, others=[[X * 2]])
    assert traced.recorded == "operators"


def test_a_lambda_and_a_partial() -> None:
    import functools

    agrees(lambda x: x * 2 + np.ones(x.shape), X, others=[[X[:1]]])
    agrees(functools.partial(uses_a_power, 3), X)


def test_what_the_function_raises_is_raised_by_make_graph_and_told_by_trace() -> None:
    def fails(x):
        return x @ x

    with pytest.raises(ValueError, match="matmul"):
        make_graph(fails)(X)
    traced = trace(fails, X)
    assert isinstance(traced.error, ValueError)
    assert [finding.code for finding in traced.findings] == ["NST501"]
    assert traced.findings[0].text == ("x @ x" if EXACT else "return x @ x")


def test_misuse_is_named() -> None:
    with pytest.raises(TypeError):
        trace(recursion)
    with pytest.raises(ValueError, match="mode"):
        trace(recursion, X, mode="imaginary")


def test_a_long_graph_replays_and_prints() -> None:
    def long(x):
        for _ in range(3000):
            x = x + 1
        return x

    graph = agrees(long, X).graph
    assert len([node for node in graph.nodes if node.function is not None]) == 3000
