"""PyTorch's frontend is loaded where the user's own program uses PyTorch, and nowhere else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ASKED = """
import sys
{first}
from tracer.examples import collect, evaluate
from tracer.loader import load_module
from tracer.positions import FILES
from tracer.tracing import trace_call

module = load_module(sys.argv[1])
examples, _ = collect(FILES[module.__file__])
function, args, kwargs = evaluate(examples[0], module)
found = trace_call(function, args, kwargs, "symbolic")
assert found.error is None, found.error
print(any(name.startswith("tracer.frontends") for name in sys.modules))
"""
NUMPY = """
import numpy as np

# nst: example(np.ones(3))
def f(x):
    return x + 1
"""
TORCH = NUMPY.replace("import numpy as np", "import torch").replace("np.", "torch.")
NAMED = TORCH.replace("import torch", "from torch import ones").replace("torch.", "")


@pytest.mark.parametrize(
    ("text", "first", "loaded"),
    [(NUMPY, "", False), (NUMPY, "import torch", False), (TORCH, "", True), (NAMED, "", True)],
    ids=["numpy", "numpy in a process that has torch", "torch", "a function of torch"],
)
def test_who_loads_the_frontend(tmp_path: Path, text: str, first: str, loaded: bool):
    path = tmp_path / "program.py"
    path.write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", ASKED.format(first=first), path], capture_output=True, text=True, timeout=300
    )
    assert done.stdout.strip() == str(loaded), done.stderr
