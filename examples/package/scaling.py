"""Columns brought to a common scale."""

import numpy as np


# nst: example(np.array([[1.0, 10.0], [2.0, 30.0], [4.0, 20.0]]))
def standardise(features):
    """Columns with zero mean and unit deviation, and the two rows that undo it."""
    mean = features.mean(axis=0)
    deviation = np.maximum(features.std(axis=0), 1e-12)
    return (features - mean) / deviation, mean, deviation
