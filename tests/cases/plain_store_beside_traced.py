# As 002 the other way round: an earlier store put a traced value in, a later one stores a plain 2: NST304, got NST305.
import numpy as np

seen = {}


# nst: example(np.array([-0.75, 3.0, -1.5]))
def compute(x):
    seen["last"] = x.sum()
#   ^^^^^^^^^^^^^^^^^^^^^^ NST305
    seen["times"] = 2
#   ^^^^^^^^^^^^^^^^^ NST304
    return x * 2
