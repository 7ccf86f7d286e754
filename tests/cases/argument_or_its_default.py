"""`p or 2.0` on an argument that was not given."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, p=None):
    p = p or 2.0
#       ^ NST103|NST104
    return x * p


EXAMPLE = (np.arange(2.),)
