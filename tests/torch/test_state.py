"""Tracing a module leaves it as it was: function and graph begin with the same buffers."""

from __future__ import annotations

import pytest
import torch

from tracer import trace


class Smoothed(torch.nn.Module):
    mean: torch.Tensor

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(2))
        self.seen = []

    def forward(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)
        self.seen.append(x)
        return x - self.mean


def test_a_buffer_that_is_bound_anew_is_as_it_was_after_the_trace():
    module, x = Smoothed(), torch.ones(3, 2)
    seen = module.seen
    found = trace(module, x, verify=True)
    assert torch.equal(module.mean, torch.zeros(2))
    assert module.seen is seen
    assert torch.equal(found.graph.replay(x), x - 0.1)
    assert found.verdict.value == "agrees"


def test_a_lazy_module_must_have_made_its_parameters():
    layer, x = torch.nn.LazyLinear(4), torch.ones(2, 3)
    with pytest.raises(ValueError, match=r"`self\.weight` has no shape yet: call the module once"):
        trace(layer, x)
    layer(x)
    assert torch.equal(trace(layer, x).graph.replay(x), layer(x))
