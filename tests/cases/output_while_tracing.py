"""Printing, logging and writing happen once, while the function is traced."""
import logging
import sys

import numpy as np

log = logging.getLogger(__name__)


# nst: example(np.array([1.0, 2.0]))
def prints_a_value(x):
    print("mean", x.mean())
#   ^^^^^^^^^^^^^^^^^^^^^^^ NST301
    return x - x.mean()


# nst: example(np.array([1.0, 2.0]))
def prints_in_a_loop(x):
    for k in range(3):
        x = x * 0.5
        print(f"step {k}: {x}")
#       ^^^^^^^^^^^^^^^^^^^^^^^ NST301
    return x


# nst: example(np.array([1.0, 2.0]))
def logs(x):
    log.warning("sum is %s", x.sum())
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST301
    return x * 2


# nst: example(np.array([1.0, 2.0]))
def writes(x):
    sys.stdout.write("working\n")
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST301
    return x * 2


def report(label, value):
    print(
#   ~ NST301
        label,
        value,
    )


# nst: example(np.array([1.0, 2.0]))
def prints_in_a_helper(x):
    report("x", x)
    return x + 1
