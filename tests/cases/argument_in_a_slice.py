"""An argument as the bound of a slice."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, k):
    return x[:k]
#             ^ NST202


EXAMPLE = (np.arange(3.), 2)
WITNESS = (np.arange(3.), 1)
