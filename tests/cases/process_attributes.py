"""Attributes of standard modules that tell of the process are frozen; those that are numbers of Python's own are not."""
import math
import os
import sys
import sys as system
import time
from sys import argv

import numpy as np


# nst: example(np.array([1., 2.]))
def told(x):
    y = x * len(sys.argv)
#               ^^^^^^^^ NST207
    y = y + time.timezone
#           ^^^^^^^^^^^^^ NST207
    y = y + sys.flags.optimize + system.version_info[0]
#           ^^^^^^^^^ NST207
#                                ^^^^^^^^^^^^^^^^^^^ NST207
    for folder in sys.path:
#                 ^^^^^^^^ NST207
        y = y + len(folder)
    return y + sys.getrecursionlimit()
#              ^^^^^^^^^^^^^^^^^^^^^^^ NST207


# nst: example(np.array([1., 2.]))
def decided(x):
    if sys.platform == "nowhere" or "nothing" in sys.modules:
#      ^^^^^^^^^^^^ NST207
#                                                ^^^^^^^^^^^ NST207
        return x
    return x * 2 if os.name else x
#                   ^^^^^^^ NST207


# nst: example(np.array([1., 2.]))
def by_name(x):
    return x * len(argv)
#              ^^^^^^^^^ NST205


# nst: example(np.array([1., 2.]))
def changed(x):
    sys.path.append("nowhere")
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^ NST304
    return x


# nst: example(np.array([1., 2.]))
def constants(x):
    return x * math.pi * np.pi * math.inf + sys.maxsize * sys.float_info.epsilon + np.finfo(float).eps
