"""A helper's fault stands in the helper, once, whoever calls it."""
import numpy as np


def safe_divide(a, b):
    if (b == 0).any():
#      ^^^^^^^^^^^^^^ NST101
        return np.zeros_like(a)
    return a / b


# nst: example(np.array([1.0, 2.0]), np.array([2.0, 4.0]))
def ratio(a, b):
    return safe_divide(a, b) * 100


# nst: example(np.array([1.0, 2.0]))
# nst: example(np.array([5.0, 6.0, 7.0]))
def share(a):
    return safe_divide(a, a.sum(keepdims=True))
