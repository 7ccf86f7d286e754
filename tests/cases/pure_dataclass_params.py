"""A stateless model whose parameters are a dataclass argument."""
import numpy as np
from dataclasses import dataclass


@dataclass(frozen=True)
class Params:
    weight: np.ndarray
    bias: np.ndarray


class Model:
    """Stateless; parameters are given."""
    def __call__(self, p: Params, x: np.ndarray) -> np.ndarray:
        return self.activate(x @ p.weight.T + p.bias)
    @staticmethod
    def activate(v):
        return np.maximum(v, 0.0)


# nst: example(*EXAMPLE)
fn = Model()


EXAMPLE = (Params(np.ones((3, 2)), np.arange(3.)), np.arange(8.).reshape(4, 2))
SAME = (Params(np.ones((3, 2)) * -2, np.arange(3.) + 1), np.arange(8.).reshape(4, 2) - 3)
OTHER = (Params(np.ones((5, 2)), np.arange(5.)), np.arange(4.).reshape(2, 2))
