"""The other ways to write an example."""
import numpy as np
from tracer import example


@example(np.array([1.0, 2.0, 3.0]))
def decorated(x):
    if x.sum() > 5:
#      ^^^^^^^^^^^ NST101
        return x
    return -x


@example(np.array([1.0, 2.0]), p=3.0)
@example(np.array([1.0, 2.0]), p=4.0)
def twice(x, p):
    return x * p
#              ^ NST202


def in_a_docstring(x, y):
    """Add.

    >>> ones = np.ones(3)
    >>> in_a_docstring(ones, 2.0)
    array([3., 3., 3.])
    """
    return x + y
#              ^ NST202
