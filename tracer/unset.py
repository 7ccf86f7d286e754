"""Whether a graph's results depend on memory that `np.empty` gave and nothing wrote.

Such a result is another in each run, of the function as of the graph: a difference there proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import libraries
from .copies import copy_tree
from .graph import Graph
from .nodes import evaluate, fill
from .report import Result, compare_results
from .trees import rebuild

_UNSET = frozenset({np.empty, np.empty_like, np.ndarray})
_PATTERNS = (0x3E, 0x41)
"""Two bytes that make ordinary, different numbers of every dtype."""


def reads_unset_memory(graph: Graph, arguments: Mapping[str, Any]) -> bool:
    """Whether results, or what is written into `arguments`, follow the contents of memory that was never set."""
    unset = _UNSET.union(*(library.unset for library in libraries.LIBRARIES))
    if not any(node.function in unset for node in graph.nodes):
        return False
    first, second = (_run(graph, dict(arguments), pattern, unset) for pattern in _PATTERNS)
    return not compare_results(first, second)


def _run(graph: Graph, bound: dict[str, Any], pattern: int, unset: frozenset[Any]) -> Result:
    """The graph's result and its arguments afterwards, with all unset memory filled with a pattern."""
    bound = {**graph.brought(), **copy_tree(bound)}
    values: dict[Any, Any] = {}
    copies: dict[Any, Any] = {}
    try:
        for node in graph.nodes:
            value = values[node] = evaluate(node, values, bound, copies)
            if node.function in unset and libraries.of(value) is not None:
                value.fill_(pattern)
            elif node.function in unset and not value.dtype.hasobject:
                value.reshape(-1).view(np.uint8)[...] = pattern
        return Result([rebuild(graph.output, lambda leaf: fill(leaf.value, values.__getitem__)), bound], None)
    except Exception as error:  # noqa: BLE001  # what was raised is the result
        return Result(None, error)
