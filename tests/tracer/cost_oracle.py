"""What costs are held against: NumPy's own arrays, and graphs of other sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tracer.cost import Costs
from tracer.graph import Graph, last_uses
from tracer.nodes import Kind, Node, evaluate
from tracer.worker.wire import Amount, Cost


def amounts(cost: Cost) -> tuple[Amount, Amount, Amount]:
    return cost.read, cost.written, cost.operations


def numbers(cost: Cost | None) -> tuple[int, ...] | None:
    return None if cost is None else (*(amount.number for amount in amounts(cost)), cost.live)


def symbols_agree(graph: Graph) -> int:
    """Hold the values that expressions have on the example against plain numbers; how many nodes are known."""
    symbolic, plain = Costs(graph), Costs(graph, symbolic=False)
    for node in graph.nodes:
        assert numbers(symbolic.of(node)) == numbers(plain.of(node)), node
    return sum(plain.of(node) is not None for node in graph.nodes)


def bytes_agree(graph: Graph, arguments: Mapping[str, Any]) -> int:
    """Run a graph, and hold what is written against the bytes of each fresh result; how many there were."""
    costs, found = Costs(graph, symbolic=False), 0
    for node, value, values in _running(graph, arguments):
        cost = costs.of(node)
        if cost is None or node.kind is not Kind.CALL or node.writes or not isinstance(value, (np.ndarray, np.generic)):
            continue
        taken = type(node.args[0]) is Node and node.args[0].shape is None if node.args else False
        if taken or any(np.may_share_memory(value, values[o]) for o in node.operands() if _is_array(values[o])):
            continue
        assert cost.written.number == value.nbytes, node
        found += 1
    return found


def live_agrees(graph: Graph, arguments: Mapping[str, Any]) -> int:
    """Run a graph as it runs itself, and hold what is alive against the memory of the arrays that are; the peak."""
    costs, seen = Costs(graph, symbolic=False), []
    ends = last_uses(graph.nodes, set(graph.results()))
    running = _running(graph, arguments)
    for (node, _, values), ending in zip(running, ends, strict=True):
        memory = _memory([values, arguments, [n.args[0] for n in graph.nodes if n.kind is Kind.CONSTANT]])
        assert costs.live[node] == sum(memory.values()), node
        seen.append(costs.live[node])
        for last in ending:
            del values[last]
    assert graph.cost.peak == max(seen)
    return max(seen)


def words_hold(graph: Graph, other: Graph, names: Mapping[str, Any]) -> int:
    """Evaluate each expression where `names` are the arguments of `other`, and hold it against the number there."""
    mine, its, found = Costs(graph), Costs(other, symbolic=False), 0
    known = {**names, "log2": lambda n: math.log2(n) if n > 1 else 0.0}
    for node, same in zip(graph.nodes, other.nodes, strict=True):
        here, there = mine.of(node), its.of(same)
        if here is None or there is None:
            continue
        for told, amount in zip(amounts(here), amounts(there), strict=True):
            if told.words is not None:
                value = round(eval(told.words, known))
                assert math.isclose(value, amount.number, rel_tol=1e-12), (node, told.words, amount.number)
                found += 1
    return found


def alike(graph: Graph, other: Graph) -> bool:
    """Whether two graphs have the same operations."""
    return [n.function for n in graph.nodes] == [n.function for n in other.nodes]


def _running(graph: Graph, arguments: Mapping[str, Any]) -> Iterator[tuple[Node, Any, dict[Node, Any]]]:
    values: dict[Node, Any] = {}
    copies: dict[int, Any] = {}
    for node in graph.nodes:
        if node.kind is Kind.CONSTANT:
            values[node] = node.args[0]  # not a copy of its own: captured arrays are counted once
        else:
            values[node] = evaluate(node, values, arguments, copies)
        yield node, values[node], values


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _memory(value: Any) -> dict[int, int]:
    """The bytes of all memory that arrays in containers lie in, by the id of who owns it."""
    if isinstance(value, np.generic):
        return {id(value): value.nbytes}
    if isinstance(value, np.ndarray):
        while isinstance(value.base, np.ndarray):
            value = value.base
        return {id(value): value.nbytes}
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return {key: size for part in inside for key, size in _memory(part).items()}
