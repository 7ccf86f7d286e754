"""The arrays that generated functions take, by the names they have in an expression; and others like them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np

INPUTS: dict[str, Any] = {
    "x": np.linspace(-2.0, 3.5, 12).reshape(3, 4),
    "y": np.array([0.5, -1.5, 2.0, 4.0]),
    "w": np.linspace(-1.0, 1.0, 8).reshape(4, 2),
    "s": np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]),
    "v": np.array([3.0, -1.0, 2.0, 2.0, -0.5]),
    "t": np.linspace(0.0, 2.0, 24).reshape(2, 3, 4),
    "i": np.arange(-5, 7).reshape(3, 4),
    "k": np.array([2, 0, 1]),
    "b": np.arange(12).reshape(3, 4) % 3 == 0,
    "z": np.linspace(-1.0, 1.0, 12).reshape(3, 4) + 1j * np.linspace(2.0, -2.0, 12).reshape(3, 4),
    "f": np.linspace(-1.0, 2.0, 12, dtype=np.float32).reshape(3, 4),
    "c": np.array(1.75),
}

SAME_SHAPES: dict[str, Any] = {
    "k": np.array([1, 1, 0]),
    "b": ~INPUTS["b"],
    "s": INPUTS["s"] * 2.0 + np.eye(3),
    **{name: INPUTS[name][..., ::-1] * 3 + 1 for name in ("x", "y", "w", "v", "t", "i", "z", "f")},
    "c": np.array(-0.25),
}
"""Other contents."""

MORE_ROWS: dict[str, Any] = {
    **SAME_SHAPES,
    **{name: np.concatenate([INPUTS[name], INPUTS[name][1:]]) for name in ("x", "t", "i", "b", "z", "f", "v")},
    "k": np.array([2, 0, 1, 1, 0]),
}
"""More rows."""


def lines_of(table: str) -> list[str]:
    """The lines of a table of code (`tables/`), without comments."""
    text = Path(__file__).with_name("tables").joinpath(f"{table}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("# ")]


def names_in(code: str) -> list[str]:
    """The inputs that a piece of code reads, in the order of INPUTS."""
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    return [name for name in INPUTS if name in used]


def take(names: list[str], pool: dict[str, Any]) -> list[Any]:
    return [pool[name] for name in names]


def runs(code: str, pool: dict[str, Any]) -> bool:
    """Whether plain NumPy can do this with the inputs of `pool`."""
    try:
        with np.errstate(all="ignore"):
            exec(code, {"np": np, **{name: np.array(value) for name, value in pool.items()}})
    except Exception:
        return False
    return True
