"""Iterating over an array: `for`, comprehensions, unpacking, `*`."""
import numpy as np


# nst: example(np.ones((3, 2)))
def rows(x):
    total = np.zeros(2)
    for row in x:
#              ^ NST106
        total = total + row
    return total


# nst: example(np.array([1.0, 2.0, 3.0]))
def squares(x):
    return np.stack([v * v for v in x])
#                                   ^ NST106


# nst: example(np.array([1.0, 2.0, 3.0]))
def weighted(x):
    total = 0.0
    for i, v in enumerate(x):
#               ^^^^^^^^^^^^ NST106
        total = total + i * v
    return total


# nst: example(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
def dot(x, y):
    total = 0.0
    for a, b in zip(x, y):
#               ^^^^^^^^^ NST106
        total = total + a * b
    return total


# nst: example(np.array([3.0, 4.0]))
def hypotenuse(point):
    a, b = point
#          ^^^^^ NST106
    return np.sqrt(a * a + b * b)


# nst: example(np.array([[1.0, 2.0], [3.0, 4.0]]))
def spread(x):
    return np.hypot(*x)
#                    ^ NST106


# nst: example(np.array([[1.0, -2.0], [3.0, 4.0]]))
def keep_positive(x):
    return [row * 2 for row in x if row.sum() > 0]
#                              ^ NST106
#                                   ^^^^^^^^^^^^^ NST101
