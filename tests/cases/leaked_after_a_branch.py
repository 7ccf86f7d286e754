"""A traced value stored on the branch that the contents chose."""
import numpy as np

history = []


# nst: example(*EXAMPLE)
def fn(x):
    if x.sum() > 0:
#      ^^^^^^^^^^^ NST101
        history.append(x)
#       ^^^^^^^^^^^^^^^^^ NST305
    return x * 2


EXAMPLE = (np.ones(3),)
WITNESS = (-np.ones(3),)
