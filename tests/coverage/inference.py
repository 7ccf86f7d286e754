"""What shape inference knows of a recipe's graph, by running it: symbolically, and in fake mode.

Both are held against NumPy on the way: symbolic shapes are evaluated at other sizes wherever what they assumed holds,
and a graph traced in fake mode is replayed on real arrays.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from tests.coverage.pools import take
from tests.coverage.replay import MAIN, Call, agree, outcome, quiet
from tracer import Trace, trace
from tracer.hollow import NoContentsError, Why
from tracer.nodes import Kind, Node, fill
from tracer.shapes import Abstract, Assumptions, Reason, Size, Unknown, assumptions, hint, infer
from tracer.steps import set_shape
from tracer.trees import Leaf, children, is_container, leaves

SIZES = ((5, 4), (4, 7), (2, 3), (6, 6))


class Verdict(Enum):
    """What is known without contents; the value is how the table says it."""

    KNOWN = "yes"
    CONTENTS = "contents decide"
    RULE = "no"
    NOTHING = "–"


def symbolic(call: Call, traced: Trace, dtype: str) -> Verdict:
    """Whether the shapes of all arrays in the result are expressions in the sizes of the inputs."""
    outputs = [leaf.value for leaf in _leaves(traced.graph.output) if isinstance(leaf.value, Node) and leaf.value.shape]
    if not outputs:
        return Verdict.NOTHING
    with assumptions() as assumed, quiet():
        known, missing = _told(traced)
    if missing is not None:
        return Verdict.CONTENTS if missing is Reason.CONTENTS else Verdict.RULE
    if not all(isinstance(known.get(node), Abstract) for node in outputs):
        return Verdict.RULE
    found = [known[node].shape for node in outputs]
    for node, shape in zip(outputs, found, strict=True):
        assert tuple(map(hint, shape)) == node.shape, f"{call.recipe}: inferred {shape} instead of {node.shape}"
        if any(isinstance(size, Size) and not size.known for size in shape):
            return Verdict.CONTENTS
    for n, m in SIZES:
        _hold(call, traced, functools.partial(take, call.roles, dtype, n, m), assumed, outputs, found)
    return Verdict.KNOWN


def _hold(
    call: Call, traced: Trace, maker: Callable[[], Any], assumed: Assumptions, outputs: list[Node], found: list[Any]
) -> None:
    """Hold shapes, evaluated for some sizes, against what NumPy gives there, if what was assumed is true."""
    given = zip(call.roles, maker(), strict=True)
    values = {f"{role}.shape[{axis}]": size for role, array in given for axis, size in enumerate(array.shape)}
    if not all(assumption.holds(values) for assumption in assumed):
        return
    result = outcome(lambda *args: _results(traced, outputs, args), maker)
    if isinstance(result, Exception):
        return
    for array, shape in zip(result[0], found, strict=True):
        mine = tuple(size.evaluate(values) if isinstance(size, Size) else size for size in shape)
        assert mine == np.shape(array), f"{call.recipe}: inferred {shape}, which is {mine}, not {np.shape(array)}"


def _results(traced: Trace, outputs: list[Node], args: Any) -> list[Any]:
    """The arrays in the result of a graph, run on other arguments."""
    result = traced.graph.replay(*args)
    found = [value for value, _ in leaves(result)]
    places = [leaf.value for leaf in _leaves(traced.graph.output)]
    return [value for value, node in zip(found, places, strict=True) if any(node is o for o in outputs)]


def _leaves(output: Any) -> list[Leaf]:
    if isinstance(output, Leaf):  # a dataclass itself: `leaves` would take it apart
        return [output]
    return [leaf for child in children(output) for leaf in _leaves(child[1])] if is_container(output) else []


def _told(traced: Trace) -> tuple[dict[Node, Any], Reason | None]:
    """What `infer` says of each node, and why it is silent where it is."""
    known: dict[Node, Any] = {}
    for node in traced.graph.nodes:
        if node.kind is Kind.INPUT:
            texts = [f"{node.args[0][0]}.shape[{axis}]" for axis in range(len(node.shape or ()))]
            known[node] = Abstract(tuple(map(Size.atom, texts, node.shape or ())), node.dtype)
        elif node.kind is Kind.CONSTANT:
            known[node] = node.args[0]
        else:
            assert node.function is not None
            if node.function in _RESHAPING:
                return known, Reason.RULE
            try:
                known[node] = infer(
                    node.function, fill(node.args, known.__getitem__), fill(node.kwargs or {}, known.__getitem__)
                )
            except Unknown as unknown:
                return known, unknown.reason
            if isinstance(known[node], Abstract) and node.shape is not None:
                assert known[node].dtype == node.dtype, f"{node}: inferred {known[node].dtype}"
    return known, None


_RESHAPING = frozenset({set_shape, np.ndarray.resize})
"""What changes a shape in place: a node's shape is then no longer the one it was made with."""


def fake(call: Call, dtype: str) -> Verdict:
    """Whether a trace without contents gives the graph, and the graph NumPy's results."""
    maker = functools.partial(take, call.roles, dtype, *MAIN)
    with quiet():
        traced = trace(call.function, *maker(), mode="fake")
    if isinstance(traced.error, NoContentsError):
        return Verdict.RULE if traced.error.needed.why in (Why.RULE, Why.OPAQUE) else Verdict.CONTENTS
    assert traced.error is None, f"{call.recipe}: {traced.error!r} in fake mode"
    if any(finding.code in ("NST201", "NST405") for finding in traced.findings):
        return Verdict.CONTENTS  # text, or an object of NumPy's
    agree(outcome(traced.graph.replay, maker), outcome(call.plain, maker), f"{call.recipe} traced in fake mode", traced)
    return Verdict.KNOWN
