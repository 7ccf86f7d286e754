"""A size that picks from a literal tuple: the index is where it is lost."""
import numpy as np


# nst: example(np.array([-0.75, 3.0, -1.5]))
def compute(x):
    return x * (1.0, 2.0)[len(x) % 2]
#                         ^^^^^^^^^^ NST203
