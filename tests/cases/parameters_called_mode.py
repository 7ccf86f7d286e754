"""Keyword arguments may have any name."""
import numpy as np


# nst: example(np.array([-0.75, 3.0, -1.5]), mode="soft", verify=True)
def compute(x, *, mode, verify):
    return np.tanh(x) if mode == "soft" and verify else x
#                        ^^^^^^^^^^^^^^ NST103
#                                           ^^^^^^ NST103
