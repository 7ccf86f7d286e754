"""An import that writes, is refused something, and goes on."""
import os
import socket
from pathlib import Path

Path("log.txt").write_text("imported")
# ~ NST301

try:
    socket.create_connection(("127.0.0.1", 9), timeout=1)
#   ~ NST207
except OSError:
    pass


# nst: example(np.ones(3))
def finds_what_the_import_wrote(x):
    return x + len(Path("log.txt").read_text())
#              ~ NST207


# nst: example(np.ones(3))
def comes_after(x):
    return x * os.getpid() * 0
#              ~ NST207
