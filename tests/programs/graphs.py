"""Graphs as plain data, to be compared; and arguments without contents."""

from __future__ import annotations

from typing import Any

import numpy as np

from tracer import Graph, Node, spec


def rows(graph: Graph) -> list[str]:
    """Each node in words: what is called, on which nodes, and what it gives."""
    number = {node: i for i, node in enumerate(graph.nodes)}
    return [
        repr((n.kind, n.function, _told(n.args, number), _told(n.kwargs or {}, number), n.shape, n.dtype, n.writes))
        for n in graph.nodes
    ]


def _told(value: Any, number: dict[Node, int]) -> Any:
    if isinstance(value, Node):
        return f"%{number[value]}"
    if isinstance(value, (tuple, list)):
        return type(value), [_told(v, number) for v in value]
    if isinstance(value, dict):
        return {k: _told(v, number) for k, v in value.items()}
    if isinstance(value, slice):
        return slice, [_told(v, number) for v in (value.start, value.stop, value.step)]
    return value


def abstract(leaf: Any) -> Any:
    """Shape and dtype of an array; other values as they are."""
    return spec(leaf.shape, leaf.dtype) if isinstance(leaf, np.ndarray) else leaf
