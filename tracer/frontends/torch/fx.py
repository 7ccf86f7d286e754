"""A graph as PyTorch's own tracer, `make_fx`, records a run of it: a `torch.fx.GraphModule`.

`make_fx` cannot follow a number that is taken out of a tensor (`.item()`), and raises; here it is the example's, a
constant of the ATen graph alone, also where an operator takes it out itself to look at its arguments (`one_hot`).
With `tracing_mode="symbolic"` sizes stay symbols.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx

from ...copies import copy_tree
from ...flow import is_size
from ...nodes import Kind, Node, evaluate, fill
from ...randomness import steady
from ...trees import fetch, rebuild
from .interception import resting

if TYPE_CHECKING:
    from ...graph import Graph


@resting
def lowered(
    graph: Graph, args: tuple[Any, ...], kwargs: dict[str, Any], tracing_mode: str, pre_dispatch: bool
) -> torch.fx.GraphModule:
    """Run a graph under `make_fx`.  Raises what the graph raises for these arguments, or `make_fx` itself."""
    bound = copy_tree(graph.bound(*args, **kwargs))
    numbers = _numbers(graph, copy_tree(bound))
    given = [node for node in graph.inputs if node.shape is not None]  # a generator is used as it is

    def run(*tensors: Any) -> Any:
        values: dict[Node, Any] = {**dict(zip(given, tensors, strict=True)), **numbers}
        copies: dict[Any, Any] = {}
        for node in graph.nodes:
            if node not in values:
                values[node] = evaluate(node, values, bound, copies)
        return rebuild(graph.output, lambda leaf: fill(leaf.value, values.__getitem__))

    with steady():
        return make_fx(
            run,
            tracing_mode=tracing_mode,
            pre_dispatch=pre_dispatch,
            _allow_non_fake_inputs=True,
            _error_on_data_dependent_ops=False,
        )(*(fetch(bound, node.args[0]) for node in given))


def _numbers(graph: Graph, bound: dict[str, Any]) -> dict[Node, Any]:
    """The plain values that come from contents, as they are for these arguments."""
    values: dict[Node, Any] = {}
    copies: dict[Any, Any] = {}
    found: dict[Node, Any] = {}
    with steady():
        for node in graph.nodes:
            values[node] = evaluate(node, values, bound, copies)
            if node.kind is Kind.CALL and node.shape is None and _is_plain(values[node]) and not is_size(node):
                tensors = any(o.shape is not None or o in found for o in node.operands())
                if tensors:
                    found[node] = values[node]
    return found


def _is_plain(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex, str, list)) and not (
        isinstance(value, list) and any(isinstance(item, torch.Tensor) for item in value)
    )
