"""An import that takes the process down."""
import ctypes

print("last words")
ctypes.string_at(0)
# ~ NST504


# nst: example(np.ones(3))
def never_reached(x):
    return x + 1
