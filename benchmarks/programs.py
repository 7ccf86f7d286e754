"""The functions that the tracing benchmark runs: plain NumPy, of known numbers of operations."""

from __future__ import annotations

from typing import Any

import numpy as np

LENGTH = 2_000


def elementwise_chain(x: Any) -> Any:
    """2,000 additions."""
    for _ in range(LENGTH):
        x = x + 1.0
    return x


def ufunc_chain(x: Any) -> Any:
    """2,000 calls of np.sin."""
    for _ in range(LENGTH):
        x = np.sin(x)
    return x


def stencil(x: Any) -> Any:
    """400 steps of five operations: three slices, a sum and a write in place."""
    for _ in range(LENGTH // 5):
        x[1:-1] = x[:-2] + x[2:]
        x = x * 0.5
    return x


def mlp(x: Any, w: Any) -> Any:
    """500 layers of four operations."""
    for _ in range(LENGTH // 4):
        x = np.maximum(x @ w, 0.0) * 0.5 + 0.1
    return x
