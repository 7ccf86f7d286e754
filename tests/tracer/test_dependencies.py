"""What each node reads, with the writes in place that came before it; told by names, as pictures do."""

import json

import numpy as np
import pytest

from tests.tracer.versions import EXACT, NO_COLUMNS
from tracer import trace

BIAS = np.zeros(3)


def by_index(x):
    y = np.zeros(3)
    y[0] = x[1]
    y[1] = x[0]
    return y * 2


def by_operator(x):
    y = x * 2
    y /= 3
    return y


def through_a_view(x):
    y = x * 2
    tail = y[1:]
    tail += 1
    return y - 1


def before_and_after(x):
    y = x * 2
    early = y + 1
    y[0] = 5
    return early - y


def by_a_keyword(x):
    y = np.zeros(3)
    np.copyto(src=x, dst=y)
    return y + 1


def captured(x):
    BIAS[0] = x[0]
    return BIAS + x


def read_only(x):
    y = x * 2
    return y + y


@pytest.mark.skipif(not EXACT, reason=NO_COLUMNS)
@pytest.mark.parametrize(
    ("function", "reads"),
    [
        (by_index, {"setitem": ["y", "getitem"], "setitem_1": ["setitem", "getitem_1"], "mul": ["setitem_1"]}),
        (by_operator, {"y_1": ["y"], "output": ["y_1"]}),
        (through_a_view, {"tail": ["y"], "tail_1": ["tail"], "sub": ["y", "tail_1"]}),
        (before_and_after, {"early": ["y"], "setitem": ["y"], "sub": ["early", "setitem"]}),
        (by_a_keyword, {"copyto": ["x", "y"], "add": ["copyto"]}),
        (captured, {"setitem": ["BIAS", "getitem"], "add": ["setitem", "x"]}),
        (read_only, {"add": ["y"], "output": ["add"]}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_read_is_what_was_written_last(function, reads):
    told = json.loads(trace(function, np.array([1.0, 2.0, 3.0])).graph.to_json())
    found = {node["name"]: node["inputs"] for node in told["nodes"]} | {"output": told["outputs"]}
    assert {name: found.get(name, sorted(found)) for name in reads} == reads
