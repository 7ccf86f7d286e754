"""A Kalman filter over three steps that are written down, with a smoother."""
from typing import NamedTuple

import numpy as np

DT = 0.1
TRANSITION = np.array([[1.0, DT], [0.0, 1.0]])
OBSERVE = np.array([[1.0, 0.0]])


class Belief(NamedTuple):
    mean: np.ndarray
    cov: np.ndarray


def predict(b: Belief, q: np.ndarray) -> Belief:
    return Belief(TRANSITION @ b.mean, TRANSITION @ b.cov @ TRANSITION.T + q)


def update(b: Belief, z, r) -> Belief:
    innovation = z - OBSERVE @ b.mean
    s = OBSERVE @ b.cov @ OBSERVE.T + r
    gain = np.linalg.solve(s, OBSERVE @ b.cov).T
    return b._replace(mean=b.mean + gain @ innovation, cov=(np.eye(2) - gain @ OBSERVE) @ b.cov)


# nst: example(*EXAMPLE)
def fn(z, q, r):
    belief = Belief(np.zeros(2), np.eye(2))
    means = []
    for k in range(3):
        belief = update(predict(belief, q), z[k : k + 1], r)
        means.append(belief.mean)
    return {"means": np.array(means), "cov": belief.cov, "score": float(0.5) * np.log(np.linalg.det(belief.cov))}


EXAMPLE = (np.array([1.0, 2.0, 2.5]), np.eye(2) * 0.01, np.array([[0.5]]))
SAME = (np.array([0.0, -2.0, 2.5]), np.eye(2) * 0.1, np.array([[0.7]]))
OTHER = (np.array([0.0, -2.0, 2.5, 4.0]), np.eye(2) * 0.1, np.array([[0.7]]))
