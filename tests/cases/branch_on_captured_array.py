"""A condition on a module-level array."""
import numpy as np

table = np.array([1.0, 2.0])


# nst: example(*EXAMPLE)
def fn(x):
    if table.sum() > 2:
#      ^^^^^^^^^^^^^^^ NST104
        return x * 2
    return x


EXAMPLE = (np.ones(3),)
