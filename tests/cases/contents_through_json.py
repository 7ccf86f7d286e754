"""Contents written as JSON and read again."""
import numpy as np
import json


# nst: example(*EXAMPLE)
def fn(x):
    return np.array(json.loads(json.dumps(x.tolist()))) * 2
#                                         ^^^^^^^^^^ NST201


EXAMPLE = (np.array([1., 2.]),)
WITNESS = (np.array([3., 3.]),)
