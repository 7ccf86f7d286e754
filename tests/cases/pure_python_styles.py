"""Python's own ways round the arrays: containers, closures, generators, classes. Nothing is lost."""
import functools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Point(NamedTuple):
    x: np.ndarray
    y: np.ndarray


@dataclass
class Pair:
    left: np.ndarray
    right: np.ndarray


# nst: example(Point(np.array([1.0, 2.0]), np.array([3.0, 4.0])))
def rotate(point):
    return Point(-point.y, point.x)


# nst: example(Pair(np.array([1.0]), np.array([2.0])))
def swap(pair):
    return Pair(left=pair.right * 1, right=pair.left * 2)


# nst: example(np.array([1.0, 2.0]))
def own_closure(x):
    shift = x.mean()

    def centred(v):
        return v - shift

    return centred(x) * 2


# nst: example(np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([5.0, 6.0]))
def reduced(*arrays):
    return functools.reduce(np.add, arrays) + sum(arrays)


# nst: example(np.array([1.0, 2.0]))
def generated(x):
    def powers():
        for k in range(3):
            yield x**k

    return np.stack(list(powers()))


# nst: example(np.array([1.0, 2.0]))
def walrus(x):
    return (y := x * 2) + y.sum()


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


# nst: example(np.array([1.0, 2.0]))
@logged
def decorated(x):
    try:
        return x / 2
    finally:
        x = None


# nst: example(np.array([3.0, 4.0]))
normalise = lambda v: v / np.sqrt((v * v).sum())


class Model:
    @staticmethod
    # nst: example(np.array([1.0, 2.0]))
    def half(x):
        return x / 2

    # nst: example(Model(), np.array([1.0, 2.0]))
    def quarter(self, x):
        return self.half(Model.half(x))


# nst: example(np.array([1.0, 2.0]))
def collected(x):
    parts = []
    for scale in (1, 2, 3):
        parts.append(x * scale)
    named = {"first": parts[0], "rest": parts[1:]}
    named["sum"] = parts[0] + parts[1]
    return named
