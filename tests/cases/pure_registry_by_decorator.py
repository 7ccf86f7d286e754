"""Functions registered by name at import, looked up by literals."""
import numpy as np

REGISTRY = {}


def register(name):
    def wrap(f):
        REGISTRY[name] = f
        return f
    return wrap


@register("double")
def double(v):
    return v * 2


@register("square")
def square(v):
    return v * v


# nst: example(*EXAMPLE)
def fn(x):
    return REGISTRY["double"](x) + REGISTRY["square"](x)


EXAMPLE = (np.arange(3.),)
OTHER = (np.arange(4.),)
