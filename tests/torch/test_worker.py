"""A worker that has imported PyTorch ahead: its children find it there, and no threads but their own."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from nst_lsp.pool import WorkerPool
from tests.worker.marked import Traced, trace
from tests.worker.processes import DEADLINE
from tracer.worker.wire import Options, Verdict

PROGRAM = """
import sys
print("torch._dynamo" in sys.modules)
import torch

product = torch.ones(400, 400) @ torch.ones(400, 400)  # in several threads of the module's own process

@torch.compile
def squashed(x):
    return torch.tanh(x)

# nst: example(torch.ones(400, 400))
def f(x):
    return squashed(x @ product) @ x
"""


async def test_pytorch_is_imported_ahead_and_no_child_waits_for_threads_of_its_parent(tmp_path: Path) -> None:
    pool = WorkerPool(sys.executable, str(tmp_path))

    async def traced() -> Traced:
        return await trace(pool, tmp_path / "program.py", PROGRAM, Options())

    try:
        hello = await pool.start()
        end = time.monotonic() + DEADLINE
        while (found := await traced()).loaded is None or found.loaded.output != "True\n":
            assert time.monotonic() < end
        assert found.reports["f"].verdict is Verdict.AGREES
        assert "\nThreads:\t1\n" in Path(f"/proc/{hello.pid}/status").read_text()
    finally:
        await pool.close()
