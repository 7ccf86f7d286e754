# A first look at nst-lsp
#
# A comment above a function says on which arguments it is traced.
# What is underlined is where the graph that was kept and the
# function part ways: point at it.

import numpy as np


# nst: example(np.array([1.0, 2.0, 4.0]))
def standard(x):
    return (x - x.mean()) / (x.std() + 1e-9)


# nst: example(np.array([1.0, 2.0, 4.0]))
def damped(x):
    return x / 2 if x.shape[0] > 2 else x - 1


# Not traced yet: put the cursor into it, and add its arguments by a
# command, nst: Add an Example to the Function at the Cursor.
def blend(x, y, share=0.25):
    return share * x + (1 - share) * y


mixed = blend(np.array([1.0, 2.0]), np.array([3.0, 5.0]))
