"""Functions that start other programs; the folder where this runs stays empty."""
import os
import subprocess
import sys

COMMAND = [sys.executable, "-c", "open('started', 'w')"]


# nst: example(np.ones(3))
def runs(x):
    subprocess.run(COMMAND, check=True)
#   ~ NST301
    return x


# nst: example(np.ones(3))
def reads(x):
    return x + len(subprocess.check_output(COMMAND))
#                  ~ NST207


# nst: example(np.ones(3))
def by_the_shell(x):
    os.system("echo > started")
#   ~ NST301
    return x


# nst: example(np.ones(3))
def through_a_pipe(x):
    return x + len(os.popen("echo > started").read())
#                  ~ NST207


# nst: example(np.ones(3))
def becomes(x):
    os.execv(sys.executable, COMMAND)
#   ~ NST301
    return x


# nst: example(np.ones(3))
def spawns(x):
    os.posix_spawn(sys.executable, COMMAND, {})
#   ~ NST301
    return x


# nst: example(np.ones(3))
def in_a_process_of_its_own(x):
    if os.fork() == 0:
        os.execv(sys.executable, COMMAND)
#       ~ NST301?
    return x


# nst: example(np.ones(3))
def comes_after(x):
    return x * 2
