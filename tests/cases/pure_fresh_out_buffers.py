"""Fresh buffers filled by `out=` and by index."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, y):
    out = np.empty_like(x)
    np.multiply(x, y, out=out)
    out += 1
    np.sqrt(out, out=out)
    tmp = np.zeros(x.shape)
    tmp[1:] = out[:-1]
    tmp[0] = 5
    return tmp + out


EXAMPLE = (np.arange(3.), np.ones(3))
SAME = (np.arange(3.) + 4, np.ones(3) * 2)
OTHER = (np.arange(5.), np.ones(5))
