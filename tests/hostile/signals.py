"""Functions that send signals to others; those to themselves and to their own children are their own business."""
import ctypes
import os
import signal
import time


# nst: example(np.ones(3))
def kills_its_parent(x):
    y = x + 1
    os.kill(os.getppid(), signal.SIGKILL)
#   ~ NST301
    return y


# nst: example(np.ones(3))
def kills_the_group_of_its_parent(x):
    os.killpg(os.getpgid(os.getppid()), signal.SIGKILL)
#   ~ NST301
    return x


# nst: example(np.ones(3))
def kills_by_c(x):
    ctypes.CDLL(None).kill(os.getppid(), signal.SIGKILL)
#   ~ NST301
    return x


# nst: example(np.ones(3))
def wakes_itself(x):
    seen = []
    signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    os.kill(os.getpid(), signal.SIGUSR1)
    return x + len(seen)


# nst: example(np.ones(3))
def ends_its_child(x):
    child = os.fork()
    if child == 0:
        time.sleep(3600)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return x + 1


# nst: example(np.ones(3))
def comes_after(x):
    return x * 2
