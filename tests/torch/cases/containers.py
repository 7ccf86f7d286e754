"""Containers of tensors, and members of enumerations."""
import collections
import enum

import torch
import torch.nn.functional as F
import torch.utils._pytree as pytree
from torch import nn


class Batch:
    def __init__(self, x, y):
        self.x = x
        self.y = y


pytree.register_pytree_node(Batch, lambda batch: ([batch.x, batch.y], None), lambda parts, _: Batch(*parts))


class Output(collections.OrderedDict):
    def __getattr__(self, name):
        return self[name]


class Pooling(enum.Enum):
    MEAN = "mean"
    SUM = "sum"


class Reduction(str, enum.Enum):
    MEAN = "mean"
    SUM = "sum"


class Order(enum.IntEnum):
    FIRST = 1
    SECOND = 2


pooling = Pooling.MEAN


# nst: example(Batch(torch.tensor([1., 2.]), torch.tensor([3., 4.])))
def of_a_registered_class(batch):
    return Batch(batch.x * batch.y, batch.x)


# nst: example(collections.OrderedDict(a=torch.tensor([1., 2.]), b=torch.tensor([3., 4.])))
def of_an_ordered_dictionary(d):
    out = collections.OrderedDict()
    out["sum"] = d["a"] + d["b"]
    return out


# nst: example(torch.tensor([1., 2.]))
def collected(x):
    found = collections.defaultdict(list)
    found["twice"].append(x * 2)
    recent = collections.deque([x, x + 1], maxlen=2)
    recent.append(x + 2)
    return found, recent


# nst: example(torch.tensor([1., 2.]))
def of_a_class_of_dictionaries(x):
    return Output(loss=x.sum())


# nst: example(torch.tensor([1., 2.]), Pooling.MEAN)
def by_a_member(x, kind):
    if kind == Pooling.MEAN:
#      ^^^^^^^^^^^^^^^^^^^^ NST103
        return x.mean()
    return x.sum() if kind is Pooling.SUM else x
#                     ^^^^^^^^^^^^^^^^^^^ NST103?


# nst: example(torch.tensor([1., 2.]), Reduction.SUM, Order.SECOND)
def by_members_that_are_values(x, reduction, order):
    if reduction is Reduction.SUM:
#      ^^^^^^^^^^^^^^^^^^^^^^^^^^ NST103
        x = x * order
#               ^^^^^ NST202
    return F.mse_loss(x, torch.zeros(2), reduction=reduction.value)
#                                                  ^^^^^^^^^^^^^^^ NST202


# nst: example(torch.tensor([1., 2.]))
def by_a_hidden_member(x):
    if pooling is Pooling.MEAN:
#      ^^^^^^^^^^^^^^^^^^^^^^^ NST104
        return x.mean()
    return x.sum() * Order.SECOND


# nst: example(torch.tensor([1., 2.]))
def by_text(x):
    return x * {"1": 10.0}[f"{x[0]:.0f}"]
#                          ^^^^^^^^^^^^^ NST201


class Packed(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(2, 3, batch_first=True)

    # nst: example(Packed(), torch.ones(3, 4, 2), torch.tensor([4, 2, 1]))
    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        out, (h, _) = self.rnn(packed)
        out, _ = nn.utils.rnn.pad_packed_sequence(out, batch_first=True)
        return out, h[-1]


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = 2.0
        self.register_buffer("table", torch.ones(4, 2))

    @property
    def doubled(self):
        return self.gain * 2
#              ^^^^^^^^^ NST205

    # nst: example(Scaled(), torch.ones(3, 2), torch.ones(3, 2))
    def forward(self, x, y):
        def rows(v):
            return v * self.table[: v.shape[0]]

        return rows(x) * self.doubled + rows(y)


# nst: example(torch.ones(2, 5, 24))
def heads(x):
    b, t, w = x.shape
    q, k, v = x.view(b, t, 3, 4, w // 12).permute(2, 0, 3, 1, 4)
    return q @ k.transpose(-2, -1) @ v
