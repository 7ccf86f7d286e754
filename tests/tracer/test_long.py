"""Long and deep programs: a hundred thousand operations, chains that anything recursive would fall off, sizes and
sources in their thousands.

What is slow here is wrong: every function takes well under a second or two, where a step that looks at all that was
before takes minutes, and one that visits both operands of a node (`x + x`) would not end.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from tests.tracer.oracle import executed, same
from tracer import GuardError, trace

MANY = 100_000
SOME = 10_000
X = np.linspace(0.1, 1.0, 4)
BIAS = np.linspace(-0.5, 0.5, 4)
TABLES = [np.full(4, float(i)) for i in range(SOME)]
gain = 1.0 - 2**-20
state = np.zeros(4)
log: list[int] = []
seen: dict[int, int] = {}


# ---- a chain, and what comes at its end --------------------------------------------------------------


def decision_at_the_end(x):
    for _ in range(MANY):
        x = x + 1.0
    if x.sum() > 0:
        return x
    return -x


def decision_on_a_number(x):
    c = x.sum()
    for _ in range(SOME):
        c = c + 1
    if c > 0:
        return x
    return -x


def decision_on_a_size(x):
    for _ in range(SOME):
        x = x + 1.0
    if x.shape[0] > 3:
        return x
    return x * 2


def decision_on_a_written_size(x):
    z = np.zeros(4)
    for _ in range(SOME):
        z = z + 1.0
    if z.shape[0] > 3:
        return x + z
    return x


def index_at_the_end(x):
    for _ in range(SOME):
        x = x + 1.0
    return x[x > 5.0]


# ---- writes, views, captured arrays --------------------------------------------------------------------


def written_in_place(x):
    for _ in range(MANY):
        x += 1.0
    return x


def written_item_by_item(x):
    y = np.zeros(4)
    for i in range(SOME):
        y[i % 4] = x[i % 4] + i
    return y


def written_through_views(x):
    for _ in range(SOME):
        v = x[1:]
        v += 1.0
    return x


def views_of_views(x):
    view = x
    for _ in range(SOME):
        view = view[:]
    view[0] = 7.0
    return x


def slices_of_one(x):
    total = x.sum()
    for i in range(SOME):
        total = total + x[i % 4]
    return total


def captured(x):
    for _ in range(MANY):
        x = x + BIAS
    return x


def many_captured(x):
    for i in range(SOME):
        x = x + TABLES[i]
    return x


def hidden_number(x):
    for _ in range(SOME):
        x = x * gain
    return x


def argument_number(x, p):
    for _ in range(SOME):
        x = x * p
    return x


# ---- decisions, sizes, results, state ----------------------------------------------------------------


def decisions(x):
    for i in range(SOME):
        if x[i % 4] > 0:
            x = x + 1.0
    return x


def sizes_added_up(x):
    total = 0
    for _ in range(SOME):
        total = total + x.shape[0]
    return x * total


def sizes_along_a_chain(x):
    for _ in range(SOME):
        x = x + x.shape[0]
    return x


def sizes_decide(x):
    for _ in range(SOME // 4):
        x = x + 1.0
        if x.shape[0] > 3:
            x = x * 0.5
    return x


def numbers_taken_out(x):
    total = 0.0
    for i in range(SOME):
        total += float(x[i % 4])
    return x * total


def stacked(x):
    parts = []
    for _ in range(SOME):
        x = x * 0.999
        parts.append(x)
    return np.stack(parts)


def a_list_of_results(x):
    return [x[i % 4] for i in range(SOME)]


def doubled_array(x):
    z = np.ones(4)
    for _ in range(64):
        z = z + z
    if z.shape[0] > 3:
        return x + z
    return x


def doubled_size(x):
    total = x.shape[0]
    for _ in range(64):
        total = total + total
    return x * float(total)


FUNCTIONS: list[tuple[Any, tuple[Any, ...]]] = [
    (decision_on_a_number, (X,)),
    (decision_on_a_size, (X,)),
    (decision_on_a_written_size, (X,)),
    (index_at_the_end, (X,)),
    (written_in_place, (X,)),
    (written_item_by_item, (X,)),
    (written_through_views, (X,)),
    (views_of_views, (X,)),
    (slices_of_one, (X,)),
    (captured, (X,)),
    (many_captured, (X,)),
    (hidden_number, (X,)),
    (argument_number, (X, 0.9999)),
    (decisions, (X,)),
    (sizes_added_up, (X,)),
    (sizes_along_a_chain, (X,)),
    (sizes_decide, (X,)),
    (numbers_taken_out, (X,)),
    (stacked, (X,)),
    (a_list_of_results, (X,)),
    (doubled_array, (X,)),
    (doubled_size, (X,)),
]


@pytest.mark.parametrize(("function", "args"), FUNCTIONS, ids=lambda value: getattr(value, "__name__", ""))
def test_long_programs_give_the_functions_own_results(function, args):
    traced = trace(function, *copy.deepcopy(args))
    assert traced.error is None, traced.error
    other = (args[0] * 1.25, *args[1:])
    same(traced.graph(*copy.deepcopy(args)), function(*copy.deepcopy(args)), "called")
    same(traced.graph.replay(*copy.deepcopy(other)), function(*copy.deepcopy(other)), "replayed")


def test_a_decision_at_the_end_of_a_long_chain_is_a_guard():
    graph = trace(decision_at_the_end, X).graph
    assert len(graph.nodes) == MANY + 1
    same(graph(X), decision_at_the_end(X), "called")
    with pytest.raises(GuardError):
        graph(X - 2.0 * MANY)


def test_a_decision_in_every_turn_of_a_long_loop_is_a_guard():
    graph = trace(decisions, X).graph
    assert len(graph.guards) == SOME
    with pytest.raises(GuardError):
        graph(np.array([0.5, 0.5, -3.0, 0.5]))


# ---- printing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [index_at_the_end, captured, stacked, views_of_views, sizes_added_up, doubled_size],
    ids=lambda f: f.__name__,
)
def test_long_graphs_print_as_python(function):
    traced = trace(function, X)
    same(executed(traced)(X.copy()), function(X.copy()), "printed and executed")


# ---- state that changes --------------------------------------------------------------------------------


def appends(x):
    for i in range(SOME):
        log.append(i)  # noqa: PERF402  # an append a turn is what is traced
    return x + 1.0


def fills_a_dictionary(x):
    for i in range(SOME):
        seen[i] = i  # noqa: PERF403
    return x + 1.0


def fills_an_array(x):
    for i in range(SOME):
        state[i % 4] = x[i % 4]
    return x + 1.0


def appends_to_an_argument(x, out):
    for i in range(SOME):
        out.append(i)
    return x + 1.0


def draws(x):
    for _ in range(SOME):
        x = x + np.random.rand(4)
    return x


@pytest.mark.parametrize(
    ("function", "args", "code"),
    [
        (appends, (X,), "NST304"),
        (fills_a_dictionary, (X,), "NST304"),
        (fills_an_array, (X,), "NST304"),
        (appends_to_an_argument, (X, []), "NST302"),
        (draws, (X,), "NST206"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_changes_in_a_long_loop_are_told_once(function, args, code):
    log.clear()
    seen.clear()
    traced = trace(function, *copy.deepcopy(args))
    assert traced.error is None, traced.error
    assert [(finding.code, finding.count) for finding in traced.findings if finding.code == code] == [(code, SOME)]
