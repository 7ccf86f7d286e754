"""Annotated code that traces to the function's own results, without an example line."""
from typing import Annotated, NamedTuple

import numpy as np
from jaxtyping import Complex, Float, Float32, Int, Num, Shaped, UInt8
from tracer import spec


class Line(NamedTuple):
    slope: Float[np.ndarray, "k"]
    offset: Float[np.ndarray, "k"]


def attention(
    queries: Float[np.ndarray, "t d"], keys: Float[np.ndarray, "s d"], values: Float[np.ndarray, "s e"]
) -> Float[np.ndarray, "t e"]:
    scores = queries @ keys.T / np.sqrt(queries.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ values


def flattened(x: Float32[np.ndarray, "*batch h w"]) -> Float32[np.ndarray, "*batch h*w"]:
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def differences(x: Num[np.ndarray, "n+1"]) -> Num[np.ndarray, "n"]:
    return x[1:] - x[:-1]


def broadcast(x: Float[np.ndarray, "#n 3"], y: Float[np.ndarray, "n 3"], *more: Float[np.ndarray, "..."]):
    return x + y, [each.sum() for each in more]


def evaluated(line: Line, x: Float[np.ndarray, "k"]):
    return line.slope * x + line.offset


def grey(image: UInt8[np.ndarray, "rows=8 columns 3"]):
    return image.mean(axis=-1)


def looked_up(table: Float[np.ndarray, "v d"], tokens: Int[np.ndarray, "t"]):
    return table[np.clip(tokens, 0, table.shape[0] - 1)]


def energy(signal: Complex[np.ndarray, "n"], window: Shaped[np.ndarray, ""]):
    return (np.abs(signal * window) ** 2).sum()


def enormous(x: Annotated[np.ndarray, spec((1_000_000, 4096), "float32")], w: Annotated[np.ndarray, spec("4096 d")]):
    return np.tanh(x @ w).mean(axis=0)
