"""A number formatted for printing is told as printed, not as lost."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    print("max is %.2f" % x.max())
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST301
    return x + 1


EXAMPLE = (np.array([1., 2.]),)
