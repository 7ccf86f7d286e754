"""Tensors without contents: what writes them in place stays in the graph."""

from __future__ import annotations

import torch

from tracer import trace


def test_a_write_whose_result_is_not_used_is_in_the_graph():
    def scattered(x, where):
        out = torch.zeros(4)
        out.index_add_(0, where, x)
        return out

    x, where = torch.ones(3), torch.tensor([0, 2, 2])
    traced = trace(scattered, x, where, mode="fake")
    assert torch.equal(traced.graph.replay(x, where), scattered(x, where))
