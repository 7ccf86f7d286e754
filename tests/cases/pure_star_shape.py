"""A shape unpacked with a star, and reshaped by it."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    *lead, d = x.shape
    return x.reshape(*lead, 2, d // 2).swapaxes(-1, -2).reshape(x.shape) + x


EXAMPLE = (np.arange(12.).reshape(3, 4),)
SAME = (np.arange(12.).reshape(3, 4) * 3,)
OTHER = (np.arange(24.).reshape(4, 6),)
