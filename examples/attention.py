"""Scaled dot-product attention: the scale is computed from a size, which stays symbolic in the graph."""

import math

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


# nst: example(
#     np.array([[1.0, 0.0, 0.5, -1.0], [0.2, 0.3, -0.4, 1.0]]),
#     np.array([[0.5, 1.0, 0.0, 0.1], [0.7, -0.2, 0.3, 0.0], [1.0, 1.0, -1.0, 0.4]]),
#     np.array([[1.0, 2.0], [3.0, 5.0], [-1.0, 0.5]]),
# )
def attention(queries: Matrix, keys: Matrix, values: Matrix) -> Matrix:
    scores = queries @ keys.T / math.sqrt(queries.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ values
