"""The same blocks, with a fault planted in each."""
import torch
import torch.nn.functional as F
from torch import nn


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.calls = 0
        self.scale = torch.full((1,), 0.5)

    # nst: example(Residual(2), torch.randn(2, 2, 5, 5))
    def forward(self, x):
        self.calls += 1
#       ^^^^^^^^^^^^^^^ NST304
        return x + self.conv(x) * self.scale
#                                 ^^^^^^^^^^ NST204


class EncoderLayer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.out = nn.Linear(width, width)
        self.seen = []

    # nst: example(EncoderLayer(8), torch.randn(2, 5, 8))
    def forward(self, x):
        scores = x @ x.transpose(-2, -1)
        if scores.max() > 1e4:
#          ^^^^^^^^^^^^^^^^^^ NST101
            scores = scores / scores.max()
        if x.shape[1] > 4:
#          ^^^^^^^^^^^^^^ NST102
            scores = scores * 0.5
        weights = scores.softmax(-1)
        self.seen.append(weights)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^ NST305
        return self.out(weights @ x)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 2, 3, padding=1)

    # nst: example(UNet(), torch.randn(1, 1, 9, 9))
    def forward(self, x):
        skip = F.relu(self.down(x))
        y = F.interpolate(F.max_pool2d(skip, 2), scale_factor=2)
        if y.shape != skip.shape:
#          ^^^^^^^^^^^^^^^^^^^^^ NST102
            y = F.pad(y, (0, skip.shape[3] - y.shape[3], 0, skip.shape[2] - y.shape[2]))
        print(y.shape)
#       ^^^^^^^^^^^^^^ NST301
        return skip + y


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(3, 4)
        self.state = None

    # nst: example(Recurrent(), torch.randn(2, 5, 3))
    def forward(self, x):
        h = torch.zeros(x.shape[0], 4)
        c = torch.zeros(x.shape[0], 4)
        for step in range(x.shape[1]):
#                   ^^^^^^^^^^^^^^^^^ NST106
            h, c = self.cell(x[:, step], (h, c))
        self.state = h
#       ^^^^^^^^^^^^^^ NST305
        return h * 2


class Rotary(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = 4
        self.cache = {}

    def table(self, t):
        if t not in self.cache:
#          ^^^^^^^^^^^^^^^^^^^ NST102
            rates = 1.0 / (100.0 ** (torch.arange(0, 4, 2).float() / 4))
            self.cache[t] = torch.outer(torch.arange(t).float(), rates).repeat(1, 2)
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST305
#           ~ NST203?
        return self.cache[t]

    # nst: example(Rotary(4), torch.randn(2, 5, 4))
    def forward(self, x):
        return x * self.table(x.shape[1]).cos()


class Experts(nn.Module):
    def __init__(self, width, count):
        super().__init__()
        self.gate = nn.Linear(width, count)
        self.experts = nn.ModuleList([nn.Linear(width, width) for _ in range(count)])

    # nst: example(Experts(4, 3), torch.randn(6, 4))
    def forward(self, x):
        chosen = self.gate(x).mean(0).argmax()
        expert = self.experts[int(chosen)]
#                             ^^^^^^^^^^^ NST201
        return expert(x) + torch.rand(6, 4)
#                          ^^^^^^^^^^^^^^^^ NST206?
