"""Conditions on sizes, however the size was asked for."""
import numpy as np


# nst: example(np.ones(3))
def by_len(x):
    if len(x) > 2:
#      ^^^^^^^^^^ NST102
        return x[1:] - x[:-1]
    return x


# nst: example(np.ones((3, 3)))
def square_only(a):
    if a.shape[0] != a.shape[1]:
#      ^^^^^^^^^^^^^^^^^^^^^^^^ NST102
        raise ValueError("not square")
    return a @ a


# nst: example(np.ones(8))
def parity(x):
    n = x.shape[0]
    if n % 2:
#      ^^^^^ NST102
        x = x[:-1]
    return x.reshape(2, -1).sum(axis=0)


# nst: example(np.ones((2, 3)), np.ones((2, 3)))
def same_shape(x, y):
    return x + y if x.shape == y.shape else x
#                   ^^^^^^^^^^^^^^^^^^ NST102


# nst: example(np.ones((4, 2)))
def by_size(x):
    if not x.size:
#          ^^^^^^ NST102
        return x
    return x - x.mean(axis=0)


# nst: example(np.ones(8))
def pairwise_sum(x):
    while x.shape[0] > 1:
#         ^^^^^^^^^^^^^^ NST102
        x = x[::2] + x[1::2]
    return x[0]


# nst: example(np.ones((2, 3)), 2)
def size_against_argument(x, most):
    if x.shape[1] > most:
#      ^^^^^^^^^^^^^^^^^ NST102
        return x * 2
    return x
