"""A condition kept as a `bool`: it decides where it is asked."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    positive = bool(x.sum() > 0)
#              ^^^^^^^^^^^^^^^^^ NST101|NST201?
    if positive:
#      ^^^^^^^^ NST101
        return x * 3
    return x


EXAMPLE = (np.array([.5, 4.]),)
WITNESS = (np.array([-5., 4.]),)
