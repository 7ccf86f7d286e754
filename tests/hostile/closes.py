"""Functions that close descriptors which are not theirs."""
import ctypes
import os

import numpy as np

from tracer import example


# nst: example(np.ones(3))
def the_low_ones(x):
    os.closerange(0, 100)
    return x + 1


# nst: example(np.ones(3))
def all_of_them(x):
    os.closerange(0, 10_000)
    return x + 1


# nst: example(np.ones(3))
def one_by_one(x):
    for descriptor in range(10_000):
        try:
            os.close(descriptor)
        except OSError:
            pass
    return x + 1


@example(np.ones(3))
# ~ NST504
def behind_our_back(x):
    libc = ctypes.CDLL(None)
    for descriptor in range(10_000):
        libc.close(descriptor)
    return x + 1


# nst: example(np.ones(3))
def comes_after(x):
    return x * 2
