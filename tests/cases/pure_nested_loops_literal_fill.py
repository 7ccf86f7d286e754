"""A matrix filled by loops and conditions over literals."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    out = np.zeros((3, 3))
    for i in range(3):
        for j in range(i + 1):
            if i == j:
                out[i, j] = x[i]
            elif i - j == 1:
                out[i, j] = -x[j]
    return out + out.T


EXAMPLE = (np.arange(3.),)
SAME = (np.arange(3.) + 3,)
