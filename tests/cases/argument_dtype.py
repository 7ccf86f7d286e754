"""A dtype as argument is a constant of the graph."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, dtype):
    return x.astype(dtype) * 2
#                   ^^^^^ NST202


EXAMPLE = (np.arange(1., 4.), np.float32)
WITNESS = (np.arange(1., 4.), np.int64)
