"""A recursive map over nested containers, by `isinstance`."""
import numpy as np


def tree_map(f, *trees):
    first = trees[0]
    if isinstance(first, dict):
        return {k: tree_map(f, *(t[k] for t in trees)) for k in first}
    if isinstance(first, (list, tuple)):
        return type(first)(tree_map(f, *parts) for parts in zip(*trees))
    return f(*trees)


# nst: example(*EXAMPLE)
def fn(params, grads):
    return tree_map(lambda p, g: p - 0.1 * g, params, grads)


T = {"a": [np.arange(3.), np.ones(2)], "b": (np.eye(2),)}
U = {"a": [np.arange(4.), np.ones(3)], "b": (np.eye(3),)}
EXAMPLE = (T, T)
OTHER = (U, U)
