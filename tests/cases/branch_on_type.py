"""Conditions on dtype, number of axes and identity."""
import numpy as np


# nst: example(np.array([1, 2, 3]))
def to_float(x):
    if x.dtype.kind == "i":
#      ^^^^^^^^^^^^^^^^^^^ NST105
        x = x.astype(np.float64)
    return x / 2


# nst: example(np.array([1.0, 2.0]))
def by_subdtype(x):
    return np.sqrt(x) if np.issubdtype(x.dtype, np.floating) else x
#                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST105


# nst: example(np.array([1.0, 2.0]))
def at_least_2d(x):
    if x.ndim < 2:
#      ^^^^^^^^^^ NST105
        x = x[None, :]
    return x @ x.T


# nst: example(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
def covariance(x, y):
    if x is y:
#      ^^^^^^ NST105
        return x * x
    return x * y


# nst: example(np.array([[1.0, 2.0]]), np.array([[True, False]]))
def masked_mean(x, mask):
    if mask is not None:
#      ^^^^^^^^^^^^^^^^ NST105
        x = np.where(mask, x, 0)
    return x.mean()


# nst: example(np.array([1.0, 2.0]))
def by_class(x):
    if isinstance(x, np.ndarray):
        return x * 2
    return np.asarray(x) * 2
