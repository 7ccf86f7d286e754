"""Output by every way there is; none of it may reach the protocol, block the run or fill the memory."""
import os
import subprocess
import sys

print("importing")


# nst: example(np.ones(3))
def ten_megabytes(x):
    print("a" + "x" * 10_000_000 + "z")
#   ~ NST301
    return x + 1


# nst: example(np.ones(3))
def to_the_descriptors(x):
    os.write(1, b"to one\n")
#   ~ NST301?
    os.write(2, b"to two\n")
#   ~ NST301?
    return x + 1


# nst: example(np.ones(3))
def a_frame_of_our_own(x):
    sys.__stdout__.buffer.write(b'\x00\x00\x00\x10{"type":"Cancel"}')
#   ~ NST301?
    return x + 1


# nst: example(np.ones(3))
def by_another_process(x):
    subprocess.run([sys.executable, "-c", "print('from a child')"], check=True)
#   ~ NST301
    return x + 1


# nst: example(np.ones(3))
def not_a_character(x):
    os.write(1, b"\xff\xfe\n")
#   ~ NST301?
    return x + 1
