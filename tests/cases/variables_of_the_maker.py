"""What the function that made the traced one holds is hidden, also where a function within reads or changes it."""
import numpy as np


def make(verbose, log, gain, tally):
    def compute(x):
        scaled = (lambda u: u * 2 if verbose else u)(x)
#                                    ^^^^^^^ NST104

        def step(v):
            nonlocal tally
            log.append("step")
#           ^^^^^^^^^^^^^^^^^^ NST304
            tally += 1
#           ^^^^^^^^^^ NST304
            return v * gain
#                      ^^^^ NST205

        return step(scaled)

    return compute


# nst: example(np.array([-0.75, 3.0, -1.5]))
compute = make(True, [], 1.5, 0)
