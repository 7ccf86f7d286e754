"""Writes by the rarer methods: `setfield`, `byteswap`."""
import numpy as np


# nst: example(np.array([-0.75, 3.0, -1.5]))
def own(x):
    mixed = x * 2.0
    mixed.setfield(0.0, mixed.dtype)
    return mixed


# nst: example(np.array([-0.75, 3.0, -1.5]))
def given(x):
    x.setfield(0.0, x.dtype)
#   ^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return x


# nst: example(np.array([1.0, 3.0, -1.5]))
def swapped(x):
    x.byteswap(inplace=True)
#   ^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return x
