"""An assert whose condition compares in several steps, or asks for membership, is one finding: of the assert."""
import numpy as np

gain = 2.0


# nst: example(np.array([1., 2.]), 0.5, "mean")
def arguments(x, p, mode):
    assert 0 <= p <= 1
#          ^^^^^^^^^^^ NST107
    assert mode in ("mean", "sum"), mode
#          ^^^^^^^^^^^^^^^^^^^^^^^ NST107
    assert 0 < x.max() < 5 and p
#          ^^^^^^^^^^^^^^^^^^^^^ NST107
    return x * 2


# nst: example(np.array([1., 2.]), np.array([1., 2.]))
def arrays(x, y):
    assert 9.0 not in x
#          ^^^^^^^^^^^^ NST107
    assert x.shape[0] in (2, 4)
#          ^^^^^^^^^^^^^^^^^^^^ NST107
    assert x.dtype in (np.float32, np.float64)
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST107
    assert x is not y and gain > 1
#          ^^^^^^^^^^^^^^^^^^^^^^^ NST107
    assert not (x < 0).any()
#          ^^^^^^^^^^^^^^^^^ NST107
    return x * 2
