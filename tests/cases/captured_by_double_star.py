"""A module-level dictionary spread into a call's keywords."""
import numpy as np

bounds = {"a_min": 0.0, "a_max": 1.0}


# nst: example(*EXAMPLE)
def fn(x):
    return np.clip(x, **bounds)
#   ~ NST205


EXAMPLE = (np.array([-1., 3.]),)
