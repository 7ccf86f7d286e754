"""Decompositions and solving."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(a, b):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    x = vt.T @ ((u.T @ b) / s)
    q, r = np.linalg.qr(a)
    return x - np.linalg.solve(r, q.T @ b), np.linalg.norm(b), np.linalg.det(a.T @ a)


EXAMPLE = (np.array([[2., 1.], [1., 3.], [0., 1.]]), np.array([1., 2., 3.]))
SAME = (np.array([[1., 1.], [1., -3.], [5., 1.]]), np.array([4., 2., 3.]))
OTHER = (np.array([[2., 1.], [1., 3.]]), np.array([1., 2.]))
