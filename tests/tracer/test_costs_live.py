"""Live memory against the arrays that are alive when a graph is run."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.tracer.cost_oracle import bytes_agree, live_agrees, symbols_agree
from tracer import trace
from tracer.graph import Graph

STEPS = (
    "{v} = np.tanh({a})", "{v} = {a} + {b}", "{v} = {a} * {a}", "{v} = {a}[::-1]", "{v} = {a}.T.copy().T",
    "{v} = {a}.reshape(6, 4).reshape(4, 6)", "{v} = np.stack([{a}, {b}])[0]", "{v} = np.linalg.svd({a})[2][:4]",
    "u, d, {v} = np.linalg.svd({a}, full_matrices=False)", "{v} = np.split({a}, 2)[1].repeat(2, 0)", "{a} += 1.0",
    "{a}[0] = {b}[1]", "np.add({a}, {b}, out={a})", "{v} = {a} - {a}.mean(1, keepdims=True)",
    "{v} = {a} / (1.0 + abs({a}).max())",
    "{v} = np.broadcast_to({a}[0], (4, 6))", "{v} = {a} + TABLE", "{v} = TABLE[:4] * {b}", "{v} = np.zeros({a}.shape)",
    "{v} = {a}[np.array([1, 1, 0, 2])]", "{v} = np.asarray({a})", "{v} = np.fft.irfft(np.fft.rfft({a}), 6)",
    "{v}, w = np.divmod({a}, 3.0)", "{v} = np.where({a} > 0, {a}, {b})",
)  # fmt: skip
"""What keeps shapes, and numbers finite: LAPACK's iterations need not end on what is no number."""
TABLE = np.linspace(0.0, 1.0, 48).reshape(8, 6)[::2]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A function of two arrays of one shape, line by line, and some of its variables as its result."""
    variables, lines = ["x", "y"], []
    for number in range(draw(st.integers(1, 8))):
        a, b = draw(st.sampled_from(variables)), draw(st.sampled_from(variables))
        step = draw(st.sampled_from(STEPS))
        lines.append(step.format(v=f"v{number}", a=a, b=b))
        if "{v}" in step:
            variables.append(f"v{number}")
    results = draw(st.lists(st.sampled_from(variables), min_size=1, max_size=3))
    return "\n".join(
        ["def f(x, y):", "    x = x * 1.0", *(f"    {line}" for line in lines), f"    return {', '.join(results)}"]
    )


def arguments() -> dict[str, Any]:
    return {"x": np.linspace(-1.0, 2.0, 24).reshape(4, 6), "y": np.linspace(3.0, 1.0, 24).reshape(4, 6)}


def graph_of(text: str) -> Graph:
    names: dict[str, Any] = {"np": np, "TABLE": TABLE}
    exec(text, names)
    try:
        names["f"](*arguments().values())
    except ValueError:  # NumPy itself refuses to write into a broadcast view
        assume(False)
    traced = trace(names["f"], *arguments().values())
    assert traced.error is None, traced.error
    return traced.graph


@given(programs())
@settings(max_examples=150, deadline=None)
def test_what_is_alive_is_what_a_run_holds(text: str) -> None:
    graph = graph_of(text)
    live_agrees(graph, arguments())
    bytes_agree(graph, arguments())
    symbols_agree(graph)
