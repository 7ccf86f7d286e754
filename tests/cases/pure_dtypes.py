"""Booleans, integers, complex numbers, small floats: kept as they are."""
import numpy as np


# nst: example(np.array([1, 2, 3]), np.array([2, 2, 2]))
def integers(a, b):
    return (a // b) * b + a % b, a << 1, a & b, ~a


# nst: example(np.array([True, False, True]), np.array([True, True, False]))
def booleans(a, b):
    return (a & b) | ~a, np.logical_xor(a, b)


# nst: example(np.array([1 + 2j, 3 - 1j]))
def complex_numbers(z):
    return z.conj() * z, np.abs(z), z.real + z.imag


# nst: example(np.array([1.0, 2.0], dtype=np.float32))
def single_precision(x):
    return x * 2 + np.float32(0.5)


# nst: example(np.array([1.5, 2.5]))
def cast(x):
    return x.astype(np.int64), x.astype("float32")


# nst: example(np.array(3.0), np.array(2.0))
def zero_dimensional(a, b):
    return a + b
