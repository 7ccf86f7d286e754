"""Annotations that leave something open make no example and no complaint; an example of one's own wins."""
import abc
from typing import Any, Protocol

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike, NDArray

table = np.arange(3.0)


def of_open_rank(x: np.ndarray, y: NDArray[np.float32], z: ArrayLike):
    return x + table


def with_a_number(x: Float[np.ndarray, "n"], k: int):
    return x * k + table[0]


def without_arrays(k: int, name: str, items: list[int]):
    return table[k]


def of_text(names: NDArray[np.str_], anything: Any):
    return names[table > 0]


class Model(Protocol):
    def __call__(self, x: Float[np.ndarray, "n"]): ...


class Base(abc.ABC):
    @abc.abstractmethod
    def forward(self, x: Float[np.ndarray, "n"]):
        return x + table


class Needing:
    def __init__(self, size: int, x: Float[np.ndarray, "n"]):
        self.size = size + table[0]

    def forward(self, x: Float[np.ndarray, "n"]):
        return x + table


def later(x: Float[np.ndarray, "n"]):
    raise NotImplementedError


# nst: example(np.array([1.0, 2.0]))
def of_its_own(x: Float[np.ndarray, "n"]):
    if x.shape[0] > 2:
#      ^^^^^^^^^^^^^^ NST102
        return x + table
    return x
