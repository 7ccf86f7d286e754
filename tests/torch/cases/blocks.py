"""Blocks as networks have them, without faults."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU(inplace=True)

    # nst: example(Residual(2).eval(), torch.randn(2, 2, 5, 5))
    def forward(self, x):
        identity = x
        out = self.relu(self.norm1(self.conv1(x)))
        out = self.norm2(self.conv2(out))
        out += identity
        return self.relu(out)


class EncoderLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.feed = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def attend(self, x):
        b, t, w = x.shape
        heads = 2
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (part.view(b, t, heads, w // heads).transpose(1, 2) for part in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(w // heads)
        mask = torch.tril(torch.ones(t, t, dtype=torch.bool, device=x.device))
        weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
        return self.out((weights @ v).transpose(1, 2).reshape(b, t, w))

    # nst: example(EncoderLayer(8, 2), torch.randn(2, 5, 8))
    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.feed(self.norm2(x))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 2, 3, padding=1)
        self.middle = nn.Conv2d(2, 2, 3, padding=1)
        self.up = nn.ConvTranspose2d(2, 2, 2, stride=2)
        self.last = nn.Conv2d(4, 1, 1)

    # nst: example(UNet(), torch.randn(1, 1, 8, 8))
    def forward(self, x):
        skip = F.relu(self.down(x))
        y = F.relu(self.middle(F.max_pool2d(skip, 2)))
        y = self.up(y)
        return self.last(torch.cat([skip, y], dim=1))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(3, 4)

    # nst: example(Recurrent(), torch.randn(2, 5, 3))
    def forward(self, x):
        h = x.new_zeros(x.shape[0], 4)
        c = torch.zeros_like(h)
        for step in x.unbind(1):
#                   ^^^^^^^^^^^ NST106
            h, c = self.cell(step, (h, c))
        return h


class Rotary(nn.Module):
    def __init__(self, width, longest=16):
        super().__init__()
        rates = 1.0 / (100.0 ** (torch.arange(0, width, 2).float() / width))
        angles = torch.outer(torch.arange(longest).float(), rates)
        self.register_buffer("cos", angles.cos().repeat(1, 2), persistent=False)
        self.register_buffer("sin", angles.sin().repeat(1, 2), persistent=False)

    # nst: example(Rotary(4), torch.randn(2, 5, 4))
    def forward(self, x):
        t = x.shape[1]
        first, second = x.chunk(2, dim=-1)
        turned = torch.cat([-second, first], dim=-1)
        return x * self.cos[:t] + turned * self.sin[:t]


class Experts(nn.Module):
    def __init__(self, width, count):
        super().__init__()
        self.gate = nn.Linear(width, count)
        self.experts = nn.ModuleList([nn.Linear(width, width) for _ in range(count)])

    # nst: example(Experts(4, 3), torch.randn(6, 4))
    def forward(self, x):
        weights, chosen = torch.topk(self.gate(x).softmax(-1), 2, dim=-1)
        out = torch.zeros_like(x)
        for index, expert in enumerate(self.experts):
            share = (weights * (chosen == index)).sum(-1, keepdim=True)
            out = out + share * expert(x)
        return out
