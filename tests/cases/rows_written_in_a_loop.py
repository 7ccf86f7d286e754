"""The rows of an input divided in place, one by one."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    for row in x:
#              ^ NST106
        row /= row.sum()
#       ^^^^^^^^^^^^^^^^ NST303
    return x


EXAMPLE = (np.ones((2, 3)),)
