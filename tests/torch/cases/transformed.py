"""Transforms over modules, layers that a function makes, backward and its hooks, memory that is handed on."""
import torch
import torch.nn.functional as F
from torch import nn

weights = [torch.ones(2), torch.zeros(2)]


class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.inner = nn.Linear(2, 2)

    def row(self, row):
        return (row * self.weight).sum()

    # nst: example(Rows(), torch.ones(3, 2))
    def forward(self, x):
        a = torch.vmap(lambda row: (row * self.weight).sum())(x)
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST402
        b = torch.vmap(self.row)(x)
#           ^^^^^^^^^^^^^^^^^^^^^^^ NST402
        c = torch.vmap(self.inner)(x)
#           ^^^^^^^^^^^^^^^^^^^^^^^^^ NST402
        return a + b + c.sum(1)


# nst: example(torch.ones(3, 2))
def makes_layers(x):
    normed = nn.LayerNorm(2)(x).relu()
    layer = nn.Linear(2, 2)
#           ^^^^^^^^^^^^^^^ NST206
    return layer(normed)


class Attention(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.c_attn = nn.Linear(width, 3 * width)
        self.width = width

    # nst: example(Attention(), torch.ones(2, 3, 8))
    def forward(self, x):
        q, k, v = self.c_attn(x).split(self.width, dim=2)
#                                      ^^^^^^^^^^ NST205
        return F.scaled_dot_product_attention(q, k, v)


# nst: example(torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True))
def gradient_penalty(x, w):
    slope = torch.autograd.grad((x * w).sum(), [x], create_graph=True)[0]
    return (slope.norm() - 1) ** 2


# nst: example(torch.ones(2, requires_grad=True))
def hooked(x):
    y = x * 2
    y.register_hook(lambda gradient: gradient * 2)
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST405
    return y


class Placed(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    @property
    def device(self):
        return next(self.parameters()).device

    # nst: example(Placed(), torch.ones(3, 2))
    def forward(self, x):
        return self.linear(x.to(self.device))


# nst: example(torch.tensor([1., 2.]))
def handed_on(x):
    capsule = torch.utils.dlpack.to_dlpack(x)
#             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST401
    return torch.from_dlpack(x) * 2


# nst: example(torch.tensor([1., 2.]))
def stacked(x):
    return x + torch.stack(weights).sum(0)
#                          ^^^^^^^ NST204
