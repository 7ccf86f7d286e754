"""A graph in ATen: what PyTorch's own tracer, `make_fx`, records of its run, under the calls of the user's.

`make_fx` cannot follow a number that is taken out of a tensor (`.item()`), and raises; here it is the example's, a
constant of the ATen graph alone.  With `tracing_mode="symbolic"` sizes stay symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch.fx.experimental.proxy_tensor import get_proxy_mode, make_fx

from ...copies import copy_tree
from ...flow import is_size
from ...nodes import Kind, Node, evaluate, fill
from ...printing import line_of
from ...randomness import steady
from ...spelling import Printer
from ...trees import fetch, rebuild
from .interception import resting
from .tensors import described

if TYPE_CHECKING:
    from ...graph import Graph


@dataclass(frozen=True, slots=True)
class Lowered:
    """A graph as `make_fx` has it, and which of its nodes each of ours became, by name."""

    module: Any
    under: dict[Node, tuple[str, ...]]


@resting
def lowered(
    graph: Graph, args: tuple[Any, ...], kwargs: dict[str, Any], tracing_mode: str = "real", pre_dispatch: bool = False
) -> Lowered:
    """Run a graph under `make_fx`.  Raises what the graph raises for these arguments, or `make_fx` itself."""
    bound = copy_tree(graph.bound(*args, **kwargs))
    numbers = _numbers(graph, copy_tree(bound))
    inputs = [fetch(bound, node.args[0]) for node in graph.inputs]
    under: dict[Node, tuple[str, ...]] = {}

    def run(*tensors: Any) -> Any:
        values: dict[Node, Any] = dict(zip(graph.inputs, tensors, strict=True))
        copies: dict[Any, Any] = {}
        before = _names()
        for node in graph.nodes:
            if node in numbers:
                values[node] = numbers[node]
            elif node.kind is not Kind.INPUT:
                values[node] = evaluate(node, values, bound, copies)
            now = _names()
            under[node] = tuple(now[len(before) :])
            before = now
        return rebuild(graph.output, lambda leaf: fill(leaf.value, values.__getitem__))

    with steady():
        module = make_fx(run, tracing_mode=tracing_mode, pre_dispatch=pre_dispatch, _allow_non_fake_inputs=True)(
            *inputs
        )
    kept = {node.name for node in module.graph.nodes}
    return Lowered(module, {node: tuple(n for n in names if n in kept) for node, names in under.items()})


def _names() -> list[str]:
    """The nodes that `make_fx` has recorded so far."""
    mode = get_proxy_mode()
    return [] if mode is None else [node.name for node in mode.tracer.graph.nodes]


def _numbers(graph: Graph, bound: dict[str, Any]) -> dict[Node, Any]:
    """The plain values that come from contents, as they are for these arguments."""
    values: dict[Node, Any] = {}
    copies: dict[Any, Any] = {}
    found: dict[Node, Any] = {}
    with steady():
        for node in graph.nodes:
            values[node] = evaluate(node, values, bound, copies)
            if node.shape is None and _is_plain(values[node]) and not is_size(node):
                tensors = any(o.shape is not None or o in found for o in node.operands())
                if tensors:
                    found[node] = values[node]
    return found


def _is_plain(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex, str, list)) and not (
        isinstance(value, list) and any(isinstance(item, torch.Tensor) for item in value)
    )


# ---- text ------------------------------------------------------------------------------------------


def text(graph: Graph, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The ATen operations of a graph below the calls that they came from."""
    found = lowered(graph, args, kwargs)
    printer = Printer(graph)
    nodes = {node.name: node for node in found.module.graph.nodes}
    given = [node for node in nodes.values() if node.op == "placeholder"]
    for node, ours in zip(given, graph.inputs, strict=True):
        node._rename(printer.names[ours])
    rows = [f"def {graph.name}({', '.join(node.name for node in given)}):"]
    for node, names in found.under.items():
        if names and node.kind is Kind.CALL:
            line = printer.source_line(node)
            rows.append(f"    # {line_of(printer, node)}" + (f"  line {line}" if line is not None else ""))
        rows += (f"    {row}" for name in names for row in _row(nodes[name]))
    rows += (f"    return {_argument(n.args[0])}" for n in nodes.values() if n.op == "output")
    return "\n".join(rows) + "\n"


def _row(node: Any) -> Iterator[str]:
    if node.op == "get_attr":
        yield f"{node.name} = ...  # captured"
    elif node.op == "call_function":
        given = [_argument(a) for a in node.args] + [f"{k}={_argument(v)}" for k, v in node.kwargs.items()]
        value = node.meta.get("val")
        shape = f"  # {described(value)}" if isinstance(value, torch.Tensor) else ""
        yield f"{node.name} = {_target(node.target)}({', '.join(given)}){shape}"


def _target(target: Callable[..., Any]) -> str:
    return f"torch.ops.{target}" if isinstance(target, torch._ops.OpOverload) else f"operator.{target.__name__}"


def _argument(value: Any) -> str:
    if isinstance(value, torch.fx.Node):
        return str(value.name)
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(_argument, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
    return f"torch.{value!r}" if isinstance(value, torch.device) else repr(value)


__all__ = ["Lowered", "lowered", "text"]
