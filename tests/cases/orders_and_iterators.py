"""Orders that `sort` and `min` with a key decide, and loops over what iterates on its own."""
import itertools
import numpy as np


# nst: example(np.array([1., 2.]))
def by_key(x):
    best = min((0, 1), key=lambda k: x[k])
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
    return x * 2 + x[best]


# nst: example(np.array([1., 2.]))
def nothing_to_choose_from(x):
    return x * max([], key=abs, default=3.0)


# nst: example(np.array([1., 2.]))
def in_place(x):
    items = [x[0], x[1]]
    items.sort(key=abs, reverse=True)
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
    return items[0] - 3 * items[1]


# nst: example(np.ones((3, 2)), np.ones((3, 2)))
def products(x, y):
    return sum((a * b).sum() for a, b in itertools.product(x, y))
#                                        ^^^^^^^^^^^^^^^^^^^^^^^ NST106


# nst: example(np.ones((3, 2)))
def chained(x):
    return sum(a for a in itertools.chain(x, x))
#                         ^^^^^^^^^^^^^^^^^^^^^ NST106
