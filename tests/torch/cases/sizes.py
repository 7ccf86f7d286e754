"""Sizes: they stay sizes, or decide, or unroll loops."""
import torch


# nst: example(torch.ones(3, 4))
def kept(x):
    b, n = x.shape
    y = x.reshape(b * n).view(n, -1)
    return y.sum(0) / x.size(0) + torch.zeros(b) + x.numel() + torch.arange(x.size()[0])


# nst: example(torch.ones(3, 4))
def decided_by_method(x):
    if x.size(0) > 2:
#      ^^^^^^^^^^^^^ NST102
        return x.sum(0)
    return x[0] * 5


# nst: example(torch.ones(3, 4))
def decided_by_dim(x):
    if x.dim() == 2:
#      ^^^^^^^^^^^^ NST105
        return x.sum(0)
    return x


# nst: example(torch.ones(3, 4))
def by_rows(x):
    total = 0.0
    for row in x:
#              ^ NST106
        total = total + row.sum() ** 2
    return total


# nst: example(torch.ones(3, 4))
def enumerated(x):
    out = []
    for i, row in enumerate(x):
#                 ^^^^^^^^^^^^ NST106
        out.append(row * i)
    return torch.stack(out)


# nst: example(torch.ones(3, 4))
def unbound(x):
    total = 0.0
    for row in x.unbind(0):
#              ^^^^^^^^^^^ NST106
        total = total * 2 + row.sum()
    return total


# nst: example(torch.ones(4))
def half(x):
    n = len(x) // 2
    return x[:n].sum() - x[n:].sum() * 3


# nst: example(torch.ones(4), torch.ones(4))
def alike(x, y):
    assert x.shape == y.shape
#          ^^^^^^^^^^^^^^^^^^ NST107
    return x + y


# nst: example(torch.ones(3, 4))
def unpacked(x):
    a, b, c = x
#             ^ NST106
    return a + 2 * b + 3 * c


# nst: example(torch.ones(4))
def comprehended(x):
    return sum(x[i] * i for i in range(len(x)))
#                                ^^^^^^^^^^^^^ NST106


# nst: example(torch.ones(3, 4))
def padded(x):
    pad = 8 - x.shape[-1]
    return torch.nn.functional.pad(x, (0, pad))


# nst: example(torch.ones(2, 5, 24))
def heads(x):
    b, t, w = x.shape
    q, k, v = x.view(b, t, 3, 4, w // 12).permute(2, 0, 3, 1, 4).unbind(0)
    return q @ k.transpose(-2, -1) @ v


# nst: example(torch.tensor([1., 0., 2.]))
def those_above(x):
    return x[x > 0].mean() + x.nonzero().float().mean()
#          ^^^^^^^^ NST404
#                            ^^^^^^^^^^^ NST404


class Gates(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.ih, self.hh = torch.nn.Linear(3, 16), torch.nn.Linear(4, 16)

    # nst: example(Gates(), torch.ones(2, 3), torch.ones(2, 4))
    def forward(self, x, h):
        i, f, g, o = (self.ih(x) + self.hh(h)).split(4, dim=1)
        return i * f + g * o


# nst: example(torch.ones(6))
def in_two_parts(x):
    a, b = x.split(3)
#          ^^^^^^^^^^ NST106
    return a * b


# nst: example(torch.ones(2, 3), torch.ones(4))
def shapes_of_shapes(x, y):
    whole = torch.Size([x.shape[0], 1]) + y.shape
    alike = isinstance(whole, torch.Size) and isinstance(x.shape[:1], torch.Size)
    return torch.zeros(whole), x.sum() / x.shape.numel(), x * x.shape[1:].numel(), alike
