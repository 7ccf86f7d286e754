"""Groups: each node is in the calls that the interpreter was in when it was made, and in one iteration of a loop."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.tracer.calling import programs, stands
from tests.tracer.versions import EXACT, NO_COLUMNS
from tracer import Trace, load_module, trace
from tracer.exports import model_explorer
from tracer.graph import Graph
from tracer.nodes import Kind
from tracer.positions import FILES
from tracer.report import graph_info
from tracer.worker.wire import GroupInfo, GroupKind, Place

X = np.linspace(0.1, 0.9, 9).reshape(3, 3)
_numbers = itertools.count()


def traced(folder: Path, source: str, *args: Any) -> Trace:
    path = folder / f"groups_{next(_numbers)}.py"
    path.write_text(source, encoding="utf-8")
    made = trace(load_module(path).f, *(args or (X,)))
    assert made.error is None, made.error
    return made


def text_at(place: Place) -> str:
    """The text of a place that is in one line."""
    span = place.span
    return FILES[place.path].lines[span.line - 1][span.column - 1 : span.end_column - 1]


def tree(graph: Graph) -> str:
    """The groups as text, with the functions that their own nodes call; of a loop, the first iteration."""
    groups = graph.groups
    lines = [" ".join(_called(graph, None))]
    depths: dict[int, int] = {}
    for index, group in enumerate(groups.listed):
        depth = depths[index] = 0 if group.parent is None else depths[group.parent] + 1
        later = any(groups.listed[i].label != "iteration 1" for i in _turns(groups.listed, index))
        if not later:
            at = f" at {text_at(group.place)}" if group.kind is GroupKind.LOOP and group.place is not None else ""
            lines.append(f"{'  ' * depth}{group.label}{at}: {' '.join(_called(graph, index))}".rstrip())
    return "\n".join(lines) + "\n"


def _called(graph: Graph, group: int | None) -> list[str]:
    names = [getattr(n.function, "__name__", n.kind.value) for n in graph.nodes if graph.groups.of.get(n) == group]
    return [name for name in names if name != "input"]


def _turns(groups: tuple[GroupInfo, ...], index: int | None) -> Iterator[int]:
    """The iterations that a group is in."""
    while index is not None:
        if groups[index].kind is GroupKind.ITERATION:
            yield index
        index = groups[index].parent


# ---- calls -------------------------------------------------------------------------------------------

LAYERS = """\
import functools
import numpy as np

def lin(h):
    return h @ h

def act(h):
    return np.tanh(h)

def block(h):
    return act(lin(h))

"""

CASES: dict[str, tuple[str, str]] = {
    "calls nest, and the traced function is none": (
        """
def f(x):
    y = np.exp(x)
    return block(y) + act(y)
""",
        """\
exp add
block(y):
  lin(h): matmul
  act(lin(h)): tanh
act(y): tanh
""",
    ),
    "methods, super, properties, operators": (
        """
class Base:
    def forward(self, x):
        return x + 1

class Layer(Base):
    def forward(self, x):
        return super().forward(x) * 2
    def __call__(self, x):
        return self.forward(x)
    def __matmul__(self, x):
        return x - 1
    @property
    def ones(self):
        return np.ones(3)

layer = Layer()

def f(x):
    return layer(x) + (layer @ x) + layer.ones
""",
        """\
add add
layer(x):
  self.forward(x): mul
    super().forward(x): add
layer @ x: sub
layer.ones: ones
""",
    ),
    "a decorator's wrapper is the call of the function it wraps": (
        """
def twice(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) * 2
    return wrapper

@twice
def g(x):
    return x + 1

def f(x):
    return g(x)
""",
        """\

g(x): mul
  g: function(*args): add
""",
    ),
    "recursion nests, though its turns are alike": (
        """
def g(x, n):
    if n == 0:
        return x
    return g(x * 2, n - 1) + 1

def f(x):
    return g(x, 5)
""",
        """\

g(x, 5): mul add
  g(x * 2, n - 1): mul add
    g(x * 2, n - 1): mul add
      g(x * 2, n - 1): mul add
        g(x * 2, n - 1): mul add
