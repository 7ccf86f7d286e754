"""Tensors without contents: which specs are, what is known of them; what writes them in place stays in the graph."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tracer import spec, trace


def test_a_write_whose_result_is_not_used_is_in_the_graph():
    def scattered(x, where):
        out = torch.zeros(4)
        out.index_add_(0, where, x)
        return out

    x, where = torch.ones(3), torch.tensor([0, 2, 2])
    traced = trace(scattered, x, where, mode="fake")
    assert torch.equal(traced.graph.replay(x, where), scattered(x, where))


def doubled(x):
    return x + x


def annotated(x: np.ndarray):
    return x + x


def annotated_too(x: torch.Tensor):
    return x + x


@pytest.mark.parametrize(
    ("function", "given", "dtype"),
    [
        (doubled, spec((2, 3), torch.bfloat16), torch.bfloat16),
        (doubled, spec((2, 3), np.float32), np.dtype("float32")),
        (doubled, spec((2, 3), "float16"), torch.float16),  # this file has PyTorch among its names
        (doubled, spec((2, 3)), torch.float32),
        (annotated, spec((2, 3)), np.dtype("float64")),
        (annotated_too, spec("b 3", "int8", b=2), torch.int8),
    ],
)
def test_a_spec_stands_for_what_the_function_works_with(function, given, dtype):
    (node,) = (n for n in trace(function, given).graph.nodes if n.function is not None)
    assert (node.dtype, node.shape) == (dtype, (2, 3))


def test_a_tensor_of_a_spec_takes_no_memory_and_its_faults_have_witnesses():
    def halved(x, w):
        y = x @ w
        if y.shape[0] > 2:
            y = y / 2
        return y

    large = trace(halved, spec((10**6, 10**6), torch.float32), spec((10**6, 8), torch.float32))
    assert large.error is None
    assert large.valid_for == "x.shape[0] > 2"
    small = trace(halved, spec("b 4", torch.float32, b=3), spec((4, 2), torch.float32), verify=True)
    assert [f.witness is not None for f in small.findings if f.code == "NST102"] == [True]


def test_a_dtype_that_pytorch_has_not_is_told():
    with pytest.raises(ValueError, match="PyTorch has no dtype 'longdouble'"):
        trace(doubled, spec((2, 3), "longdouble"))
