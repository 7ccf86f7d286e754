"""Attention by einsum, with its softmax in place on a fresh array."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(q, k, v):
    scores = np.einsum("bqd,bkd->bqk", q, k) / np.sqrt(q.shape[-1])
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.einsum("bqk,bkd->bqd", weights, v)


EXAMPLE = (np.arange(12.).reshape(1, 3, 4) / 9, np.arange(8.).reshape(1, 2, 4) / 5, np.ones((1, 2, 4)))
SAME = (np.arange(12.)[::-1].reshape(1, 3, 4) / 9, np.arange(8.).reshape(1, 2, 4) / 3, np.arange(8.).reshape(1, 2, 4))
OTHER = (np.ones((2, 3, 5)), np.ones((2, 4, 5)) / 5, np.arange(40.).reshape(2, 4, 5))
