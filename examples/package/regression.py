"""Ridge regression on standardised features."""

import numpy as np

from .scaling import standardise


# nst: example(np.array([[1.0, 10.0], [2.0, 30.0], [4.0, 20.0]]), np.array([1.0, 3.0, 4.0]), np.array(0.1))
def ridge(features, target, strength):
    """Coefficients in the units of `features`, and the intercept."""
    scaled, mean, deviation = standardise(features)
    gram = scaled.T @ scaled + strength * np.eye(scaled.shape[1])
    coefficients = np.linalg.solve(gram, scaled.T @ (target - target.mean())) / deviation
    return coefficients, target.mean() - mean @ coefficients
