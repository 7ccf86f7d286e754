"""A literal number of slices, halved until one is left."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(s):
    values = np.stack([s * k for k in range(5)], axis=-1)
    values = np.maximum(values - s[..., None], 0.0)
    while values.shape[-1] > 1:
        values = 0.5 * (values[..., 1:] + values[..., :-1])
    return values[..., 0]


EXAMPLE = (np.arange(3.),)
OTHER = (np.arange(4.),)
