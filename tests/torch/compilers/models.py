"""What the tests ask PyTorch's tracers about: small models, and functions with one thing each that matters to them."""

import math
from functools import lru_cache

import torch
from torch import nn

SCALE = 3.0
WEIGHT = torch.linspace(0.1, 0.3, 3).requires_grad_()
OTHER = torch.ones(3)
TABLE = nn.Embedding(10, 4)
seen: list[float] = []
calls = [0]
tables: dict[int, torch.Tensor] = {}


class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 5)
        self.drop = nn.Dropout(0.5)
        self.outer = nn.Linear(5, 2)

    # nst: example(Perceptron(), torch.ones(4, 3))
    def forward(self, x):
        h = torch.relu(self.inner(x))
        h = self.drop(h)
        return self.outer(h)


class Attention(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.project = nn.Linear(size, 3 * size)
        self.register_buffer("mask", torch.ones(5, 5).tril().bool())

    # nst: example(Attention(8), torch.rand(2, 5, 8))
    def forward(self, x):
        q, k, v = self.project(x).chunk(3, dim=-1)
        scores = q @ k.transpose(-1, -2) / math.sqrt(x.shape[-1])
        scores = scores.masked_fill(~self.mask, float("-inf"))
        return scores.softmax(-1) @ v


# nst: example(torch.ones(4, 3), 2.0)
def talkative(x, power):
    h = x * SCALE
    if x.shape[0] > 2:
        h = h + power
    seen.append(power)
    print("half way")
    if h.sum().item() > 3:
        h = h.relu()
    return h.sin()


# nst: example(torch.rand(4, 3), {"w": torch.ones(3), "n": 3}, flag=True)
def options(x, given, *, flag):
    y = x * given["w"].to(torch.float32) + given["n"]
    return {"y": y.sum() if flag else y, "n": 3}


# nst: example(torch.ones(4, 3, requires_grad=True))
def overwritten(x):
    y = x.exp()
    y.add_(1)
    return y.sum()


# nst: example(torch.ones(4, 3))
def buffered(x):
    x[0] = 2.0
    return x.mul_(3).sin()


# nst: example(torch.ones(4, 3), torch.ones(4, 3), torch.ones(4, 3))
def detached(x, y, z):
    top = x.detach() * 2
    with torch.no_grad():
        side = y.exp()
    return top + side + z.tanh()


# nst: example(torch.ones(4, 3))
def weighted(x):
    return (x @ WEIGHT + x @ OTHER).sin()


# nst: example(torch.arange(4))
def counted(n):
    return n + 1


class Wrong(torch.autograd.Function):
    """Its backward is not the derivative of its forward, and is what is differentiated all the same."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 7 * x


# nst: example(torch.rand(4, 3))
def custom(x):
    return Wrong.apply(x).sum()


# nst: example(torch.rand(4, 3))
@torch.compile
def compiled(x):
    return x.sin().cos()


# nst: example(2.0)
def plain(x):
    return x + 1


# nst: example(torch.ones(4, 3))
made = Perceptron()


# nst: example(torch.rand(4, 3))
def counting(x):
    calls[0] += 1
    return x * calls[0]


# nst: example(torch.rand(4, 3))
def addressed(x):
    return x + x.data_ptr() % 2


# nst: example(torch.tensor([1, 2, 3]))
def looked_up(numbers):
    return TABLE(numbers).mean(0)


# nst: example(torch.ones(4, 3))
def resumed(x):
    y = x * 2
    print("half way")
    z = y + 1
    if x.shape[0] > 2:
        return z
    return y


# nst: example(nn.LSTM(3, 2, num_layers=2, dropout=0.5), torch.ones(4, 3))
def dropping(lstm, x):
    return lstm(x)[0]


class Positions(nn.Module):
    """Keeps what it has made: by length in a table of the module, by type for good, and the last on itself."""

    def __init__(self):
        super().__init__()
        self.last = None

    # nst: example(Positions(), torch.ones(4, 3))
    def forward(self, x):
        if self.last is None:
            self.last = x.new_ones(3)
        return x * self.last + table(3) + ramp(3)


def table(length):
    if length not in tables:
        tables[length] = torch.arange(length, dtype=torch.float32)
    return tables[length]


@lru_cache
def ramp(length):
    return torch.linspace(0, 1, length)
