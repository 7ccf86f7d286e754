"""Everyday network code without a fault."""
import numpy as np


# nst: example(np.array([[1.0, 2.0, 3.0], [1.0, 0.0, 1.0]]))
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


# nst: example(np.array([[1.0, 2.0, 4.0], [0.0, 1.0, 1.0]]), np.array([1.0, 1.0, 2.0]), np.zeros(3))
def layer_norm(x, scale, shift):
    mean = x.mean(-1, keepdims=True)
    return scale * (x - mean) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) + shift


# nst: example(np.ones((2, 4, 3)), np.ones((2, 5, 3)), np.ones((2, 5, 6)))
def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    return softmax(scores) @ v


# nst: example(np.ones((2, 3)), {"hidden": {"w": np.ones((3, 4)), "b": np.zeros(4)}, "out": {"w": np.ones((4, 1))}})
def mlp(x, params):
    hidden = np.maximum(x @ params["hidden"]["w"] + params["hidden"]["b"], 0)
    return hidden @ params["out"]["w"]


# nst: example(np.array([-1.0, 0.5]))
def gelu(x):
    return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))


# nst: example(np.ones((2, 6, 8)))
def split_heads(x):
    batch, length, width = x.shape
    return x.reshape(batch, length, 2, width // 2).transpose(0, 2, 1, 3)