""",
    ),
    "the traced function called by itself": (
        """
def f(x, n=2):
    return x if n == 0 else f(x * 2, n - 1)
""",
        """\
mul
f(x * 2, n - 1): mul
""",
    ),
    "nested functions, lambdas, and what only puts off an operand": (
        """
def f(x):
    def g(y):
        return y * 2
    h = lambda z: g(z) - 1
    return h(x) if 0 < x[0, 0] < x[1, 1] * 2 else x
""",
        """\

h(x): sub
  g(z): mul
""",
    ),
    "functions that libraries call": (
        """
def f(x):
    a = functools.reduce(lambda p, q: p * q, [x, x])
    b = list(map(act, [x, a]))
    return sorted([x, a], key=lambda y: y.sum())[0] + b[0] + b[1]
""",
        """\
add add
functools.reduce(lambda p, q: p * q, [x, x]): mul
list(map(act, [x, a])): tanh
list(map(act, [x, a])): tanh
""",
    ),
    "a function in a variable is told by its own name": (
        """
def scan(fn, x):
    return fn(x, x)

def f(x):
    def step(a, b):
        return a + b
    return scan(step, x)
""",
        """\

scan(step, x):
  step: fn(x, x): add
""",
    ),
    "a generator is resumed by a loop": (
        """
def steps(x):
    for i in range(5):
        yield x * i

def f(x):
    y = x
    for step in steps(x):
        y = y + step
    return y
""",
        """\

5 alike iterations at steps(x):
  iteration 1: add
    steps(x): mul
""",
    ),
    "a generator is resumed from different functions": (
        """
def steps(x):
    while True:
        x = x * 2
        yield x

def first(it):
    return next(it)

def second(it):
    return next(it)

def f(x):
    it = steps(x)
    return first(it) + second(it) + first(it)
""",
        """\
add add
first(it):
  steps: next(it): mul
second(it):
  steps: next(it): mul
first(it):
  steps: next(it): mul
""",
    ),
    "a generator is drained": (
        """
def steps(x):
    for i in range(5):
        yield x * i

def f(x):
    return np.stack(list(steps(x)))
""",
        """\
stack
list(steps(x)):
  5 alike iterations at range(5):
    iteration 1: mul
""",
    ),
    "rows are made where they are asked for": (
        """
def first(rows):
    return next(rows)

def f(x):
    rows = iter(x)
    return first(rows) + first(rows)
""",
        """\
add
first(rows): getitem
first(rows): getitem
""",
    ),
    # ---- loops
    "a loop of calls, with the same call before it": (
        """
def f(x):
    h = act(x)
    for i in range(5):
        h = block(h)
    return h
""",
        """\

act(x): tanh
5 alike iterations at range(5):
  iteration 1:
    block(h):
      lin(h): matmul
      act(lin(h)): tanh
""",
    ),
    "loops in loops, and in calls": (
        """
def many(x):
    for i in range(4):
        for j in range(5):
            x = x + 1
        x = x * 2
    return x

def f(x):
    k = 0
    while k < 4:
        x = many(x)
        k += 1
    return x
""",
        """\

4 alike iterations at k < 4:
  iteration 1:
    many(x):
      4 alike iterations at range(4):
        iteration 1: mul
          5 alike iterations at range(5):
            iteration 1: add
""",
    ),
    "comprehensions belong to the function around them": (
        """
def f(x):
    return np.stack([act(x * i) for i in range(6)])
""",
        """\
stack
6 alike iterations at range(6):
  iteration 1: mul
    act(x * i): tanh
""",
    ),
    "a loop over what another makes on demand": (
        """
def f(x):
    y = x
    for step in (act(x * i) for i in range(6)):
        y = y + step
    return y
""",
        """\

6 alike iterations at (act(x * i) for i in range(6)):
  iteration 1: mul add
    act(x * i): tanh
""",
    ),
    "the iterable is worked out before the loop": (
        """
def f(x):
    for i in range(4):
        for row in [x[0] * 2, x[1] * 3]:
            x = x + row
    return x
""",
        """\

4 alike iterations at range(4):
  iteration 1: getitem mul getitem mul add add
