"""A `while` over counters that are no input's."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    i = 0
    while i < 3:
        x = x * 0.5 + i
        i += 1
    k = 8
    while k > 1:
        k //= 2
        x = x + k
    return x


EXAMPLE = (np.arange(6.),)
SAME = (np.arange(6.) ** 2,)
OTHER = (np.arange(9.) ** 2,)
