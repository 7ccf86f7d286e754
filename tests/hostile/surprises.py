"""What Python runs when nobody expects it: finalizers, and what is left for the end of the process."""
import atexit
import gc
import os
import sys
import threading
import time
import weakref


class Raises:
    def __del__(self):
        raise RuntimeError("not now")


class Exits:
    def __del__(self):
        sys.exit(3)


class Writes:
    def __del__(self):
        open("finalized.txt", "w").close()
#       ~ NST301?


class Hangs:
    def __del__(self):
        while True:
            time.sleep(0.01)
#           ~ NST504


# nst: example(np.ones(3))
def drops_what_raises(x):
    Raises()
    return x + 1


# nst: example(np.ones(3))
def drops_what_exits(x):
    Exits()
    return x + 1


# nst: example(np.ones(3))
def drops_what_writes(x):
    Writes()
    return x + 1


# nst: example(np.ones(3))
def drops_what_hangs(x):
    y = x + 1
    Hangs()
    return y


# nst: example(np.ones(3))
def leaves_something_for_the_end(x):
    kept = Raises()
    kept.itself = kept
    weakref.finalize(kept, time.sleep, 3600)
    atexit.register(time.sleep, 3600)
    atexit.register(os._exit, 7)
    gc.collect()
    return x + 1


# nst: example(np.ones(3))
def starts_threads_that_stay(x):
    for _ in range(3):
        threading.Thread(target=time.sleep, args=(3600,)).start()
    return x + 1


# nst: example(np.ones(3))
def comes_after(x):
    return x * 2