""",
    ),
    "no loop of the source": (
        """
def f(x):
    x = block(x)
    x = block(x)
    x = block(x)
    return block(x)
""",
        """\

4 alike iterations:
  iteration 1:
    block(x):
      lin(h): matmul
      act(lin(h)): tanh
""",
    ),
    "what is read in every iteration is in none": (
        """
weight, bias = np.ones(3), np.zeros(3)

def g(x):
    return x * weight

def f(x):
    for i in range(5):
        x = g(x)
    return x + act(bias)
""",
        """\
constant add
5 alike iterations at range(5):
  iteration 1:
    g(x): mul
act(bias): constant tanh
""",
    ),
    "iterations have calls as a whole": (
        """
def g(x, first):
    if not first:
        x = x - 1
    return x * 2

def f(x):
    for i in range(6):
        x = g(x, i == 0)
    return x
""",
        """\

g(x, i == 0): mul
5 alike iterations at range(6):
  iteration 1:
    g(x, i == 0): sub mul
""",
    ),
}


@pytest.mark.skipif(not EXACT, reason=NO_COLUMNS)
@pytest.mark.parametrize("case", CASES)
def test_nodes_are_in_their_groups(case: str, tmp_path: Path):
    source, expected = CASES[case]
    made = traced(tmp_path, LAYERS + source)
    check(made.graph)
    assert tree(made.graph) == expected


@pytest.mark.skipif(not EXACT, reason=NO_COLUMNS)
def test_a_call_is_told_with_its_place(tmp_path: Path):
    made = traced(tmp_path, LAYERS + "\ndef f(x):\n    return lin(block(x * 2).T) + lin(\n        x)\n")
    outer, _, _, second, third = made.graph.groups.listed
    assert [outer.place is not None and text_at(outer.place), outer.label] == ["block(x * 2)", "block(x * 2)"]
    assert [second.place is not None and text_at(second.place)] == ["lin(block(x * 2).T)"]
    assert third.label == "lin( x)"
    assert third.place is not None
    assert third.place.span.end_line == third.place.span.line + 1


def test_a_long_label_is_cut(tmp_path: Path):
    made = traced(tmp_path, LAYERS + f"\ndef f(x):\n    return lin({' + '.join(['x'] * 40)})\n")
    (group,) = made.graph.groups.listed
    assert len(group.label) == 60
    assert group.label.endswith("…")


def test_without_source_there_are_no_calls_and_helpers_are_told():
    from tests.tracer import test_groups

    scope: dict[str, Any] = {"np": np, "known": test_groups._known}
    exec("def g(x):\n    return np.exp(x)\n\ndef f(x):\n    return g(x) + known(x)", scope)
    made = trace(scope["f"], X)
    assert made.error is None
    check(made.graph)
    assert {group.label for group in made.graph.groups.listed} <= {"_known(…)"}


def _known(x):
    return x * 2


# ---- what holds of every graph -----------------------------------------------------------------------


def check(graph: Graph) -> None:
    """The groups are a tree in preorder, nobody's are empty, and a loop is made of alike iterations."""
    groups, of = graph.groups.listed, graph.groups.of
    open_: list[int] = []
    for index, group in enumerate(groups):
        while open_ and open_[-1] != group.parent:
            open_.pop()
        assert group.parent == (open_[-1] if open_ else None)
        open_.append(index)
        above = groups[group.parent].kind if group.parent is not None else None
        assert (group.kind is GroupKind.ITERATION) is (above is GroupKind.LOOP)
    members: dict[int, list[int]] = {index: [] for index in range(len(groups))}
    for position, node in enumerate(graph.nodes):
        assert of.get(node) is None or groups[of[node]].kind is not GroupKind.LOOP
        for group_index in _around(groups, of.get(node)):
            if node.kind is Kind.CALL:
                members[group_index].append(position)
    assert all(members.values())
    for index, group in enumerate(groups):
        turns = [i for i, g in enumerate(groups) if g.parent == index]
        if group.kind is GroupKind.LOOP:
            assert group.label == f"{len(turns)} alike iterations"
            assert [groups[i].label for i in turns] == [f"iteration {n + 1}" for n in range(len(turns))]
            assert len({_form(graph, members[i]) for i in turns}) == 1
            assert all(members[a][-1] < members[b][0] for a, b in itertools.pairwise(turns))


