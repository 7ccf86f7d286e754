"""Functions that make processes and threads of their own and leave them behind."""
import os
import threading
import time


# nst: example(np.ones(3))
def two_return(x):
    os.fork()
    return x + 1


# nst: example(np.ones(3))
def a_child_goes_on(x):
    if os.fork() == 0:
        time.sleep(3600)
    return x + 1


# nst: example(np.ones(3))
def a_daemon(x):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)
    return x + 1


# nst: example(np.ones(3))
def a_thread(x):
    threading.Thread(target=time.sleep, args=(3600,)).start()
    return x + 1


# nst: example(np.ones(3))
def comes_after(x):
    return x * 2
