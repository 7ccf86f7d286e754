"""Annotations that tell shapes are examples, also of contents where the function needs some."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from tracer import spec

Matrix = Float[np.ndarray, "n n"]
table = np.arange(4.0)


def of_a_size(x: Float[np.ndarray, "b 4"]):
    if x.shape[0] > 2:
#      ^^^^^^^^^^^^^^ NST102
        return x + table
#                  ^^^^^ NST204
    return x


def of_a_fixed_size(x: Annotated[NDArray[np.float32], spec("b 4")], scale=2.0):
    return x * scale
#              ^^^^^ NST205


def of_contents(x: Annotated[np.ndarray, spec((3, 4))]):
    if x.mean() > 0:
#      ^^^^^^^^^^^^ NST101
        return x * 2
    return -x


def made_a_number(counts: Int[np.ndarray, "*batch n"], mask: Bool[np.ndarray, "n"]):
    return counts * sum(mask.tolist())
#                       ^^^^^^^^^^^^^ NST201


def in_quotes(a: "Matrix", b: "Matrix | None"):
    for row in a:
#              ^ NST106
        b = b + row
    return b


@dataclass
class Layer:
    weights: Float[np.ndarray, "m n"]
    bias: Float[np.ndarray, "n"]
    name: str = "layer"

    def __call__(self, x: Float[np.ndarray, "b m"]):
        print(self.name)
#       ^^^^^^^^^^^^^^^^ NST301
        return x @ self.weights + self.bias


def applied(layers: tuple[Layer, ...], x: Float[np.ndarray, "b m"]):
    return [x @ layer.weights for layer in layers]


def not_what_it_says(x: Float[np.ndarray, "n"], y: Float[np.ndarray, "m"]):
    return x + y
#          ^^^^^ NST501


def particular(x: Float[np.ndarray, "n"]):
    if x.shape[0] % 2:
#      ^^^^^^^^^^^^^^ NST102
        raise ValueError("an even number of them")
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST501
    return x[::2] + x[1::2]
