"""Conditions whose effect an example of ones hides are proven: by other sizes or dtypes, or one argument alone."""

from __future__ import annotations

import pytest
import torch

from tracer import trace
from tracer.rules import Severity


def every_other_column(x):
    return x[:, ::2] if x.size(-1) % 2 == 0 else x


def of_one_shape(x, y):
    return x * y if x.shape == y.shape else x


def short(x):
    return x * 2 if x.shape[0] < 10 else x


def close(x, y):
    return x + 1 if x.allclose(y) else x


def of_one_type(x, y):
    if x.dtype != y.dtype:
        y = y.to(x.dtype)
    return x + y


def widened(x):
    return (x.float() if x.dtype == torch.float16 else x) * 2


def ones(*shape: int) -> torch.Tensor:
    return torch.ones(shape)


@pytest.mark.parametrize(
    ("function", "example"),
    [
        (every_other_column, (ones(3, 4),)),
        (of_one_shape, (ones(3, 4), ones(3, 4))),
        (short, (ones(3, 4),)),
        (close, (ones(2), ones(2))),
        (of_one_type, (ones(2), ones(2))),
        (widened, (ones(2),)),
    ],
)
def test_a_condition_has_a_witness(function, example):
    (finding,) = trace(function, *example, verify=True).findings
    assert finding.severity is Severity.WARNING
    assert finding.witness is not None
    assert finding.witness.function != finding.witness.graph
