"""What an argument chooses from a table, hidden or not; and writes where gradients are off."""
import torch
import torch.nn.functional as F
from torch import nn

ACTIVATIONS = {"relu": F.relu, "tanh": torch.tanh}
SCALES = {"a": 2.0, "b": 3.0}
scales = {"a": 2.0, "b": 3.0}


# nst: example(torch.ones(2), "relu")
def a_function(x, name):
    return ACTIVATIONS[name](x) + 1
#                      ^^^^ NST202


# nst: example(torch.ones(2), "a")
def a_number(x, name):
    return x * SCALES.get(name, 1.0) + SCALES[name]
#                         ^^^^ NST202
#                                             ^^^^ NST202


# nst: example(torch.ones(2), "a")
def a_hidden_number(x, name):
    return x * scales[name]
#                     ^^^^ NST202
#              ^^^^^^^^^^^^ NST205


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": nn.Linear(2, 1), "b": nn.Linear(2, 1)})
        self.layers = nn.ModuleList([nn.Linear(2, 1), nn.Linear(2, 1)])

    # nst: example(Heads(), torch.ones(2), "a", 1)
    def forward(self, x, task, level):
        return self.heads[task](x) + self.layers[level](x)
#                         ^^^^ NST202
#                                                ^^^^^ NST202


# nst: example(torch.ones(2, requires_grad=True), torch.ones(2))
def step(w, g):
    with torch.no_grad():
        w.sub_(0.1 * g)
#       ^^^^^^^^^^^^^^^ NST303
        w[0] = 5.0
#       ^^^^^^^^^^ NST303
    return w * 2


# nst: example(nn.Linear(2, 2), nn.Linear(2, 2))
@torch.no_grad()
def averaged(model, other):
    for mine, its in zip(model.parameters(), other.parameters()):
        mine.mul_(0.9).add_(its, alpha=0.1)
#       ^^^^^^^^^^^^^^ NST303
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return model.weight.sum()
