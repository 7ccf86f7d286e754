"""There is nothing to read: standard input is empty."""
import sys


# nst: example(np.ones(3))
def asks(x):
    return x * float(input("factor? "))
#   ~ NST501


# nst: example(np.ones(3))
def reads_all(x):
    return x + len(sys.stdin.read())
#   ~ NST207
