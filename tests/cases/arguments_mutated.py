"""Containers and objects that were passed in and are changed."""
from dataclasses import dataclass

import numpy as np


@dataclass
class State:
    value: np.ndarray
    steps: int


# nst: example([np.array([1.0]), np.array([2.0])])
def takes_the_last(stack):
    top = stack.pop()
#         ^^^^^^^^^^^ NST302
    return top * 2


# nst: example(np.array([1.0, 2.0]), [])
def notes_what_it_did(x, steps):
    steps.append("doubled")
#   ^^^^^^^^^^^^^^^^^^^^^^^ NST302
    return x * 2


# nst: example({"x": np.array([1.0, 2.0]), "tmp": 3})
def forgets(data):
    del data["tmp"]
#   ^^^^^^^^^^^^^^^ NST302
    return data["x"] + 1


# nst: example({"x": np.array([1.0, 2.0]), "calls": 0})
def counts(data):
    data["calls"] += 1
#   ^^^^^^^^^^^^^^^^^^ NST302
    return data["x"] + 1


# nst: example(State(np.array([1.0, 2.0]), 0))
def advances(state):
    state.steps = 7
#   ^^^^^^^^^^^^^^^ NST302
    return state.value * 0.5


# nst: example([3, 1, 2], np.array([1.0, 2.0]))
def reverses(order, x):
    order.reverse()
#   ^^^^^^^^^^^^^^^ NST302
    return x[::-1]
