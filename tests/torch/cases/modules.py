"""Modules: parameters and buffers are inputs; what is not registered is hidden."""
import torch
from torch import nn
import torch.nn.functional as F


class Clean(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)
        self.norm = nn.LayerNorm(4)
        self.register_buffer("offset", torch.arange(4.0))
        self.scale = nn.Parameter(torch.ones(4))

    # nst: example(Clean(), torch.ones(2, 3))
    def forward(self, x):
        return self.norm(self.linear(x)).relu() * self.scale + self.offset


# nst: example(torch.ones(2, 3))
clean = Clean()


class Careless(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)
        self.table = torch.arange(3.0)
        self.steps = 0

    # nst: example(Careless(), torch.ones(2, 3))
    def forward(self, x):
        self.steps += 1
#       ^^^^^^^^^^^^^^^ NST304
        return self.inner(x) + self.table
#                              ^^^^^^^^^^ NST204


class Mode(nn.Module):
    def forward(self, x):
        if self.training:
#          ^^^^^^^^^^^^^ NST104
            return F.dropout(x, 0.1)
#                  ^^^^^^^^^^^^^^^^^ NST206?
        return x


# nst: example(torch.ones(2, 3))
mode = Mode()


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.gain = 2.0

    def forward(self, x):
        return self.layer(x) * self.gain
#                              ^^^^^^^^^ NST205


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(3), Block(3)])
        self.head = nn.Sequential(nn.Linear(3, 2), nn.ReLU())

    # nst: example(Stack(), torch.ones(2, 3))
    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return self.head(x)


shared = nn.Linear(3, 3)


# nst: example(torch.ones(2, 3))
def with_a_module_of_its_own(x):
    return shared(x) + 1
#          ^^^^^^ NST204


# nst: example(nn.Linear(3, 2), torch.ones(2, 3))
def with_a_module_given(model, x):
    return model(x) + 1


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)

    # nst: example(Normed(), torch.randn(4, 3))
    def forward(self, x):
        return self.norm(x) * 2


# nst: example(torch.ones(2, 3))
@torch.no_grad()
def without_gradients(x):
    return x * 2
