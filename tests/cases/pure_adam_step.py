"""An optimiser's step over a dictionary of parameters."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(params, grads, m, v):
    out = {}
    for name, p in params.items():
        g = grads[name]
        m_new = 0.9 * m[name] + 0.1 * g
        v_new = 0.999 * v[name] + 0.001 * g**2
        step = (m_new / (1 - 0.9)) / (np.sqrt(v_new / (1 - 0.999)) + 1e-8)
        out[name] = (p - 1e-3 * step, m_new, v_new)
    return out


A = {"w": np.arange(3.), "b": np.ones(1)}
B = {"w": np.arange(4.) + 1, "b": np.ones(2)}
EXAMPLE = (A, A, A, A)
OTHER = (B, B, B, B)
