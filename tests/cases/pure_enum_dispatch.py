"""Dispatch on members of an enumeration."""
import numpy as np
import enum


class Mode(enum.Enum):
    SUM = "sum"
    MEAN = "mean"


def reduce(v, mode: Mode):
    if mode is Mode.SUM:
        return v.sum()
    if mode == Mode.MEAN:
        return v.mean()
    raise ValueError(mode)


# nst: example(*EXAMPLE)
def fn(x):
    return reduce(x, Mode.SUM) + reduce(x, Mode.MEAN)


EXAMPLE = (np.arange(3.),)
OTHER = (np.arange(4.),)
