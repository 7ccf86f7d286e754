"""`.item()` and `float()` on the way into arithmetic."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    low = float(x.min())
#         ^^^^^^^^^^^^^^ NST201 or-right
    high = x.max().item()
#          ^^^^^^^^^^^^^^ NST201 or-right
    return (x - low) / (high - low)


EXAMPLE = (np.array([1.0, 2.0, 3.0]),)
WITNESS = (np.array([0.0, 5.0, 10.0]),)
