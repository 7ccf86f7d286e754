"""Positions encoded into a fresh array by strided slices."""
import numpy as np
import math


# nst: example(*EXAMPLE)
def fn(x):
    length, dim = x.shape
    position = np.arange(length)[:, None]
    rate = np.exp(np.arange(0, dim, 2) * (-math.log(10000.0) / dim))
    pe = np.zeros((length, dim))
    pe[:, 0::2] = np.sin(position * rate)
    pe[:, 1::2] = np.cos(position * rate)
    return x + pe


EXAMPLE = (np.arange(12.).reshape(3, 4),)
OTHER = (np.arange(30.).reshape(5, 6),)
