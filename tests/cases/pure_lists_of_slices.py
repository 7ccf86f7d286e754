"""Slices kept in tuples and lists."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    inner = (slice(1, -1), slice(None))
    steps = [slice(0, None, 2), np.s_[1::2]]
    return x[inner].sum(axis=0), x[steps[0]].mean(), x[steps[1], ...].mean(), x[(Ellipsis, 0)]


EXAMPLE = (np.arange(12.).reshape(4, 3),)
OTHER = (np.arange(20.).reshape(5, 4),)
