"""Which memory is alive while a graph runs, and how much: bytes of arrays, from their shapes and dtypes.

A value is alive until its last use, as `Graph` lets go of it, and a view keeps the memory alive that it lies in.
Inputs are alive from beginning to end, because the caller holds them; so are captured arrays, which the graph holds
(their copies of one run are not counted again).  Results live to the end.  What a function needs for itself meanwhile,
and objects that are no arrays, are not counted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from .graph import last_uses
from .nodes import Kind, Node, whole_of


def live_bytes(nodes: Sequence[Node], results: AbstractSet[Node], made: Mapping[Node, int]) -> list[int]:
    """The bytes that are alive while each node runs, its result among them.

    `made` has the bytes of results that are several arrays, as far as they are known: those arrays that the graph takes
    out of one are nodes with memory of their own, the others live as long as the whole.
    """
    blocks = _blocks(nodes, made)
    sizes = {block: size for taken in blocks.values() for block, size in taken}
    holders: dict[Node, int] = {}
    for node in nodes:
        if not node.writes:
            owner = node.base or node
            holders[owner] = holders.get(owner, 0) + 1
    alive, found = _held(nodes), []
    for node, ending in zip(nodes, last_uses(tuple(nodes), set(results)), strict=True):
        if node in blocks:
            alive += sum([size for _, size in blocks[node]])
        found.append(alive)
        for last in ending:
            if not last.writes:
                owner = last.base or last
                holders[owner] -= 1
                if not holders[owner]:
                    alive -= sizes.get(owner, 0)
    return found


def size_of_memory(node: Node) -> int:
    """The bytes of a node's array; none where it is no array."""
    return 0 if node.shape is None else math.prod(node.shape) * int(node.dtype.itemsize)


def _held(nodes: Sequence[Node]) -> int:
    """The bytes that caller and graph hold."""
    inputs = {node.owner: size_of_memory(node.owner) for node in nodes if node.kind is Kind.INPUT}
    captured: dict[int, int] = {}
    for node in nodes:
        if node.kind is Kind.CONSTANT:
            array = node.args[0]
            memory = array.base if isinstance(getattr(array, "base", None), np.ndarray) else array
            captured[id(memory)] = int(memory.nbytes)
    return sum(inputs.values()) + sum(captured.values())


def _blocks(nodes: Sequence[Node], made: Mapping[Node, int]) -> dict[Node, list[tuple[Node, int]]]:
    """The memory that each call makes: the node that owns it, and its bytes."""
    blocks: dict[Node, list[tuple[Node, int]]] = {}
    for node in nodes:
        if node.kind is not Kind.CALL or node.writes or node.base is not None:
            continue
        whole = whole_of(node)
        if node.shape is None:
            blocks[node] = []
        elif whole is None:
            blocks[node] = [(node, size_of_memory(node))]
        else:
            blocks.setdefault(whole, []).append((node, size_of_memory(node)))
    for node, size in made.items():
        rest = size - sum(part for _, part in blocks.get(node, ()))
        if rest > 0:
            blocks.setdefault(node, []).append((node, rest))
    return blocks
