"""Fixes of what is found on tensors: tried on the changed text, as those of NumPy files are."""

from __future__ import annotations

from pathlib import Path

from tracer.worker import run
from tracer.worker.wire import ExampleReport, TraceFile

MODULE = """
import torch
from torch import nn


class Careless(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(9, 9)
        self.table = torch.linspace(-1, 1, 9)  # not spelled out in a witness, which has `self.table + 1`

    # nst: example(Careless(), torch.ones(2, 9))
    def forward(self, x):
        return self.inner(x) + self.table
"""


def test_a_tensor_that_a_module_keeps_is_registered_as_a_buffer(tmp_path: Path):
    path = tmp_path / "careless.py"
    path.write_text(MODULE)
    request = TraceFile(1, str(path), root=str(tmp_path))
    loaded = run.load(request)
    reports: list[ExampleReport] = []
    run.trace_example(loaded, 0, request.options, reports.append, lambda: None)
    (found,) = reports[-1].findings
    assert found.code == "NST204"
    (fix,) = found.fixes
    assert fix.title == "Register `self.table` as a buffer"
    assert [edit.text for edit in fix.edits] == ['self.register_buffer("table", torch.linspace(-1, 1, 9))']
