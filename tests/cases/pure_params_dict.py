"""Two dense layers with their parameters in nested dictionaries."""
import numpy as np


def layer(params, x):
    return np.tanh(x @ params["w"] + params["b"])


# nst: example(*EXAMPLE)
def fn(params, x):
    h = layer(params["first"], x)
    return layer(params["second"], h)


P = {"first": {"w": np.ones((2, 3)) * .3, "b": np.zeros(3)}, "second": {"w": np.ones((3, 1)), "b": np.ones(1)}}
Q = {"first": {"w": np.ones((2, 3)) * .7, "b": np.ones(3)}, "second": {"w": np.ones((3, 1)) * 2, "b": np.zeros(1)}}
EXAMPLE = (P, np.arange(4.).reshape(2, 2))
SAME = (Q, np.ones((2, 2)) * 5)
OTHER = (Q, np.ones((5, 2)) * 5)
