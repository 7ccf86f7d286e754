"""Loops whose length is a size, or an argument."""
import numpy as np


# nst: example(np.array([1.0, 2.0, 3.0]))
def running_total(x):
    out = np.zeros_like(x)
    total = 0.0
    for i in range(len(x)):
#            ^^^^^^^^^^^^^ NST106
        total = total + x[i]
        out[i] = total
    return out


# nst: example(np.ones((2, 3)), np.ones((3, 2)))
def matmul_by_hand(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
#            ^^^^^^^^^^^^^^^^^ NST106
        for j in range(b.shape[1]):
#                ^^^^^^^^^^^^^^^^^ NST106
            out[i, j] = (a[i] * b[:, j]).sum()
    return out


# nst: example(np.array([4.0, 9.0]), 5)
def heron(x, steps):
    y = x
    for _ in range(steps):
#            ^^^^^^^^^^^^ NST106
        y = (y + x / y) / 2
    return y


# nst: example(np.ones((2, 2, 2)))
def sum_all_axes(x):
    for _ in range(x.ndim):
#            ^^^^^^^^^^^^^ NST106
        x = x.sum(axis=0)
    return x


# nst: example(np.array([1.0, 2.0, 3.0, 4.0]))
def chunks(x):
    half = x.shape[0] // 2
    return [x[i] + x[i + half] for i in range(half)]
#                                       ^^^^^^^^^^^ NST106
