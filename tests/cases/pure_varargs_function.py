"""Any number of arrays, added up."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(*arrays):
    total = np.zeros_like(arrays[0])
    for a in arrays:
        total = total + a
    return total / len(arrays)


EXAMPLE = (np.arange(4.), np.ones(4))
SAME = (np.arange(4.) - 7, np.ones(4) * 2)
OTHER = (np.arange(6.) ** 2, np.ones(6))
