"""An argument that picks from a literal table decides a constant."""
import numpy as np


# nst: example(np.array([-0.75, 3.0, -1.5]), 1)
def by_number(x, k):
    return x * {0: 0.5, 1: 1.5}[k]
#                               ^ NST202


# nst: example(np.array([-0.75, 3.0, -1.5]), "a")
def by_name(x, kind):
    return x * {"a": 0.5, "b": 1.5}[kind]
#                                   ^^^^ NST202


# nst: example(np.array([-0.75, 3.0, -1.5]), "a")
def by_get(x, kind):
    return x * {"a": 0.5, "b": 1.5}.get(kind, 1.0)
# ~ NST202
