"""In-place operations: on inputs, on captured tensors, on the function's own."""
import torch

table = torch.zeros(2)


# nst: example(torch.tensor([1., 2.]))
def in_place(x):
    x.add_(1)
#   ^^^^^^^^^ NST303
    x *= 2
#   ^^^^^^ NST303
    return x


# nst: example(torch.tensor([1., 2.]))
def own(x):
    y = x.clone()
    y[0] = 5.0
    y.mul_(2)
    out = torch.empty(2)
    torch.add(x, y, out=out)
    return out


# nst: example(torch.tensor([1., 2.]))
def through_a_view(x):
    y = x.view(2)
    y.zero_()
#   ^^^^^^^^^ NST303
    return x + 1


# nst: example(torch.tensor([1., 2.]))
def keeps(x):
    table.add_(x)
#   ^^^^^^^^^^^^^ NST304
    return table * 2
#          ^^^^^ NST204


# nst: example([torch.tensor([1., 2.])])
def changes_a_list(xs):
    xs.append(xs[0] * 2)
#   ^^^^^^^^^^^^^^^^^^^^ NST302
    return xs[0]


# nst: example({"a": torch.tensor([1., 2.])})
def changes_a_dictionary(d):
    d["b"] = d["a"] + 1
#   ^^^^^^^^^^^^^^^^^^^ NST302
    return d["b"]


# nst: example(torch.tensor([1., 2.]), torch.tensor([0., 0.]))
def into_out(x, out):
    torch.mul(x, 2, out=out)
#   ^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return x


# nst: example(torch.tensor([1., 2.]))
def other_memory(x):
    x.data = x.data * 2
#   ^^^^^^^^^^^^^^^^^^^ NST303
    return x + 1


# nst: example(torch.tensor([1., 2.]))
def own_other_memory(x):
    y = x * 2
    seen = y.view(2)
    y.data = x.data.repeat(2)
    y.data += 1
    return y, seen


# nst: example(torch.tensor([1., 2.]), torch.tensor([1., 2.], requires_grad=True))
def needs_of_grad(x, p):
    x.grad = None
    x.requires_grad_()
#   ^^^^^^^^^^^^^^^^^^ NST302
    p.requires_grad = False
#   ^^^^^^^^^^^^^^^^^^^^^^^ NST302
    p.grad = x * 2
#   ^^^^^^^^^^^^^^ NST302
    y = torch.zeros(2)
    y.requires_grad = True
    y.grad = None
    return x * p + y


class Clamped(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([0.5, 2.]))

    # nst: example(Clamped(), torch.tensor([1., 2.]))
    def forward(self, x):
        self.weight.data = self.weight.data.clamp(0, 1)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        self.weight.requires_grad = False
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST302
        return x * self.weight
