"""A plain store into a dictionary that an earlier store put a traced value into: each store is told for itself."""
import numpy as np

seen = {}


# nst: example(np.array([-0.75, 3.0, -1.5]))
def compute(x):
    seen["last"] = x.sum()
#   ^^^^^^^^^^^^^^^^^^^^^^ NST305
    seen["times"] = 2
#   ^^^^^^^^^^^^^^^^^ NST304
    return x * 2


counts = {"calls": 0, "last": None}


# nst: example(np.array([-0.75, 3.0, -1.5]))
def counted(x):
    counts["calls"] += 1
#   ^^^^^^^^^^^^^^^^^^^^ NST304
    counts["last"] = x
#   ^^^^^^^^^^^^^^^^^^ NST305
    return x * 2
