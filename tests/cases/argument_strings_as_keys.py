"""Strings of an argument as keys of a dictionary made in the call."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, names):
    out = {}
    for i, name in enumerate(names):
#                  ^^^^^^^^^^^^^^^^ NST106?
        out[name] = x * i
    return out["b"]


EXAMPLE = (np.arange(2.), ["a", "b"])
