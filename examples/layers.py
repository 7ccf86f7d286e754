"""Layers of a neural network as plain functions; an example in a comment stands above each."""

import numpy as np


# nst: example(np.array([[0.5, 1.5, -1.0], [2.0, 0.0, 0.3]]))
def softmax(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    weights = np.exp(shifted)
    return weights / weights.sum(axis=-1, keepdims=True)


# nst: example(np.array([[0.5, 1.5, -1.0], [2.0, 0.0, 0.3]]), np.array([1.0, 0.5, 2.0]), np.array([0.0, 0.1, -0.1]))
def layer_norm(x, gain, bias):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(variance + 1e-5) + bias


# nst: example(np.linspace(-3.0, 3.0, 7))
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# nst: example(np.array([[2.0, -1.0, 0.5], [0.1, 0.2, 3.0]]), np.array([0, 2]))
def cross_entropy(logits, labels):
    """Mean negative log-likelihood of integer labels."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_probabilities = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -np.take_along_axis(log_probabilities, labels[:, None], axis=1).mean()
