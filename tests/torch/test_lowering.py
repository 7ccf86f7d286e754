"""A graph in ATen is what PyTorch's own tracer records of the function itself, under our calls."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx

from tracer import make_graph
from tracer.frontends.torch.aten import text
from tracer.report import compare_results, run_plainly


def mixes(x, w):
    return F.layer_norm(F.gelu(x @ w), (4,)).softmax(-1)[0] * x.shape[0]


def attends(x, w):
    q, k = x @ w, x
    return (q @ k.T / math.sqrt(4)).softmax(-1) @ x


def writes(x, w):
    y = torch.zeros(3, 4)
    y[0] = x[0]
    y.add_(w[:3])
    return torch.cat([y, x.cumsum(0)], 1)


def sorts(x, w):
    values, places = torch.sort(x, dim=-1)
    return values + w.max(dim=0).values, places


ARGUMENTS = (torch.linspace(-1.0, 1.0, 12).reshape(3, 4), torch.linspace(0.0, 2.0, 16).reshape(4, 4))


def operations(module) -> list[str]:
    return [str(node.target) for node in module.graph.nodes if node.op == "call_function"]


@pytest.mark.parametrize("function", [mixes, attends, writes, sorts])
@pytest.mark.parametrize("mode", ["real", "fake", "symbolic"])
@pytest.mark.parametrize("before", [False, True], ids=["aten", "pre_dispatch"])
def test_it_has_the_operations_that_make_fx_records(function, mode: str, before: bool):
    graph = make_graph(function, tracing_mode="symbolic")(*ARGUMENTS)
    mine = graph.to_fx(*ARGUMENTS, tracing_mode=mode, pre_dispatch=before)
    theirs = make_fx(function, tracing_mode=mode, pre_dispatch=before)(*ARGUMENTS)
    sizes = "aten.sym_size.int"  # asked anew by each of our nodes
    assert [o for o in operations(mine) if o != sizes] == [o for o in operations(theirs) if o != sizes]
    assert compare_results(run_plainly(mine, ARGUMENTS, {}), run_plainly(function, ARGUMENTS, {}))


def test_where_make_fx_stops_the_example_decides():
    def scaled(x, w):
        if x.sum() > -1:
            x = x / w.max().item()
        return x @ w

    with pytest.raises(RuntimeError):
        make_fx(scaled)(*ARGUMENTS)
    graph = make_graph(scaled, tracing_mode="symbolic")(*ARGUMENTS)
    assert operations(graph.to_fx(*ARGUMENTS))[-2:] == ["aten.div.Tensor", "aten.mm.default"]


def test_the_operations_stand_below_the_calls():
    graph = make_graph(attends, tracing_mode="symbolic")(*ARGUMENTS)
    told = text(graph, ARGUMENTS, {})
    assert "    # matmul = x @ w" in told
    assert "    mm = torch.ops.aten.mm.default(x, w)  # float32[3, 4]\n" in told
    compile(told, "<aten>", "exec")
