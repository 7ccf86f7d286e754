"""Loops of a literal length, and the shape of an array taken apart: nothing is lost."""
import numpy as np


# nst: example(np.ones((2, 3, 4)))
def merge_last_axes(x):
    b, h, w = x.shape
    return x.reshape(b, h * w)


# nst: example(np.array([1.0, 2.0]))
def power_series(x):
    term, total = np.ones_like(x), np.ones_like(x)
    for k in range(1, 6):
        term = term * x / k
        total = total + term
    return total


# nst: example(np.ones((2, 2)), np.ones((2, 2)), np.ones((2, 2)))
def mlp(x, w1, w2):
    for w in (w1, w2):
        x = np.tanh(x @ w)
    return x


# nst: example(np.array([1.0, 2.0]))
def fan_out(x):
    a, b = np.sin(x), np.cos(x)
    return np.concatenate([part * scale for part in (a, b) for scale in (1, 2)])


# nst: example(np.array([2.0, 3.0]))
def until_a_counter_ends(x):
    steps = 0
    while steps < 3:
        x = x * x
        steps += 1
    return x
