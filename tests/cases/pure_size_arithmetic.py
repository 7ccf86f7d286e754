"""Sizes in arithmetic, in slices and in creation functions."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    n = x.size
    half = n // 2
    pad = np.zeros(n - half)
    low = np.concatenate([x[:half], pad])
    return low * (n - 1) / n + np.linspace(0.0, 1.0, n) + np.full(n, half)


EXAMPLE = (np.arange(5.),)
SAME = (np.arange(5.) - 5,)
OTHER = (np.arange(8.) - 2,)
