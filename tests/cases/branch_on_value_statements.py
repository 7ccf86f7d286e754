"""Conditions of `if`, `elif`, `while` and the conditional expression, decided by contents."""
import numpy as np


# nst: example(np.array([1.0, -2.0, 3.0]))
def clip_if_negative(x):
    if x.min() < 0:
#      ^^^^^^^^^^^ NST101
        x = np.maximum(x, 0)
    return x


# nst: example(np.array([3.0, 4.0]))
def unit(v):
    norm = np.sqrt((v * v).sum())
    if norm:
#      ^^^^ NST101
        return v / norm
    return v


# nst: example(np.array([4.0, 9.0]))
def newton_sqrt(x):
    guess = x / 2
    while np.abs(guess * guess - x).max() > 1e-6:
#         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
        guess = (guess + x / guess) / 2
    return guess


# nst: example(np.array([2.0, 1.0]))
def ordered(x):
    return x if x[0] <= x[1] else x[::-1]
#               ^^^^^^^^^^^^ NST101


# nst: example(np.array([0.5, 0.25]))
def temperature(x):
    level = x.mean()
    if level > 0.9:
#      ^^^^^^^^^^^ NST101
        return x * 0.5
    elif level > 0.1:
#        ^^^^^^^^^^^ NST101
        return x * 0.75
    return x
