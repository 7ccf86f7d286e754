"""Every node knows the exact expression it came from, in characters, also beside characters of several bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tracer.versions import EXACT
from tracer import trace
from tracer.events import Instruction
from tracer.positions import locate


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def several_on_a_line(x):
    label = "Größe 📐 𝛼"; y = -x[0] * np.sqrt(x[1]); return {label: y.sum() + 1}  # fmt: skip  # noqa: E702


def over_several_lines(x):
    return np.maximum(
        x[0]
        + x[1],
        0,
    )  # fmt: skip


def in_place(x):
    y = x.copy()
    y[0] = 1.0
    y += x
    np.add(y, 1, out=y)
    return y


def größe(wert):
    return wert.T @ wert


def helper(x):
    return np.tanh(x)


def through_a_helper(x):
    return helper(x) * 2


class Doubling:
    def __init__(self):
        self.factor = np.array(2.0)

    def __call__(self, x):
        return self.factor * x


def comprehension(x):
    return [row * 2 for row in x]


EXPRESSIONS: dict[Any, list[str]] = {
    softmax: [
        "x.max(axis=-1, keepdims=True)",
        "x - x.max(axis=-1, keepdims=True)",
        "np.exp(x - x.max(axis=-1, keepdims=True))",
        "e.sum(axis=-1, keepdims=True)",
        "e / e.sum(axis=-1, keepdims=True)",
    ],
    several_on_a_line: ["x[0]", "-x[0]", "x[1]", "np.sqrt(x[1])", "-x[0] * np.sqrt(x[1])", "y.sum()", "y.sum() + 1"],
    over_several_lines: [
        "x[0]",
        "x[1]",
        "x[0]\n        + x[1]",
        "np.maximum(\n        x[0]\n        + x[1],\n        0,\n    )",
    ],
    in_place: ["x.copy()", "y[0]", "y += x", "np.add(y, 1, out=y)"],
    größe: ["wert.T", "wert.T @ wert"],
    through_a_helper: ["np.tanh(x)", "helper(x) * 2"],
    Doubling(): ["self.factor", "self.factor * x"],
}


@pytest.mark.parametrize("function", EXPRESSIONS, ids=lambda function: getattr(function, "__name__", "callable object"))
def test_nodes_stand_at_their_expressions(function: Any) -> None:
    traced = trace(function, np.ones((2, 2)))
    found = [locate(Instruction(node.code, node.lasti)) for node in traced.graph.nodes if node.code is not None]
    texts = [where.text for where in found if where]
    assert len(texts) == len(found)
    if EXACT:
        assert texts == EXPRESSIONS[function]
    else:
        assert all(map(_shows, texts, EXPRESSIONS[function]))
        assert len(texts) == len(EXPRESSIONS[function])
    source = {where.file.path for where in found if where}
    assert source == {__file__}


def _shows(text: str, expression: str) -> bool:
    """Whether a line has (one line of) the expression."""
    return any(line.strip() in text for line in expression.splitlines())


def test_places_count_characters() -> None:
    traced = trace(several_on_a_line, np.ones((2, 2)))
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for node in traced.graph.nodes:
        if node.code is None:
            continue
        where = locate(Instruction(node.code, node.lasti))
        assert where is not None
        span = where.place.span
        assert lines[span.line - 1][span.column - 1 : span.end_column - 1] == where.text


def test_every_iteration_of_a_comprehension_has_the_same_place() -> None:
    traced = trace(comprehension, np.ones((3, 2)))
    products = [node for node in traced.graph.nodes if node.function is not None and node.function.__name__ == "mul"]
    assert len(products) == 3
    texts = {where.text for n in products if (where := locate(Instruction(n.code, n.lasti)))}  # type: ignore[arg-type]
    assert texts == {"row * 2" if EXACT else "return [row * 2 for row in x]"}
