"""An import that never ends."""
import time

while True:
    time.sleep(0.01)
#   ~ NST504


# nst: example(np.ones(3))
def never_reached(x):
    return x + 1
