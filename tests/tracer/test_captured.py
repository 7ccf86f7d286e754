"""Captured arrays: the graph starts from what the function found, and follows what it writes into its own copy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tracer.oracle import executed, same
from tracer import GuardError, load_module, trace

SOURCE = """
import numpy as np

table = np.array([1.0, 2.0, 3.0])

class Running:
    def __init__(self):
        self.mean = np.zeros(3)

    def update(self, x):
        self.mean += 0.1 * x.mean(axis=0)
        return x - self.mean

def into_out(x):
    np.multiply(x, 2, out=table)
    return table + 1

def by_slice(x):
    table[:] = table + x
    return table * 2

def by_item(x):
    table[0] = x[0]
    return table.sum()

def by_name(x):
    alias = table
    alias += x
    return table - alias + x
"""


def module(folder: Path) -> Any:
    path = folder / "captured.py"
    path.write_text(SOURCE)
    return load_module(path)


@pytest.mark.parametrize("name", ["into_out", "by_slice", "by_item", "by_name"])
def test_a_graph_follows_what_is_written_into_a_global(name: str, tmp_path: Path) -> None:
    found = trace(getattr(module(tmp_path), name), np.ones(3))
    for x in (np.ones(3), np.array([5.0, -1.0, 0.5])):
        plain = getattr(module(tmp_path), name)(x.copy())
        same(found.graph.replay(x.copy()), plain, "replayed")
        same(executed(found)(x.copy()), plain, found.graph.code)


def test_a_graph_starts_from_what_the_method_found(tmp_path: Path) -> None:
    running = module(tmp_path).Running()
    found = trace(running.update, np.arange(6.0).reshape(2, 3))
    for x in (np.arange(6.0).reshape(2, 3), np.full((2, 3), 7.0)):
        plain = module(tmp_path).Running().update(x.copy())
        same(found.graph.replay(x.copy()), plain, "replayed")


def test_constant_arguments_and_defaults_are_guarded(tmp_path: Path) -> None:
    path = tmp_path / "defaults.py"
    path.write_text('def f(x, k=2, how="mean"):\n    return x * k if how == "mean" else x\n')
    graph = trace(load_module(path).f, np.ones(2)).graph
    same(graph(np.ones(2)), np.full(2, 2.0), "called")
    with pytest.raises(GuardError, match="k == 2"):
        graph(np.ones(2), k=5)
    with pytest.raises(GuardError, match="how == 'mean'"):
        graph(np.ones(2), how="other")


WITNESSED = """
import numpy as np

weights = np.linspace(0.0, 1.0, 120).reshape(8, 15) ** 2
chosen = np.arange(40) % 3 == 0

def renew():
    global weights, chosen
    weights, chosen = weights + 2, chosen[::-1].copy()

def f(x):
    return x @ weights

def g(x):
    return np.where(chosen, x, 0.0)
"""


@pytest.mark.parametrize(("function", "name", "text"), [("f", "weights", "weights + 1"), ("g", "chosen", "~chosen")])
def test_a_witness_tells_a_large_array_in_terms_of_what_it_was(tmp_path: Path, function: str, name: str, text: str):
    path = tmp_path / "witnessed.py"
    path.write_text(WITNESSED)
    loaded = load_module(path)
    x = np.ones(8 if function == "f" else 40)
    (found,) = trace(getattr(loaded, function), x, verify=True).findings
    assert found.witness is not None
    assert found.witness.arguments[name] == text
    setattr(loaded, name, eval(text, vars(loaded)))
    assert found.witness.function.startswith(repr(getattr(loaded, function)(x))[:20])
