"""A counter in a dictionary that is a default: changed by one statement, read by the next."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, cache={}):
    cache["n"] = cache.get("n", 0) + 1
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST304
    return x * cache["n"]
#              ^^^^^^^^^^ NST205|NST209


EXAMPLE = (np.array([3., 1., 2.]),)
