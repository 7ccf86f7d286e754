"""Layers of neural networks, in single precision: windows, attention, normalisation."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def relu(x):
    return np.maximum(x, 0)


def softmax(x):
    """Along the last axis, the largest subtracted first."""
    largest = np.max(x, axis=-1, keepdims=True)
    raised = np.exp(x - largest)
    return raised / np.sum(raised, axis=-1, keepdims=True)


def mlp(x, w1, b1, w2, b2, w3, b3):
    """Three layers with a softmax at the end."""
    x = relu(x @ w1 + b1)
    x = relu(x @ w2 + b2)
    return softmax(x @ w3 + b3)


def conv2d_windows(image, weights, bias):
    """A convolution window by window (batch, height, width, channels), as NPBench's conv2d loops over its output."""
    k = weights.shape[0]
    height, width = image.shape[1] - k + 1, image.shape[2] - k + 1
    out = np.empty((image.shape[0], height, width, weights.shape[3]), dtype=np.float32)
    for i in range(height):
#            ^^^^^^^^^^^^^ NST106
        for j in range(width):
#                ^^^^^^^^^^^^ NST106
            window = image[:, i : i + k, j : j + k, :, np.newaxis]
            out[:, i, j, :] = np.sum(window * weights[np.newaxis, :, :, :], axis=(1, 2, 3))
    return out + bias


def conv2d_shifts(image, weights, bias):
    """The same, one shifted image for each weight: images of any size for kernels of one."""
    k = weights.shape[0]
    height, width = image.shape[1] - k + 1, image.shape[2] - k + 1
    out = np.zeros((image.shape[0], height, width, weights.shape[3]), dtype=np.float32)
    for i in range(k):
#            ^^^^^^^^ NST106
        for j in range(k):
#                ^^^^^^^^ NST106
            out += image[:, i : i + height, j : j + width, :] @ weights[i, j]
    return out + bias


def _max_pool(x):
    n, height, width, channels = x.shape
    blocks = x[:, : height // 2 * 2, : width // 2 * 2].reshape(n, height // 2, 2, width // 2, 2, channels)
    return blocks.max(axis=(2, 4))


def _conv3(x, weights):
    """Three by three, by nine shifts that are written in the program."""
    height, width = x.shape[1] - 2, x.shape[2] - 2
    return sum(x[:, i : i + height, j : j + width] @ weights[i, j] for i in range(3) for j in range(3))


def lenet(image, conv1, conv2, w, b):
    """Two convolutions with pooling, then a dense layer over the mean (LeCun and others, 1998, made smaller)."""
    x = _max_pool(relu(_conv3(image, conv1)))
    x = relu(_conv3(x, conv2))
    return x.mean(axis=(1, 2)) @ w + b


def batch_norm(x):
    """Standardised over the batch (Ioffe and Szegedy, 2015)."""
    mean = np.mean(x, axis=0, keepdims=True)
    std = np.std(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(std + np.float32(1e-5))


def residual_block(x, w1, w2, w3):
    """A bottleneck of one-by-one convolutions with a shortcut (He and others, 2016)."""
    y = relu(batch_norm(x @ w1))
    y = relu(batch_norm(y @ w2))
    return relu(batch_norm(y @ w3) + x)


def layer_norm(x, gain, bias):
    """Standardised along the last axis (Ba, Kiros and Hinton, 2016)."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return gain * centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(1e-5)) + bias


def attention(q, k, v):
    """Scaled dot products, later positions masked (Vaswani and others, 2017)."""
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(np.float32(q.shape[-1]))
    later = np.triu(np.ones((q.shape[-2], k.shape[-2]), dtype=bool), 1)
    return softmax(np.where(later, np.float32(-1e9), scores)) @ v


def multi_head(x, w_in, w_out, heads):
    """Attention in several heads: one product in, heads split by reshape, one product out."""
    batch, length, width = x.shape
    q, k, v = np.split(x @ w_in, 3, axis=-1)
    q, k, v = (t.reshape(batch, length, heads, width // heads).transpose(0, 2, 1, 3) for t in (q, k, v))
#                                       ^^^^^ NST202
#                                                       ^^^^^ NST202
    mixed = attention(q, k, v).transpose(0, 2, 1, 3).reshape(batch, length, width)
    return x + mixed @ w_out


def lstm(x, w, u, b):
    """Long short-term memory over time, first axis (Hochreiter and Schmidhuber, 1997)."""
    hidden = np.zeros((x.shape[1], u.shape[0]), dtype=x.dtype)
    cell = np.zeros_like(hidden)
    states = []
    for step in x:
#               ^ NST106
        i, f, g, o = np.split(step @ w + hidden @ u + b, 4, axis=-1)
        cell = cell / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        hidden = np.tanh(cell) / (1 + np.exp(-o))
        states.append(hidden)
    return np.stack(states), cell


def embedding_bag(table, index, offsets):
    """Rows of a table, summed by bag."""
    return np.add.reduceat(table[index], offsets, axis=0)


def cross_entropy(scores, label):
    """The mean negative log-likelihood, and its gradient written into the probabilities."""
    p = softmax(scores)
    rows = np.arange(scores.shape[0])
    loss = -np.log(p[rows, label]).mean()
    p[rows, label] -= 1
    return loss, p / scores.shape[0]
