"""Starts the language server that the extension carries: `python -I -S server.py`.

With these flags Python looks into no folder but its own library's: neither `PYTHONPATH` nor anything that is installed
for this interpreter can stand in for a module of the server.  What the user's code sees is not changed by it, as that
runs in a process of another interpreter (or of this one, without the flags), which is told of `libs/tracer` alone.
It must parse under old interpreters too, to refuse them in words.
"""

import os
import sys

LIBRARIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs")

if __name__ == "__main__":
    if sys.version_info < (3, 11):
        sys.exit("nst-lsp needs Python 3.11 or newer; %s is Python %s" % (sys.executable, sys.version.split()[0]))
    sys.path.insert(0, LIBRARIES)
    from nst_lsp.cli import server_main

    server_main()
