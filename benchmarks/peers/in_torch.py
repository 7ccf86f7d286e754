"""The programs in PyTorch, traced by `make_fx` in its three modes."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found, unused-ignore]
from torch.fx.experimental.proxy_tensor import make_fx  # type: ignore[import-not-found, unused-ignore]

from benchmarks.peers import Peer, Traced
from benchmarks.programs import ATTENTION, ELEMENTWISE, MLP, STENCIL, Function

MODES = ("real", "fake", "symbolic")


def elementwise(steps: int) -> Function:
    def elementwise(x: Any) -> Any:
        for _ in range(steps):
            x = torch.sin(x) * 0.5 + 1.0
            x = -x
        return x

    return elementwise


def mlp(steps: int) -> Function:
    def mlp(x: Any, weights: Any, bias: Any) -> Any:
        for _ in range(steps):
            x = torch.relu(x @ weights + bias) * 0.5 + 0.1
        return x

    return mlp


def attention(steps: int) -> Function:
    def attention(x: Any, query: Any, key: Any, value: Any) -> Any:
        scale = 1.0 / math.sqrt(x.shape[-1])
        for _ in range(steps):
            scores = (x @ query) @ (x @ key).T * scale
            weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
            weights = weights / weights.sum(dim=-1, keepdim=True)
            x = (x + weights @ (x @ value)) * 0.5
        return x

    return attention


def stencil(steps: int) -> Function:
    def stencil(x: Any) -> Any:
        for _ in range(steps):
            x[1:-1] = (x[:-2] + x[2:]) * 0.5
        return x

    return stencil


_MADE = {ELEMENTWISE.name: elementwise, MLP.name: mlp, ATTENTION.name: attention, STENCIL.name: stencil}


def peers() -> list[Peer]:
    torch.set_num_threads(1)  # CPU time is what is measured
    version = f"PyTorch {torch.__version__}"
    return [Peer(f"make_fx, {mode}", version, _make, _arguments, partial(_trace, mode=mode), _opened) for mode in MODES]


def _make(name: str, steps: int) -> Function:
    return _MADE[name](steps)


def _arguments(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(torch.from_numpy(np.array(a)) for a in args)


def _trace(function: Function, args: tuple[Any, ...], mode: str) -> Any:
    return make_fx(function, tracing_mode=mode)(*args)


def _opened(module: Any) -> Traced:
    def run(*args: Any) -> np.ndarray[Any, Any]:
        result: np.ndarray[Any, Any] = module(*_arguments(args)).numpy()
        return result

    nodes = sum(node.op not in ("placeholder", "output") for node in module.graph.nodes)
    return Traced(nodes, run)
