"""Which nodes are written where they are used, rather than on a line of their own: sizes, and arithmetic on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .nodes import Kind, Node
from .steps import count_of_range, set_shape, size_of
from .symbols import INFIX, PREFIX

_RESHAPING: frozenset[Any] = frozenset({set_shape, np.ndarray.resize})
_NUMBER_FUNCTIONS: frozenset[Any] = frozenset(
    [size_of, len, count_of_range, abs, int, float, round, max, min, divmod, *INFIX, *PREFIX]
    + [f for f in vars(math).values() if callable(f)]
)


_LONGEST = 40
"""A number of more parts than this gets a line of its own."""


def numbers_in(nodes: Sequence[Node]) -> set[Node]:
    """The nodes that are pure arithmetic on sizes and types, to be written where they are used."""
    parts: dict[Node, int] = {}
    # What an array answers changes where its shape is set: then it is asked when the program asks, not at the use.
    reshaped = any(node.function in _RESHAPING for node in nodes if node.writes)
    for node in nodes:
        if node.kind is Kind.CALL and node.shape is None and not node.writes and not node.kwargs:
            operands = node.operands()
            if node.function in (size_of, len) or (
                node.function is getattr and node.args[1] in ("dtype", "ndim", "size", "nbytes")
            ):
                if not reshaped and all(o.shape is not None for o in operands):
                    parts[node] = 1
            elif node.function in _NUMBER_FUNCTIONS and all(o in parts for o in operands):
                size = 1 + sum(parts[o] or 1 for o in operands)
                parts[node] = size if size <= _LONGEST else 0
    return {node for node, size in parts.items() if size}
