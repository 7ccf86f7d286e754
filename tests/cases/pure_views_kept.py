"""Writing through views of an array of the function's own."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    y = np.array(x)
    top = y[:1]
    top += 10
    col = y.T[0]
    col[...] = col * 2
    flat = y.reshape(-1)
    flat[-1] = 0
    return y, top.sum(), col


EXAMPLE = (np.arange(4.).reshape(2, 2),)
SAME = (np.arange(4.).reshape(2, 2) + 3,)
OTHER = (np.arange(6.).reshape(3, 2) + 3,)
