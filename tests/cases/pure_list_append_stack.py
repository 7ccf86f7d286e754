"""Rows collected in a list of the function's own, then stacked."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    rows = []
    for shift in [1, 2, 3]:
        rows.append(np.roll(x, shift) * shift)
    return np.stack(rows).mean(axis=0) + np.concatenate([rows[0][:1], rows[1][1:]])


EXAMPLE = (np.arange(4.),)
SAME = (np.arange(4.) ** 2,)
OTHER = (np.arange(6.) ** 2,)
