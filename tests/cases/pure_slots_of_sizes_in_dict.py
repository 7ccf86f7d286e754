"""Sizes kept in a dictionary, used for a buffer."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    info = {"n": x.shape[0], "d": x.shape[1]}
    grid = np.zeros((info["n"], info["d"] + 1))
    grid[:, : info["d"]] = x
    grid[:, -1] = x.sum(axis=1) / info["d"]
    return grid


EXAMPLE = (np.arange(6.).reshape(2, 3),)
OTHER = (np.arange(12.).reshape(3, 4),)
