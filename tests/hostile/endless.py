"""Runs that never end by themselves, in Python and in C code that never gives the interpreter back."""
import threading
import time


# nst: example(np.ones(3))
def in_python(x):
    while True:
        x = x + sum(range(100_000))
#       ~ NST504


# nst: example(np.ones(3))
def in_c(x):
    return x + sum(iter(int, 1))
#   ~ NST504


# nst: example(np.ones(3))
def in_one_operation(x):
    n = 3**100_000
    return x * (n**n > 3)
#   ~ NST504


def wait_for_nobody():
    threading.Event().wait()
#   ~ NST504


# nst: example(np.ones(3))
def in_a_helper(x):
    wait_for_nobody()
    return x


# nst: example(np.ones(3))
def keeps_what_it_printed(x):
    print("before the sleep")
#   ~ NST301?
    time.sleep(3600)
#   ~ NST504
    return x


# nst: example(np.ones(3))
def comes_after(x):
    return x * 2
