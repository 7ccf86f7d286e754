"""Functions that write an argument, given it by its name: what was written is followed all the same."""

import numpy as np


# nst: example(np.array([1.0, -2.0, 3.0]))
def copied(x):
    y = np.zeros(3)
    np.copyto(src=x, dst=y)
    if y[0] > 0:
#      ^^^^^^^^ NST101
        return y * 2
    return y


# nst: example(np.array([1.0, -2.0, 3.0]))
def put(x):
    y = np.zeros(3)
    np.put(v=x, ind=[0, 1, 2], a=y)
    if y[0] > 0:
#      ^^^^^^^^ NST101
        return y * 2
    return y


# nst: example(np.array([1.0, -2.0, 3.0]))
def along(x):
    y = np.zeros(3)
    np.put_along_axis(indices=np.array([0, 1, 2]), values=x, axis=0, arr=y)
    if y[0] > 0:
#      ^^^^^^^^ NST101
        return y * 2
    return y
