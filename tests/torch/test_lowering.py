"""The operations of ATen below the user's calls are those that PyTorch's own tracer records of the function itself."""

from __future__ import annotations

import builtins
import json
import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx

from tracer import make_graph
from tracer.exports import to_json
from tracer.lowering import becomes, text
from tracer.report import compare_results, graph_info, lowered, run_plainly
from tracer.spelling import Printer


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


def encodes(x, w):
    """`one_hot` looks at the contents that it is given, as it runs."""
    classes = x.argmax(-1)
    return F.one_hot(classes) * 2, F.cross_entropy(x @ w, F.one_hot(classes, 4).argmax(-1))


def reduces(x, w):
    """Operators of ATen are called as built-in functions are, which the text must not hide."""
    return (x**2).sum(0) / float("inf") + w.pow(3).abs().any()


def selects(x, w):
    return x[x > 0].sum() * w, torch.nonzero(w > 1)


def scales(x, w):
    if x.sum() > -1:
        x = x / w.max().item()
    return x @ w


def differentiates(x, w):
    weight = w.detach().requires_grad_()
    (gradient,) = torch.autograd.grad((x @ weight).relu().sum(), weight)
    return gradient, torch.vmap(torch.dot)(x, x)


ARGUMENTS = (torch.linspace(-1.0, 1.0, 12).reshape(3, 4), torch.linspace(0.0, 2.0, 16).reshape(4, 4))
NAMED = dict(zip("xw", ARGUMENTS, strict=True))


def operations(module) -> list[str]:
    return [str(node.target) for node in module.graph.nodes if node.op == "call_function"]


def graph_of(function: Callable[..., Any]):
    return make_graph(function, tracing_mode="symbolic")(*ARGUMENTS)


@pytest.mark.parametrize("function", [mixes, attends, writes, sorts])
@pytest.mark.parametrize("mode", ["real", "fake", "symbolic"])
@pytest.mark.parametrize("before", [False, True], ids=["aten", "pre_dispatch"])
def test_it_has_the_operations_that_make_fx_records(function, mode: str, before: bool):
    mine = make_graph(function, tracing_mode=mode, pre_dispatch=before)(*ARGUMENTS).to_fx(*ARGUMENTS)
    theirs = make_fx(function, tracing_mode=mode, pre_dispatch=before)(*ARGUMENTS)
    sizes = "aten.sym_size.int"  # asked anew by each of our nodes
    assert [o for o in operations(mine) if o != sizes] == [o for o in operations(theirs) if o != sizes]
    assert compare_results(run_plainly(mine, ARGUMENTS, {}), run_plainly(function, ARGUMENTS, {}))


@pytest.mark.parametrize("function", [scales, encodes])
def test_where_make_fx_stops_the_example_decides(function):
    with pytest.raises(RuntimeError):
        make_fx(function)(*ARGUMENTS)
    module = graph_of(function).to_fx(*ARGUMENTS, tracing_mode="real")
    assert compare_results(run_plainly(module, ARGUMENTS, {}), run_plainly(function, ARGUMENTS, {}))


@pytest.mark.parametrize("function", [mixes, attends, writes, sorts, selects])
def test_each_call_becomes_what_make_fx_records_of_it(function):
    graph = graph_of(function)
    found = becomes(graph, Printer(graph), NAMED)
    mine = [one.operation for primitives in found.values() for one in primitives]
    theirs = [name for name in operations(make_fx(function)(*ARGUMENTS)) if name != "<built-in function getitem>"]
    assert mine == theirs


@pytest.mark.parametrize("function", [mixes, attends, writes, sorts, reduces, selects, encodes, scales, differentiates])
def test_the_operations_as_text_give_what_the_function_gives(function):
    told = text(graph_of(function), NAMED)
    names: dict[str, Any] = {}
    exec(compile(told, "<aten>", "exec"), names)
    variables = names[function.__name__].__code__.co_varnames
    assert not {*variables} & {*dir(builtins)}
    arguments = {name: value.clone() for name, value in NAMED.items()}
    assert compare_results(run_plainly(names[function.__name__], (), arguments), run_plainly(function, ARGUMENTS, {}))


def test_the_operations_stand_below_the_calls():
    told = text(graph_of(attends), NAMED)
    assert "    # matmul = x @ w" in told
    assert "    mm = torch.ops.aten.mm.default(x, w)  # float32[3, 4]\n" in told


def test_nodes_that_are_sent_say_what_they_become():
    graph = graph_of(scales)
    printer = Printer(graph)
    told = {node.name: node for node in lowered(graph_info(graph, NAMED), graph, NAMED, 60.0).nodes}
    assert not becomes(graph, printer, NAMED, seconds=0.0)
    divided, multiplied = told["x_1"].becomes, told["matmul"].becomes
    assert [(one.name, one.operation, one.inputs, one.shape) for one in (*divided, *multiplied)] == [
        ("div", "aten.div.Tensor", ("x",), "float32[3, 4]"),
        ("mm", "aten.mm.default", ("div", "w"), "float32[3, 4]"),
    ]
    in_json = {node["name"]: node for node in json.loads(to_json(graph, becomes(graph, printer, NAMED)))["nodes"]}
    assert in_json["matmul"]["becomes"] == [
        {
            "name": "mm", "operation": "aten.mm.default", "code": "mm = torch.ops.aten.mm.default(div, w)",
            "inputs": ["div", "w"], "shape": "float32[3, 4]",
        }
    ]  # fmt: skip
    assert "becomes" not in in_json["w"]
