"""Each call of a module, the user's or PyTorch's own, is a group with its way in the module tree."""

from __future__ import annotations

import json
from pathlib import Path

import torch

from tracer import load_module, trace
from tracer.exports import dot, mermaid, model_explorer, to_json
from tracer.graph import Graph
from tracer.spelling import Printer
from tracer.worker.wire import GroupKind

SOURCE = """
import functools
import torch
from torch import nn

class Base(nn.Module):
    @torch.no_grad()
    def forward(self, x):
        return self.act(self.fc(x)) + self.shift

class Block(Base):
    def __init__(self):
        super().__init__()
        self.fc, self.act = nn.Linear(4, 4, bias=False), nn.ReLU()
        self.shift = nn.Parameter(torch.zeros(4))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.tied = nn.Linear(4, 4)
        self.twin = Block()
        self.twin.fc.weight = self.tied.weight
        self.encoder = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
        self.head = nn.Sequential(nn.Conv1d(3, 2, 1), nn.Sequential(nn.Flatten(0), nn.Dropout(0.0)))
        self.tied.register_forward_hook(twice)

    def forward(self, x):
        x = self.twin(self.tied(x))
        made = nn.LayerNorm(4)
        return self.head(made(self.encoder(x)))

def twice(module, args, result):
    return result * 2

net = Net()

def outside(x):
    return net.twin.fc(x) + net(x).sum()
"""

_PARAMETERS = ("in_proj_weight", "in_proj_bias", "out_proj_weight", "out_proj_bias")


def graph(tmp_path: Path, call: str) -> Graph:
    path = tmp_path / "model.py"
    path.write_text(SOURCE)
    module = load_module(path)
    return trace(eval(call, vars(module)), torch.ones(1, 3, 4)).graph


def told(graph: Graph) -> list[str]:
    """The groups as a tree, each with its place and the nodes that are directly in it."""
    printer, groups = Printer(graph), graph.groups
    inside: dict[int | None, list[str]] = {}
    for node in graph.nodes:
        inside.setdefault(groups.of.get(node), []).append(printer.names[node])
    depths: list[int] = []
    rows = []
    for index, group in enumerate(groups.listed):
        depths.append(0 if group.parent is None else depths[group.parent] + 1)
        mark = "" if group.kind is GroupKind.MODULE else f" ({group.kind.value})"
        line = group.place.span.line if group.place else None
        rows.append(f"{'  ' * depths[-1]}{group.label}{mark} @{line} {' '.join(inside.get(index, []))}".rstrip())
    return [*rows, f"and {' '.join(inside.get(None, []))}"]


def test_they_lie_in_each_other_and_have_their_parameters(tmp_path: Path):
    attention = " ".join(f"encoder_self_attn_{name}" for name in _PARAMETERS)
    assert told(graph(tmp_path, "Net().forward")) == [
        "self.tied: Linear(4, 4) @28 tied_bias linear",
        "  twice(…) (call) @None mul",
        "self.twin: Block @28 twin_shift add",
        "  .fc: Linear(4, 4, bias=False) @9 linear_1",
        "  .act: ReLU @9 relu",
        "self.encoder: TransformerEncoderLayer @30 add_1 relu_1 add_2",
        f"  .self_attn: MultiheadAttention @30 transpose {attention} multi_head_attention_forward getitem transpose_1",
        "  .dropout1: Dropout(p=0.0) @30 dropout",
        "  .norm1: LayerNorm((4,)) @30 encoder_norm1_weight encoder_norm1_bias layer_norm",
        "  .linear1: Linear(4, 8) @30 encoder_linear1_weight encoder_linear1_bias linear_2",
        "  .dropout: Dropout(p=0.0) @30 dropout_1",
        "  .linear2: Linear(8, 4) @30 encoder_linear2_weight encoder_linear2_bias linear_3",
        "  .dropout2: Dropout(p=0.0) @30 dropout_2",
        "  .norm2: LayerNorm((4,)) @30 encoder_norm2_weight encoder_norm2_bias layer_norm_1",
        "LayerNorm((4,)) @30 captured captured_1 layer_norm_2",
        "self.head: Sequential @30",
        "  [0]: Conv1d(3, 2, (1,)) @30 head_0_weight head_0_bias conv1d",
        "  [1]: Sequential @30",
        "    [0]: Flatten(start_dim=0) @30 flatten",
        "    [1]: Dropout(p=0.0) @30 dropout_3",
        "and x tied_weight",
    ]


def test_every_form_has_them(tmp_path: Path):
    made = graph(tmp_path, "outside")
    assert told(made)[0] == "net.twin.fc: Linear(4, 4, bias=False) @38 linear"
    groups = json.loads(to_json(made))["groups"]
    assert groups[0] == {
        "kind": "module", "label": "net.twin.fc: Linear(4, 4, bias=False)", "parent": None, "line": 38,
        "path": "net.twin.fc",
    }  # fmt: skip
    assert 'label=".twin: Block"' in dot(made)
    assert '[".twin: Block"]' in mermaid(made)
    namespaces = {node["namespace"] for node in json.loads(model_explorer(made))["graphs"][0]["nodes"]}
    assert "net: Net/.twin: Block/.act: ReLU" in namespaces
