"""What is said of a model is the same each time: PyTorch seeds itself by chance as it is imported."""

from __future__ import annotations

from pathlib import Path

from tests.worker.repeated import reports_of_two_workers

PROGRAM = """
import torch
from torch import nn
from torch.nn.functional import dropout

table = torch.randn(4)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.shift = torch.randn(4)

    # nst: example(Net(), torch.randn(2, 4))
    def forward(self, x):
        x = self.layer(x - self.shift)
        return dropout(x, 0.3) if self.training else x

# nst: example(torch.randn(4))
def by_contents(x):
    return x * table if x.abs().max() < 50 else x
"""


async def test_two_workers_find_the_same(tmp_path: Path) -> None:
    first, second = await reports_of_two_workers(tmp_path / "draws.py", PROGRAM)
    assert first == second
    witnessed = {f.code for report in first.values() for f in report.findings if f.witness is not None}
    assert witnessed >= {"NST101", "NST104"}
