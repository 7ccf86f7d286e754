"""A list of weight pairs as argument, unpacked with a star."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(params, x):
    *hidden, (w_last, b_last) = params
    for w, b in hidden:
        x = np.maximum(x @ w + b, 0)
    return x @ w_last + b_last


EXAMPLE = ([(np.eye(2), np.ones(2)), (np.ones((2, 1)), np.zeros(1))], np.arange(4.).reshape(2, 2))
SAME = ([(np.eye(2) * 3, np.ones(2)), (np.ones((2, 1)), np.ones(1))], np.arange(4.).reshape(2, 2) - 2)
OTHER = ([(np.eye(2) * 3, np.ones(2)), (np.ones((2, 1)), np.ones(1))], np.arange(6.).reshape(3, 2) - 2)
