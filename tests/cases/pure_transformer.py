"""A transformer block as functions over nested parameters."""
import math
from functools import partial

import numpy as np


def gelu(x):
    return 0.5 * x * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def layer_norm(x, g, b):
    mean = x.mean(-1, keepdims=True)
    variance = x.var(-1, keepdims=True)
    return g * (x - mean) / np.sqrt(variance + 1e-5) + b


def linear(x, w, b):
    return x @ w + b


def attention(q, k, v, mask):
    return softmax(q @ k.T / math.sqrt(q.shape[-1]) + mask) @ v


def mha(x, c_attn, c_proj, n_head):
    x = linear(x, **c_attn)
    qkv_heads = [np.split(part, n_head, axis=-1) for part in np.split(x, 3, axis=-1)]
    causal_mask = (1 - np.tri(x.shape[0], dtype=x.dtype)) * -1e10
    out_heads = [attention(q, k, v, causal_mask) for q, k, v in zip(*qkv_heads)]
    return linear(np.hstack(out_heads), **c_proj)


def block(x, *, mlp, attn, ln_1, ln_2, n_head):
    x = x + mha(layer_norm(x, **ln_1), **attn, n_head=n_head)
    h = layer_norm(x, **ln_2)
    return x + linear(gelu(linear(h, **mlp["c_fc"])), **mlp["c_proj"])


# nst: example(*EXAMPLE)
def fn(tokens, params):
    x = params["wte"][tokens] + params["wpe"][: len(tokens)]
    run = partial(block, n_head=2)
    for p in params["blocks"]:
        x = run(x, **p)
    return layer_norm(x, **params["ln_f"]) @ params["wte"].T


def _block(d, s):
    return {
        "mlp": {"c_fc": {"w": np.full((d, 2 * d), s), "b": np.zeros(2 * d)}, "c_proj": {"w": np.full((2 * d, d), s), "b": np.zeros(d)}},
        "attn": {"c_attn": {"w": np.full((d, 3 * d), s), "b": np.arange(3.0 * d)}, "c_proj": {"w": np.eye(d), "b": np.zeros(d)}},
        "ln_1": {"g": np.ones(d), "b": np.zeros(d)}, "ln_2": {"g": np.ones(d), "b": np.arange(d) / 3},
    }


def _params(d, s):
    return {"wte": np.arange(5.0 * d).reshape(5, d) / 7, "wpe": np.arange(6.0 * d).reshape(6, d) / 9, "blocks": [_block(d, s), _block(d, -s)], "ln_f": {"g": np.ones(d), "b": np.zeros(d)}}


EXAMPLE = (np.array([1, 3, 2]), _params(4, 0.1))
SAME = (np.array([4, 0, 2]), _params(4, 0.3))
OTHER = (np.array([4, 0, 2, 1]), _params(4, 0.3))
