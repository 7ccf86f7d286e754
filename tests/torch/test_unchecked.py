"""Operations that do not check their arguments' sizes are not let loose on odd ones."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from tracer import trace


@pytest.mark.parametrize("wrong", [(3, 6, 8), (3, 5, 7)], ids=["batch", "features"])
def test_a_graph_with_an_lstm_refuses_sizes_that_do_not_fit(wrong: tuple[int, ...]):
    # `torch.lstm` itself writes past the end of its memory.
    lstm = nn.LSTM(8, 6)
    traced = trace(lambda m, x: m(x)[0], lstm, torch.ones(3, 5, 8), mode="real")
    with pytest.raises(ValueError, match="do not fit"):
        traced.graph.replay(lstm, torch.ones(wrong))


def test_a_graph_with_an_lstm_takes_packed_sequences():
    lstm, packed = nn.LSTM(3, 2), nn.utils.rnn.pack_sequence([torch.ones(4, 3), torch.ones(2, 3)])
    traced = trace(lambda m, x: m(nn.utils.rnn.pack_padded_sequence(x, [4, 2]))[0].data, lstm, torch.ones(4, 2, 3))
    assert torch.equal(traced.graph.replay(lstm, torch.ones(4, 2, 3)), lstm(packed)[0].data)
