"""The programs in JAX, traced by `jax.make_jaxpr`: arrays are never written, `at[...].set` gives new ones."""

from __future__ import annotations

import math
from typing import Any

import jax  # type: ignore[import-not-found, unused-ignore]
import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]
import numpy as np

from benchmarks.peers import Peer, Traced
from benchmarks.programs import ATTENTION, ELEMENTWISE, MLP, STENCIL, Function


def elementwise(steps: int) -> Function:
    def elementwise(x: Any) -> Any:
        for _ in range(steps):
            x = jnp.sin(x) * 0.5 + 1.0
            x = -x
        return x

    return elementwise


def mlp(steps: int) -> Function:
    def mlp(x: Any, weights: Any, bias: Any) -> Any:
        for _ in range(steps):
            x = jnp.maximum(x @ weights + bias, 0.0) * 0.5 + 0.1
        return x

    return mlp


def attention(steps: int) -> Function:
    def attention(x: Any, query: Any, key: Any, value: Any) -> Any:
        scale = 1.0 / math.sqrt(x.shape[-1])
        for _ in range(steps):
            scores = (x @ query) @ (x @ key).T * scale
            weights = jnp.exp(scores - scores.max(axis=-1, keepdims=True))
            weights = weights / weights.sum(axis=-1, keepdims=True)
            x = (x + weights @ (x @ value)) * 0.5
        return x

    return attention


def stencil(steps: int) -> Function:
    def stencil(x: Any) -> Any:
        for _ in range(steps):
            x = x.at[1:-1].set((x[:-2] + x[2:]) * 0.5)
        return x

    return stencil


_MADE = {ELEMENTWISE.name: elementwise, MLP.name: mlp, ATTENTION.name: attention, STENCIL.name: stencil}


def peers() -> list[Peer]:
    jax.config.update("jax_enable_x64", True)  # as NumPy's numbers are
    return [Peer("make_jaxpr", f"JAX {jax.__version__}", _make, _arguments, _trace, _opened)]


def _make(name: str, steps: int) -> Function:
    return _MADE[name](steps)


def _arguments(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(jnp.asarray(a) for a in args)


def _trace(function: Function, args: tuple[Any, ...]) -> Any:
    return jax.make_jaxpr(function)(*args)


def _opened(jaxpr: Any) -> Traced:
    def run(*args: Any) -> np.ndarray[Any, Any]:
        (result,) = jax.core.eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, *_arguments(args))
        return np.asarray(result)

    return Traced(len(jaxpr.eqns), run)
