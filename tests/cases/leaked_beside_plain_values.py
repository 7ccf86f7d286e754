"""Each store is judged by what it stored, whatever else the container comes to hold."""
import numpy as np

log = []
seen = {}


# nst: example(np.array([-0.75, 3.0, -1.5]))
def two_stores(x):
    scaled = x * 2
    log.append("step")
#   ^^^^^^^^^^^^^^^^^^ NST304
    log.append(scaled)
#   ^^^^^^^^^^^^^^^^^^ NST305
    return scaled


# nst: example(np.array([-0.75, 3.0, -1.5]))
def by_keyword(x):
    scaled = x * 2
    seen.update(last=scaled)
#   ^^^^^^^^^^^^^^^^^^^^^^^^ NST305
    return scaled
