"""Numbers, strings and axes that are passed in enter the graph as constants."""
import numpy as np


# nst: example(np.array([1.0, -2.0]), -1.0, 1.0)
def clamp(x, low, high):
    return np.clip(x, low, high)
#                     ^^^ NST202
#                          ^^^^ NST202


# nst: example(np.ones((2, 3)), 1)
def total(x, axis):
    return x.sum(axis=axis)
#                     ^^^^ NST202


# nst: example(np.ones((2, 3)), 1)
def column(x, k):
    return x[:, k]
#               ^ NST202


# nst: example(np.array([1.0, 2.0, 3.0]), 1)
def rotate(x, by):
    return np.roll(x, by)
#                     ^^ NST202


# nst: example(np.array([1.0, 2.0]), 3.0)
def derived(x, p):
    scale = p * 2
    return x * scale
#              ^^^^^ NST202


# nst: example(np.array([1.0, 2.0, 1.0]), np.array([0.5, 0.5]), "same")
def smooth(x, kernel, mode):
    return np.convolve(x, kernel, mode=mode)
#                                      ^^^^ NST202


# nst: example(np.array([1.0, 2.0]), rate=0.1)
def step(x, *, rate):
    return x - rate * x
#              ^^^^ NST202


# nst: example(np.array([1.0, 2.0]), [0.25, 0.75])
def mix(x, weights):
    return x * np.array(weights)
#                       ^^^^^^^ NST202
