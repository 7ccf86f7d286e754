"""Sorting, ranking and partitioning as operations."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    order = np.argsort(x, axis=-1, kind="stable")
    ranked = np.take_along_axis(x, order, axis=-1)
    top = np.partition(x, -2, axis=-1)[..., -2:]
    return ranked, np.sort(x)[..., ::-1], top.sum(axis=-1), np.lexsort((x[0], x[1]))


EXAMPLE = (np.array([[3., 1., 2.], [6., 5., 4.]]),)
SAME = (np.array([[3., 10., 2.], [6., 7., 4.]]),)
OTHER = (np.array([[3., 10., 2., 0.], [6., 7., 4., 1.]]),)
