"""Array contents that decide, or become plain values."""
import math

import numpy as np
import torch


# nst: example(torch.tensor([1., 2.]))
def item_kept(x):
    return x / x.max().item()


# nst: example(torch.tensor([3., 4.]))
def loop_until(x):
    steps = 0
    while x.sum() > 1:
#         ^^^^^^^^^^^ NST101
        x = x / 2
        steps += 1
    return x * steps


# nst: example(torch.tensor([3., 4.]))
def truth_of_a_comparison(x):
    if torch.any(x > 3):
#      ^^^^^^^^^^^^^^^^ NST101
        return x
    return x + 1


# nst: example(torch.tensor([3., 4.]))
def method_any(x):
    return x if (x > 3).any() else x + 1
#               ^^^^^^^^^^^^^ NST101


# nst: example(torch.tensor([3., 4.]))
def bool_call(x):
    if bool(x[0] > 1) and not x[1] < 0:
#      ^^^^^^^^^^^^^^ NST101
#                             ^^^^^^^^ NST101
        return x * 2
    return x


# nst: example(torch.tensor([3., 4.]))
def equal_tensors(x):
    if torch.equal(x, x * 1):
#      ^^^^^^^^^^^^^^^^^^^^^ NST101
        return x
    return x * 2


# nst: example(torch.tensor([3., 4.]), torch.tensor([1., 2.]))
def allclose_decides(x, y):
    if torch.allclose(x, y):
#      ^^^^^^^^^^^^^^^^^^^^ NST101
        return x
    return x * 2


# nst: example(torch.tensor([3., 4.]))
def maths(x):
    return x * math.sqrt(x.sum())


# nst: example(torch.tensor([3., 4.]))
def round_trip(x):
    mean = x.numpy().mean()
    return x - torch.from_numpy(np.asarray(x) * 2) + float(mean)


# nst: example(torch.tensor([3, 4]))
def as_an_index(x):
    return torch.arange(10)[int(x[0])]


# nst: example(torch.tensor([3., 4.]))
def as_a_list(x):
    first, second = x.tolist()
#                   ^^^^^^^^^^ NST201
    return x * first + second


# nst: example(torch.tensor([3., -4.]))
def masked(x):
    return x[x > 0].sum() + torch.nonzero(x).sum()


# nst: example(torch.tensor([3., 4.]))
def sorted_rows(x):
    a, b = sorted([x[0], x[1]])
#          ^^^^^^^^^^^^^^^^^^^^ NST101
    return a - 2 * b


# nst: example(torch.tensor([3., 4.]))
def largest(x):
    return max(x[0], x[1]) * 2
#          ^^^^^^^^^^^^^^^ NST101?


# nst: example(torch.tensor([3., 4.]))
def by_text(x):
    if f"{x[0]:.0f}" == "3":
#      ^^^^^^^^^^^^^^^^^^^^ NST101
        return x
    return -x


# nst: example(torch.tensor([3., 4.]))
def swallowed(x):
    try:
        y = x / float(x.min())
    except Exception:
        y = x
    return y


# nst: example(torch.tensor([3., 4.]))
def membership(x):
    if 3.0 in x:
#      ^^^^^^^^ NST101
        return x + 1
    return x


# nst: example(torch.tensor([3., 4.]))
def rebuilt(x):
    return torch.tensor([x[0].item(), 1.0]) * 2


# nst: example(torch.tensor([1., 2.]))
def looked_up(x):
    names = {1: 10.0, 2: 20.0}
    return x * names[int(x[0])]
#                    ^^^^^^^^^ NST201
