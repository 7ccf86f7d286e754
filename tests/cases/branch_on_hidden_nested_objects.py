"""Two objects inside the traced one share a condition: one finding."""
import numpy as np


class Block:
    def __init__(self):
        self.training = True
    def __call__(self, x):
        return x * 2 if self.training else x
#                       ^^^^^^^^^^^^^ NST104


class Net:
    def __init__(self):
        self.blocks = [Block(), Block()]
    def __call__(self, x):
        for block in self.blocks:
#                    ^^^^^^^^^^^ NST106?
            x = block(x)
        return x


# nst: example(*EXAMPLE)
fn = Net()


EXAMPLE = (np.arange(1., 4.),)
