"""`python -m tracer.worker`: the same worker as the server starts, through the same script."""

from __future__ import annotations

import os
import runpy
import sys

script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bootstrap.py")
if os.name == "posix":
    os.execv(sys.executable, [sys.executable, script, *sys.argv[1:]])
for name in [name for name in sys.modules if name.partition(".")[0] == "tracer"]:
    del sys.modules[name]  # the script loads its own, under the private name
sys.path.insert(0, os.path.dirname(script))  # as for any script; it takes that back itself
runpy.run_path(script, run_name="__main__")
