"""One step of expectation and maximisation for a mixture of Gaussians."""
from __future__ import annotations

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True, slots=True)
class Mixture:
    weights: np.ndarray
    means: np.ndarray
    variances: np.ndarray

    @property
    def components(self) -> int:
        return self.means.shape[0]

    def log_density(self, x: np.ndarray) -> np.ndarray:
        d = x.shape[-1]
        gap = x[:, None, :] - self.means[None]
        square = (gap**2 / self.variances[None]).sum(axis=-1)
        return -0.5 * (square + np.log(self.variances).sum(axis=-1) + d * np.log(2 * np.pi))


def logsumexp(a, axis):
    top = np.max(a, axis=axis, keepdims=True)
    return np.squeeze(top, axis=axis) + np.log(np.sum(np.exp(a - top), axis=axis))


# nst: example(*EXAMPLE)
def fn(mix, x):
    joint = mix.log_density(x) + np.log(mix.weights)
    evidence = logsumexp(joint, axis=1)
    resp = np.exp(joint - evidence[:, None])
    mass = resp.sum(axis=0)
    means = (resp.T @ x) / mass[:, None]
    variances = (resp.T @ x**2) / mass[:, None] - means**2 + 1e-6
    return Mixture(mass / len(x), means, variances), evidence.mean(), mass.sum() / mix.components


EXAMPLE = (Mixture(np.array([0.5, 0.5]), np.array([[0.0, 0.0], [3.0, 3.0]]), np.ones((2, 2))), np.arange(8.0).reshape(4, 2))
SAME = (Mixture(np.array([0.3, 0.7]), np.array([[0.0, 1.0], [3.0, 5.0]]), np.ones((2, 2)) * 2), np.arange(8.0).reshape(4, 2)[::-1])
OTHER = (Mixture(np.array([0.3, 0.3, 0.4]), np.arange(6.0).reshape(3, 2), np.ones((3, 2)) * 2), np.arange(10.0).reshape(5, 2)[::-1])
