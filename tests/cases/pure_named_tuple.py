"""A named tuple in, a named tuple out."""
import numpy as np
from typing import NamedTuple


class Point(NamedTuple):
    x: np.ndarray
    y: np.ndarray


# nst: example(*EXAMPLE)
def fn(p: Point) -> Point:
    r = np.hypot(p.x, p.y)
    return Point(p.x / r, y=p.y / r)


EXAMPLE = (Point(np.array([3., 1.]), np.array([4., 2.])),)
SAME = (Point(np.array([1., 1.]), np.array([1., 2.])),)
OTHER = (Point(np.array([1.]), np.array([1.])),)