def _around(groups: tuple[GroupInfo, ...], group: int | None) -> Iterator[int]:
    while group is not None:
        yield group
        group = groups[group].parent


def _form(graph: Graph, members: list[int]) -> tuple[Any, ...]:
    """What alike iterations have in common: the functions called, and where."""
    nodes = [graph.nodes[position] for position in members]
    return tuple((node.function, node.code, node.lasti) for node in nodes)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_calls_are_those_that_the_interpreter_was_in(tmp_path: Path, source: str):
    stands.clear()
    graph = traced(tmp_path, source).graph
    check(graph)
    groups, of = graph.groups.listed, graph.groups.of
    operations = [node for node in graph.nodes if node.kind is Kind.CALL]
    for node, stand in zip(operations, stands, strict=True):
        calls = [groups[i] for i in _around(groups, of.get(node)) if groups[i].kind is GroupKind.CALL][::-1]
        assert [call.place and call.place.span.line for call in calls] == [line for _, line in stand]
        if EXACT:
            assert all(name in call.label or name == "<lambda>" for call, (name, _) in zip(calls, stand, strict=True))
    for group in groups:
        if group.kind is not GroupKind.LOOP or group.place is None:
            continue
        assert not EXACT or text_at(group.place).startswith(("range(", "a(x)", "b(x)", "c(x)", "(x,)"))


def test_constants_and_inputs_are_shown_with_the_groups(tmp_path: Path):
    made = traced(tmp_path, LAYERS + "\nTABLE = np.ones(3)\n\ndef f(x):\n    return act(x + TABLE) + TABLE\n")
    (constant, *_) = [node for node in made.graph.nodes if node.kind is Kind.CONSTANT]
    assert constant not in made.graph.groups.of
    assert all(node not in made.graph.groups.of for node in made.graph.inputs)


# ---- what is sent and drawn --------------------------------------------------------------------------

LOOPED = LAYERS + "\ndef f(x):\n    for i in range({}):\n        x = block(x) / 2\n    return x\n"


def test_a_report_has_the_groups(tmp_path: Path):
    graph = traced(tmp_path, LOOPED.format(5)).graph
    info = graph_info(graph, {"x": X})
    assert info.groups == graph.groups.listed
    assert len(info.groups) == 1 + 5 * 4
    by_name = {node.name: node for node in info.nodes}
    group = by_name["tanh_1"].group
    labels = [info.groups[i].label for i in _around(info.groups, group)]
    assert labels == ["act(lin(h))", "block(x)", "iteration 2", "5 alike iterations"] or not EXACT
    assert by_name["x"].group is None


def test_of_a_graph_that_is_sent_in_part_the_groups_of_that_part_are_sent(tmp_path: Path):
    graph = traced(tmp_path, LOOPED.format(7000)).graph
    sent = graph_info(graph, {"x": X})
    assert len(graph.nodes) > len(sent.nodes) == 20_000
    assert sent.groups[0].label == "7,000 alike iterations"
    assert {node.group for node in sent.nodes} - {None} <= set(range(len(sent.groups)))
    assert sum(group.label == "lin(h)" for group in sent.groups) == (20_000 + 1) // 3 or not EXACT


def test_pictures_show_the_groups(tmp_path: Path):
    graph = traced(tmp_path, LOOPED.format(5)).graph
    dot, mermaid = graph.to_dot(), graph.to_mermaid()
    groups = graph.groups.listed
    assert dot.count("subgraph cluster_") == mermaid.count("subgraph ") == len(groups)
    assert dot.count("{name=") == len(graph.nodes)
    assert dot.count("\n    }") + dot.count("        }") > 0
    assert mermaid.count("\n        end") + mermaid.count("\n    end\n") > 0
    for group in groups:
        assert f'label="{group.label}"' in dot
        assert f'["{group.label}"]' in mermaid


ESCAPED = """\
import numpy as np

def named(x, name):
    return x * len(name)

def f(x):
    return named(x, "a|b{}<>\\"'\\\\\\n`")
"""


