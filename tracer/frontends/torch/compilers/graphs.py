"""A torch.fx graph as code a person can read, and as nodes with their places."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import torch
from torch import fx

from ....positions import Located
from ....spelling import dtype_text
from ....worker.wire import StudyGraph, StudyNode
from . import places

_FORGET = re.compile(r";(?:  \w+ =)?[\w\s=]*= None(?=\s*(?:#.*)?$)")
"""Where fx lets go of values that are no longer needed."""
_MADE = re.compile(r"\s*(\w+)(?:\s*:.*?)? = ")


def printed(
    title: str,
    module: fx.GraphModule,
    located: Mapping[str, Located | None],
    backward: Collection[str] = (),
    saved: Collection[str] = (),
    name: str = "forward",
) -> StudyGraph:
    """A graph's code, one node a line with its place in a comment; `located` has places by the names of nodes.

    `backward` has the names of those that belong to the backward, `saved` of those that the forward keeps for it;
    `name` is what the function is called in the code.
    """
    code = module.code.strip().replace("def forward(", f"def {name}(", 1)
    rows = [_FORGET.sub("", row).rstrip() for row in code.splitlines()]
    at_line: dict[str, int] = {}
    for number, row in enumerate(rows):
        made = _MADE.match(row)
        if made is not None:
            at_line.setdefault(made[1], number)
    nodes = tuple(
        _node(node, at_line, located, backward=node.name in backward, saved=node.name in saved)
        for node in module.graph.nodes
        if node.op != "output"
    )
    for node in nodes:
        if node.line is not None and node.place is not None:
            rows[node.line] += f"  # {_told(node)}"
    operations = sum(node.operation not in ("input", "constant") for node in nodes)
    return StudyGraph(title, "\n".join(rows), nodes, operations, _outputs(module))


def _told(node: StudyNode) -> str:
    assert node.place is not None
    text = " ".join(node.text.split())
    return f"line {node.place.span.line}: {text if len(text) <= 60 else text[:57] + '...'}"


def _node(
    node: fx.Node, at_line: Mapping[str, int], located: Mapping[str, Located | None], *, backward: bool, saved: bool
) -> StudyNode:
    place, text = places.told(located.get(node.name))
    kind = {"placeholder": "input", "get_attr": "constant"}.get(node.op) or operator_name(node.target)
    value = node.meta.get("val", node.meta.get("example_value"))
    inputs = tuple(one.name for one in node.all_input_nodes)
    return StudyNode(node.name, kind, at_line.get(node.name), shape(value), inputs, backward, saved, place, text)


def operator_name(target: Any) -> str:
    """`aten.add.Tensor`; of a function its dotted name."""
    if isinstance(target, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return str(target)
    if isinstance(target, str):
        return target
    name = getattr(target, "__name__", str(target))
    home = getattr(target, "__module__", "") or ""
    return f"{home.lstrip('_')}.{name}" if home else name


def shape(value: Any) -> str:
    """`float32[4, 3]`; empty for what is no tensor.  In the place of symbols stand the sizes of the example."""
    if not isinstance(value, torch.Tensor):
        return ""
    return f"{dtype_text(value.dtype)}[{', '.join(map(_size, value.shape))}]"


def _size(size: int | torch.SymInt) -> str:
    """A size that contents decide has none on the example, and stays a symbol."""
    return str(size.node.hint if isinstance(size, torch.SymInt) and size.node.has_hint() else size)


def _outputs(module: fx.GraphModule) -> tuple[str, ...]:
    """The nodes that a graph returns, also within containers, each once."""
    return tuple(one.name for node in module.graph.nodes if node.op == "output" for one in node.all_input_nodes)


def results_of(module: fx.GraphModule) -> tuple[Any, ...]:
    """What a graph returns: nodes, and None where it has nothing to return."""
    (results,) = next(node for node in module.graph.nodes if node.op == "output").args
    return tuple(results)


def counted(number: int, noun: str) -> str:
    """`1 graph`, `2 graphs`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def first_line(error: BaseException) -> str:
    """An exception in one line, without the hints that torch puts behind it."""
    text = next((row.strip() for row in str(error).splitlines() if row.strip()), "").partition(" Hint: ")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
