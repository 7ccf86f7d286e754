"""`pytest --nst-record` on tests that call functions with tensors, and what `nst init` makes of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

from nst_lsp.recorded import read_recorded
from nst_lsp.testing.tensors import tensor_text
from tests.testing.project import make, run

pytest_plugins = ["pytester"]

MODEL = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=8):
        super().__init__()
        self.last = nn.Linear(size, 1)

    def forward(self, x):
        return self.last(x).squeeze(-1)


def soft(t, temperature=2.0):
    return torch.softmax(t / temperature, -1)


def cast(t, dtype, shape):
    return t.to(dtype).reshape(shape)


def unseen(t):
    return t + 1
"""
NAMELESS = """\
from torch.nn.functional import relu

def rectified(t):
    return relu(t)
"""
TESTS = """\
import torch
from torch.overrides import TorchFunctionMode
from pkg.model import Net, cast, soft, unseen
from pkg.nameless import rectified


class Counting(TorchFunctionMode):
    count = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.count += 1
        return function(*args, **(kwargs or {}))


def test_all():
    torch.manual_seed(0)
    Net(4)(torch.randn(3, 4))
    soft(torch.ones(2, 3, dtype=torch.float64))
    cast(torch.arange(6), torch.bfloat16, torch.Size([2, 3]))
    rectified(torch.ones(2))


def test_a_mode_does_not_hear_of_it():
    with Counting() as mode:
        unseen(torch.ones(2))
    assert mode.count == 2
"""


def test_calls_with_tensors_are_recorded_and_proposed(pytester: pytest.Pytester) -> None:
    make(pytester, src__pkg____init__="", src__pkg__model=MODEL, src__pkg__nameless=NAMELESS, tests__test_model=TESTS)
    result = run(pytester, "--nst-record")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["3 calls of 3 functions are in .nst/recorded.json; *"])
    recorded = {one.function: [call.arguments for call in one.calls] for one in read_recorded(Path(pytester.path))}
    assert recorded == {
        "Net.forward": ["Net(4), torch.randn(3, 4)"],
        "cast": ["torch.arange(0, 6), torch.bfloat16, (2, 3)"],
        "soft": ["torch.ones(2, 3, dtype=torch.float64)"],
    }
    proposed = pytester.run(sys.executable, "-m", "nst_lsp", "init", "--dry-run", "--yes")
    assert "# nst: example(Net(4), torch.randn(3, 4))" in proposed.stdout.str()


@pytest.mark.parametrize(
    "tensor",
    [
        torch.tensor(2.5),
        torch.tensor([[1, 2], [5, 4]], dtype=torch.int32),
        torch.tensor([1.5, float("nan"), -float("inf")]),
        torch.tensor([True, False]),
        torch.zeros(0, 3),
        torch.ones(4, dtype=torch.int64),
        torch.full((3, 2), 7.0, dtype=torch.float16),
        torch.arange(3.0, 8.0, requires_grad=True),
    ],
    ids=str,
)
def test_few_contents_are_told_as_they_are(tensor: torch.Tensor) -> None:
    import numpy as np

    made = eval(tensor_text(tensor, torch, "torch") or "", {"torch": torch, "np": np})
    torch.testing.assert_close(made, tensor, rtol=0, atol=0, equal_nan=True)
    assert made.requires_grad == tensor.requires_grad


@pytest.mark.parametrize(
    "tensor",
    [
        torch.randn(20, 3) * 1000,
        torch.rand(5, 5, dtype=torch.bfloat16),
        torch.randn(4, 5, dtype=torch.complex64),
        torch.randn(30, requires_grad=True),
        torch.randint(-3, 9, (4, 4), dtype=torch.int16),
        torch.rand(20) > 0.5,
    ],
    ids=lambda tensor: str(tensor.dtype),
)
def test_many_are_made_alike(tensor: torch.Tensor) -> None:
    made = eval(tensor_text(tensor, torch, "torch") or "", {"torch": torch})
    assert (made.shape, made.dtype, made.requires_grad) == (tensor.shape, tensor.dtype, tensor.requires_grad)
    assert made.is_leaf


def test_what_has_no_contents_is_not_told() -> None:
    assert tensor_text(torch.ones(2, device="meta"), torch, "torch") is None
    assert tensor_text(torch.eye(2).to_sparse(), torch, "torch") is None
    assert tensor_text(torch.empty(10, 1000, 1000), torch, "torch") == 'spec((10, 1000, 1000), "float32")'
