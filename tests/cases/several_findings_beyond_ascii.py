"""Several findings on lines with names and text beyond ASCII."""
import numpy as np

größe = 3.0


# nst: example(*EXAMPLE)
def fn(x):
    ä = "日本語"; y = x * größe; print(ä, y)
#                      ^^^^^ NST205
#                             ^^^^^^^^^^^ NST301
    return y if y.max() > 0 else -y
#               ^^^^^^^^^^^ NST101


EXAMPLE = (np.ones(2),)
