"""An item of `os.environ`, frozen."""
import numpy as np
import os

os.environ.setdefault("NST_GAIN", "3")


# nst: example(*EXAMPLE)
def fn(x):
    return x * float(os.environ["NST_GAIN"])
#                    ^^^^^^^^^^^^^^^^^^^^^^ NST207


EXAMPLE = (np.array([1., 2.]),)
