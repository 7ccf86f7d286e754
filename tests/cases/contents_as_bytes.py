"""Contents taken out as bytes."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    raw = x.tobytes()
#         ^^^^^^^^^^^ NST201|NST401
    return x * raw[7]


EXAMPLE = (np.array([1., 2.]),)
WITNESS = (np.array([-3., 2.]),)
