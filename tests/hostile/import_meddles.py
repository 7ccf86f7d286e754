"""An import that takes over what the worker might depend on, and then behaves."""
import atexit
import os
import signal
import sys
import threading
import time


def refuse(*args):
    raise RuntimeError("not now")


atexit.register(os._exit, 9)
atexit.register(time.sleep, 3600)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
sys.excepthook = refuse
sys.stdout = sys.stderr = None
threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
os.closerange(3, 100)


# nst: example(np.ones(3))
def behaves(x):
    return x + 1


# nst: example(np.ones(3))
def leaves(x):
    os._exit(4)
#   ~ NST504


