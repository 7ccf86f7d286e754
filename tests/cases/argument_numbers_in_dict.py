"""Numbers in a dictionary that is an argument: each where it enters the graph."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, params):
    return x * params["scale"] + params["shift"]
#              ^^^^^^^^^^^^^^^ NST202
#                                ^^^^^^^^^^^^^^^ NST202


EXAMPLE = (np.arange(3.), {"scale": 2.0, "shift": 1.0})
WITNESS = (np.arange(3.), {"scale": 3.0, "shift": 1.0})
