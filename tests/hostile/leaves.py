"""Functions that end the process they run in."""
import ctypes
import os
import signal
import sys


# nst: example(np.ones(3))
def exits(x):
    sys.exit(3)
#   ~ NST504


# nst: example(np.ones(3))
def exits_at_once(x):
    os._exit(0)
#   ~ NST504


# nst: example(np.ones(3))
def reads_address_zero(x):
    ctypes.string_at(0)
#   ~ NST504
    return x


# nst: example(np.ones(3))
def aborts(x):
    os.abort()
#   ~ NST504


# nst: example(np.ones(3))
def kills_itself(x):
    y = x + 1
    os.kill(os.getpid(), signal.SIGKILL)
#   ~ NST504
    return y


# nst: example(np.ones(3))
def kills_its_group(x):
    os.killpg(0, signal.SIGKILL)
#   ~ NST504
    return x


# nst: example(np.ones(3))
def comes_after(x):
    return x * 2
