"""Costs of every function of the lists: bytes against NumPy's arrays, expressions against graphs of other sizes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.coverage.pools import take
from tests.coverage.recipes import RECIPES
from tests.coverage.replay import MAIN, Call, module_of, quiet
from tests.tracer.cost_oracle import alike, bytes_agree, symbols_agree, words_hold
from tracer import trace
from tracer.graph import Graph

_ELSEWHERE = ("scipy.", "np.ma.", "np.random.", "np.strings.", "np.char.", "np.rec.", "np.lib.recfunctions.")
CHOSEN = {name: recipes for name, recipes in RECIPES.items() if recipes and not name.startswith(_ELSEWHERE)}
OTHER = (5, MAIN[1])
GROUPS = sorted({name.rpartition(".")[0] for name in CHOSEN})


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Call]]:
    return module_of(tmp_path_factory.mktemp("costs"), CHOSEN)


def arguments(call: Call, n: int, m: int) -> dict[str, Any]:
    dtype = "d" if "d" in call.dtypes or not call.dtypes else call.dtypes[0]
    return dict(zip(call.roles, take(call.roles, dtype, n, m), strict=True))


def graph_of(call: Call, n: int, m: int) -> Graph | None:
    """The graph of a recipe at some sizes; None where NumPy refuses them."""
    with quiet():
        traced = trace(call.function, *arguments(call, n, m).values())
    return traced.graph if traced.error is None else None


@pytest.mark.parametrize("group", GROUPS)
def test_costs(calls: dict[str, list[Call]], group: str) -> None:
    known = 0
    for name in CHOSEN:
        for call in calls[name] if name.rpartition(".")[0] == group else ():
            graph, other = graph_of(call, *MAIN), graph_of(call, *OTHER)
            if graph is None:
                continue
            known += symbols_agree(graph)
            with quiet():
                bytes_agree(graph, arguments(call, *MAIN))
            if other is not None and alike(graph, other):
                words_hold(graph, other, arguments(call, *OTHER))
    assert known
