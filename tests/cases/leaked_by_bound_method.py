"""A list's bound `append`, kept at module level."""
import numpy as np

history = []
remember = history.append


# nst: example(*EXAMPLE)
def fn(x):
    y = x * 2
    remember(y)
#   ^^^^^^^^^^^ NST305
    return y


EXAMPLE = (np.array([1.]),)
