"""`or` between two conditions, kept in a variable that an operation takes."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    ok = x.min() > 0 or x.max() < 5
#        ^^^^^^^^^^^ NST101
#        ^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101|NST201?
    return np.where(ok, x, -x)


EXAMPLE = (np.array([1., 2.]),)
WITNESS = (np.array([-20., 20.]),)
