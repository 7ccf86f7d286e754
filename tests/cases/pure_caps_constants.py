"""Module constants in capitals are hints, and no more."""
import numpy as np
import math

EPS = 1e-9
KERNEL = np.array([1.0, 2.0, 1.0]) / 4.0
SHAPE = (3, -1)
LOG_2PI = math.log(2 * math.pi)


# nst: example(*EXAMPLE)
def fn(x):
    smooth = np.convolve(x, KERNEL, mode="same")
    return -0.5 * (smooth**2 + LOG_2PI) / (smooth.std() + EPS)


EXAMPLE = (np.arange(6.),)
SAME = (np.arange(6.)[::-1].copy(),)
OTHER = (np.arange(9.),)
