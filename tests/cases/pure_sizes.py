"""Sizes that stay symbolic: the graph computes them anew."""
import numpy as np


# nst: example(np.array([1.0, 2.0, 3.0]))
def mean_by_hand(x):
    return x.sum() / x.shape[0]


# nst: example(np.ones((2, 3, 4)))
def flatten(x):
    return x.reshape(x.shape[0], -1)


# nst: example(np.ones((3, 2)))
def with_ones_column(x):
    return np.concatenate([x, np.ones((x.shape[0], 1))], axis=1)


# nst: example(np.array([1.0, 2.0, 3.0, 4.0]))
def halves(x):
    n = x.shape[0] // 2
    return x[:n] + x[n:]


# nst: example(np.ones((3, 5)))
def tile(x):
    return np.broadcast_to(x.mean(axis=1, keepdims=True), x.shape) * x.size


# nst: example(np.array([1.0, 2.0, 3.0]))
def unbiased_variance(x):
    n = len(x)
    centred = x - x.sum() / n
    return (centred * centred).sum() / (n - 1)
