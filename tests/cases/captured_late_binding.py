"""Functions made in a loop share its variable: a hidden input."""
import numpy as np

fns = []
for k in range(3):
    fns.append(lambda x: x * k)
#                            ^ NST205


# nst: example(*EXAMPLE)
fn = fns[0]
EXAMPLE = (np.array([1., 2.]),)
