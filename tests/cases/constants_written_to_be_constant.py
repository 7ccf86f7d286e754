"""Names in capitals that nothing rebinds are hints at most; a library's constants and literals are nothing."""
import math
from typing import Final

import numpy as np

EPS = 1e-6
KERNEL = np.array([0.25, 0.5, 0.25])
half_life: Final = 0.5


# nst: example(np.array([1.0, 2.0, 3.0]))
def capitals(x):
    return np.convolve(x, KERNEL, mode="same") + EPS


# nst: example(np.array([1.0, 2.0]))
def final_name(x):
    return x * half_life


# nst: example(np.array([1.0, 2.0]))
def library_constants(x):
    return np.sin(x * np.pi) + math.e * x


# nst: example(np.array([1.0, 2.0]))
def literals(x):
    weights = np.array([0.25, 0.75], dtype=np.float64)
    return x * weights + np.linspace(0.0, 1.0, 2)