def test_labels_stand_as_they_are_in_pictures(tmp_path: Path):
    """A backslash ends no string of DOT before its time, and begins no escape; nor do others in Mermaid."""
    graph = traced(tmp_path, ESCAPED).graph
    [group] = graph.groups.listed
    assert group.label == r"""named(x, "a|b{}<>\"'\\\n`")""" or not EXACT
    [line] = [line for line in graph.to_dot().splitlines() if line.strip().startswith("label=")]
    written = re.match(r'"((?:[^"\\]|\\.)*)"; fontname', line.strip().removeprefix("label="))
    assert written is not None
    assert re.sub(r"\\(.)", r"\1", written[1]) == group.label
    [line] = [line for line in graph.to_mermaid().splitlines() if line.strip().startswith("subgraph")]
    label = line.strip().removeprefix('subgraph g0["').removesuffix('"]')
    assert not set('"\\`<>[]') & set(label)
    assert re.sub(r"#(\d+);", lambda found: chr(int(found[1])), label) == group.label


MANAGERS = """\
from contextlib import contextmanager

@contextmanager
def scaled(x):
    yield x * 2

def f(x):
    with scaled(x) as y:
        z = y + 1
    with scaled(x) as y, scaled(y) as w:
        z = z - w
    return z
"""


@pytest.mark.skipif(not EXACT, reason="without columns a call is told by its line")
def test_a_context_manager_is_told_without_the_block(tmp_path: Path):
    labels = [group.label for group in traced(tmp_path, MANAGERS).graph.groups.listed]
    assert labels[0] == "scaled(x)"
    assert labels[1] in ("scaled(x)", "scaled(x) as y, scaled(y)")  # by version
    assert not any("with" in label or "z" in label for label in labels)


def test_a_large_picture_is_folded_with_its_calls(tmp_path: Path):
    graph = traced(tmp_path, LOOPED.format(600)).graph
    dot = graph.to_dot()
    assert dot.count("{name=") == 4  # x, and an iteration
    assert dot.count("subgraph cluster_") == 4
    assert "600 alike iterations" in dot
    assert not EXACT or [dot.index(f'label="{text}"') for text in ("block(x)", "lin(h)", "act(lin(h))")] == sorted(
        dot.index(f'label="{text}"') for text in ("block(x)", "lin(h)", "act(lin(h))")
    )


def test_json_has_the_groups(tmp_path: Path):
    graph = traced(tmp_path, LOOPED.format(5)).graph
    data = json.loads(graph.to_json())
    groups = graph.groups
    assert [group["label"] for group in data["groups"]] == [group.label for group in groups.listed]
    assert [node["group"] for node in data["nodes"]] == [groups.of.get(node) for node in graph.nodes]
    assert data["groups"][0] | {"label": ""} == {"kind": "loop", "label": "", "parent": None, "line": 15}


def test_model_explorer_has_a_namespace_for_each_group(tmp_path: Path):
    source = LAYERS + "\ndef f(x):\n    y = block(x) / 2\n    y = block(x) / 3 + y\n    return lin(x / y)\n"
    (graph,) = json.loads(model_explorer(traced(tmp_path, source).graph))["graphs"]
    spaces = [node["namespace"] for node in graph["nodes"]]
    told = graph["groupNodeAttributes"]
    assert {space for space in spaces if space} <= set(told)
    assert len(told) == 7
    assert told[spaces[1].rpartition("/")[0]] == {"kind": "call", "source": "line 15"}
    if EXACT:
        assert spaces[1:3] == ["block(x)/lin(h)", "block(x)/act(lin(h))"]
        assert "block(x) (2)/lin(h)" in spaces
        assert "lin(x ∕ y)" in spaces


def test_deep_groups_are_drawn(tmp_path: Path):
    source = "def g(x, n):\n    return x if n == 0 else g(x * 2, n - 1) + 1\n\ndef f(x):\n    return g(x, 150)\n"
    graph = traced(tmp_path, source).graph
    check(graph)
    assert graph.to_dot().count("subgraph") == graph.to_mermaid().count("subgraph") == 150
