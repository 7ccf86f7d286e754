"""Parameters come in many shapes: a nested dictionary, a data class, a named tuple, an object."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

PARAMETERS = {
    "hidden": {"weight": np.array([[0.5, -1.0, 0.3], [0.2, 0.8, -0.6]]), "bias": np.array([0.1, 0.0, -0.1])},
    "output": {"weight": np.array([[1.0, 0.2], [-0.5, 0.4], [0.7, -0.9]]), "bias": np.array([0.2, 0.0])},
}


# nst: example(PARAMETERS, np.array([[1.0, 2.0], [-0.5, 0.3], [0.0, 1.0], [4.0, -2.0]]))
def perceptron(parameters, x):
    """A perceptron of two layers: every array of the dictionary is an input of the graph."""
    hidden, output = parameters["hidden"], parameters["output"]
    activation = np.maximum(x @ hidden["weight"] + hidden["bias"], 0.0)
    return activation @ output["weight"] + output["bias"]


@dataclass(frozen=True)
class Gaussian:
    mean: np.ndarray
    scale: np.ndarray


# nst: example(np.array([[0.0, 1.0], [2.0, -1.0], [0.5, 0.5]]), Gaussian(np.array([0.5, 0.0]), np.array([1.0, 2.0])))
def log_density(x, gaussian):
    """The logarithm of a diagonal Gaussian's density at each row of `x`."""
    z = (x - gaussian.mean) / gaussian.scale
    return (-0.5 * z * z - np.log(gaussian.scale) - 0.5 * math.log(2 * math.pi)).sum(axis=-1)


class State(NamedTuple):
    position: np.ndarray
    velocity: np.ndarray


# nst: example(State(np.array([1.0, 0.0]), np.array([0.0, 1.0])))
def leapfrog(state):
    """One step of a body that circles the origin; the result is a named tuple as well."""
    half = state.velocity - 0.05 * state.position
    position = state.position + 0.1 * half
    return State(position, half - 0.05 * position)


class Affine:
    """A layer as an object: what it keeps is read through `self`, so the graph has a copy of it."""

    def __init__(self, weight, bias):
        self.weight = weight
        self.bias = bias

    # nst: example(
    #     Affine(np.array([[1.0, 0.5], [-1.0, 2.0]]), np.array([0.1, -0.1])),
    #     np.array([[1.0, 2.0], [0.0, 3.0], [2.0, 1.0]]),
    # )
    def __call__(self, x):
        return x @ self.weight + self.bias
