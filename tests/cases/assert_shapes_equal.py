"""An `assert` that compares two shapes."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, y):
    assert x.shape == y.shape
#          ^^^^^^^^^^^^^^^^^^ NST107
    return x * y


EXAMPLE = (np.array([.25, .75]), np.array([1., 2.]))
