"""A chained comparison with two links that follow the contents, and one that compares two of them."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    if 0.0 <= x.min() <= x.max() <= 5.0:
#      ^^^^^^^^^^^^^^ NST101
#             ^^^^^^^^^^^^^^^^^^ NST101
#                        ^^^^^^^^^^^^^^ NST101
        return x / 5
    return x


EXAMPLE = (np.array([1., 4.]),)
WITNESS = (np.array([-1., 1.]),)
