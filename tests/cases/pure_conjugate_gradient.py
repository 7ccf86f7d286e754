"""Three written-down steps of conjugate gradient."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r
    rs = r @ r
    for _ in range(3):
        ap = a @ p
        alpha = rs / (p @ ap + 1e-30)
        x = x + alpha * p
        r = r - alpha * ap
        new = r @ r
        p = r + (new / (rs + 1e-30)) * p
        rs = new
    return x


EXAMPLE = (np.array([[4., 1.], [1., 3.]]), np.array([1., 2.]))
SAME = (np.array([[5., 1.], [1., 2.]]), np.array([3., 2.]))
OTHER = (np.diag([1., 2., 3.]), np.array([1., 2., 3.]))
