"""A counter kept as an attribute of the function itself."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    fn.calls += 1
#   ^^^^^^^^^^^^^ NST304
    return x * fn.calls
#              ^^^^^^^^ NST205


fn.calls = 0
EXAMPLE = (np.array([3., 1., 2.]),)
