"""A traced value appended to a list that is an item of a module-level dictionary."""
import numpy as np
from collections import defaultdict

log = defaultdict(list)


# nst: example(*EXAMPLE)
def fn(x):
    y = x * 2
    log["y"].append(y)
#   ^^^^^^^^^^^^^^^^^^ NST305
    return y + 1


EXAMPLE = (np.array([1.]),)
