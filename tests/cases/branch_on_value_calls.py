"""Truth values asked for inside calls of builtins: the whole call, or the comparison."""
import numpy as np


# nst: example(np.array([1.0, 2.0]))
def any_positive(x):
    if any(x > 0):
#      ^^^^^^^^^^ NST101
        return x * 2
    return x


# nst: example(np.array([1.0, 2.0]))
def all_finite(x):
    if np.isfinite(x).all():
#      ^^^^^^^^^^^^^^^^^^^^ NST101
        return x
    return np.nan_to_num(x)


# nst: example(np.array([1.0, 2.0, 3.0]))
def contains(x):
    if 3.0 in x:
#      ^^^^^^^^ NST101
        return x - 3
    return x


# nst: example(np.array([2.6, 1.0]))
def converted(x):
    if int(x[0]) > 1:
#      ^^^^^^^^^^^^^ NST101
        return x + 1
    return x


# nst: example(np.array([2.5, 1.0]))
def formatted(x):
    if f"{x[0]:.1f}" == "2.5":
#      ^^^^^^^^^^^^^^^^^^^^^^ NST101
        return x + 1
    return x


# nst: example(np.array([2.5, 1.0]))
def closeness(x):
    if np.allclose(x, 0):
#      ^^^^^^^^^^^^^^^^^ NST101
        return np.ones_like(x)
    return x / np.abs(x).max()
