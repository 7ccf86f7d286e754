"""Parameters of an object that is given by the example, read in two methods."""
import numpy as np


class Net:
    def __init__(self, n):
        self.w = np.ones((n, n))
        self.b = np.zeros(n)
        self.scale = 0.5
    def hidden(self, x):
        return np.tanh(x @ self.w + self.b)
#                          ^^^^^^ NST204
#                                   ^^^^^^ NST204
    # nst: example(Net(3), np.ones(3))
    def forward(self, x):
        return self.hidden(x) * self.scale
#                               ^^^^^^^^^^ NST205|NST202
