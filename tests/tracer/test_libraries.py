"""Without PyTorch, or where a program does not use it, no code of its frontend is loaded."""

from __future__ import annotations

import subprocess
import sys

TRACED = """
import sys
import numpy as np
import tracer

found = tracer.trace(lambda x: x @ x.T + 1, np.ones((2, 3)), verify=True)
assert found.error is None
print(*[name for name in sys.modules if name.startswith(("tracer.frontends", "torch"))])
"""


def test_a_trace_of_numpy_loads_no_frontend():
    done = subprocess.run([sys.executable, "-c", TRACED], capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "", done.stdout
    assert done.returncode == 0, done.stderr
