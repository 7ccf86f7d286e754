"""More memory than there is, and more stack."""
import numpy as np


# nst: example(np.ones(3))
def hoards(x):
    kept = []
    while True:
        kept.append(bytearray(1 << 24))
#       ~ NST501|NST504


# nst: example(np.ones(3))
def one_large_array(x):
    return x + np.ones(1 << 36)
#   ~ NST501|NST504


def deeper(x):
    return deeper(x)
#   ~ NST501


# nst: example(np.ones(3))
def without_end(x):
    return deeper(x)


# nst: example(np.ones(3))
def comes_after(x):
    return x * 2
