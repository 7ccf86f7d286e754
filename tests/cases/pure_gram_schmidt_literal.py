"""Gram and Schmidt on a number of columns that is written down."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(a):
    basis = []
    for j in range(2):
        v = a[:, j]
        for b in basis:
            v = v - (b @ v) * b
        basis.append(v / np.linalg.norm(v))
    return np.column_stack(basis)


EXAMPLE = (np.array([[2., 1.], [1., 3.]]),)
OTHER = (np.array([[2., 1.], [1., 3.], [4., 5.]]),)
