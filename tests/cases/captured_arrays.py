"""Arrays the function reads but was not given."""
import numpy as np

bias = np.array([0.5, -0.5])
params = {"w": np.array([[1.0, 2.0], [3.0, 4.0]]), "b": np.zeros(2)}
layers = [np.eye(2), np.ones((2, 2))]


# nst: example(np.array([1.0, 2.0]))
def add_bias(x):
    return x + bias
#              ^^^^ NST204


# nst: example(np.array([1.0, 2.0]))
def affine(x):
    return x @ params["w"] + params["b"]
#              ^^^^^^^^^^^ NST204
#                            ^^^^^^^^^^^ NST204


# nst: example(np.array([1.0, 2.0]))
def first_layer(x):
    return layers[0] @ x
#          ^^^^^^^^^ NST204


class Dense:
    def __init__(self, size):
        self.kernel = np.full((size, size), 0.5)

    # nst: example(Dense(2), np.array([1.0, 2.0]))
    def forward(self, x):
        return np.tanh(x @ self.kernel)
#                          ^^^^^^^^^^^ NST204


def make_filter(taps):
    def apply(x):
        return np.convolve(x, taps)
#                             ^^^^ NST204

    return apply


# nst: example(np.array([1.0, 2.0, 3.0]))
smooth = make_filter(np.array([0.5, 0.5]))


# nst: example(np.array([1.0, 2.0]))
def by_default(x, offset=np.array([10.0, 20.0])):
    return x + offset
#              ^^^^^^ NST204
