"""A module-level array read, and rebound to a traced value."""
import numpy as np

table = np.zeros(3)


# nst: example(*EXAMPLE)
def fn(x):
    global table
    y = x + table
#           ^^^^^ NST204
    table = y
#   ^^^^^^^^^ NST305
    return y


EXAMPLE = (np.ones(3),)
