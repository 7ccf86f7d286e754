"""Hidden inputs: captured tensors, numbers, settings, closures, defaults."""
import functools
import os
import random
import time

import torch
import torch.nn.functional as F

bias = torch.tensor([1.0, 2.0])
gain = 3.0
EPSILON = 1e-5
weights = {"w": torch.ones(2)}
history = []
counter = 0
device = torch.device("cpu")


# nst: example(torch.tensor([1., 2.]))
def captured(x):
    return x * bias + weights["w"]
#              ^^^^ NST204
#                     ^^^^^^^^^^^^ NST204


# nst: example(torch.tensor([1., 2.]))
def numbers(x):
    return x * gain + EPSILON
#              ^^^^ NST205


def make(step):
    scale = torch.full((2,), 2.0)

    def inner(x):
        return x * step + scale
#                  ^^^^ NST205
#                         ^^^^^ NST204

    return inner


# nst: example(torch.tensor([1., 2.]))
closure = make(0.5)


# nst: example(torch.tensor([1., 2.]))
def counts(x):
    global counter
    counter += 1
#   ^^^^^^^^^^^^ NST304
    return x * counter
#              ^^^^^^^ NST205


# nst: example(torch.tensor([1., 2.]))
def remembers(x):
    history.append(x.sum())
#   ^^^^^^^^^^^^^^^^^^^^^^^ NST305
    return x * 2


# nst: example(torch.tensor([1., 2.]))
def by_environment(x):
    if os.environ.get("FAST", "0") == "1":
#      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST207
        return x
    return x + time.perf_counter()
#              ^^^^^^^^^^^^^^^^^^^ NST207


# nst: example(torch.tensor([1., 2.]))
def python_random(x):
    return x * random.random()
#              ^^^^^^^^^^^^^^^ NST206


# nst: example(torch.tensor([1., 2.]))
def draws(x):
    return x + torch.rand(2) + torch.randn_like(x)
#              ^^^^^^^^^^^^^ NST206?
#                              ^^^^^^^^^^^^^^^^^^ NST206?


# nst: example(torch.tensor([1., 2.]))
def dropped(x):
    return F.dropout(x, 0.5)
#          ^^^^^^^^^^^^^^^^^ NST206?


# nst: example(torch.tensor([1., 2.]))
def seeded(x):
    torch.manual_seed(0)
#   ^^^^^^^^^^^^^^^^^^^^ NST304
    return x + torch.rand(2)
#              ^^^^^^^^^^^^^ NST206?


@functools.lru_cache
def mask(n):
    return torch.tril(torch.ones(n, n))


# nst: example(torch.ones(3, 3))
def cached(x):
    return x * mask(x.shape[0])
#              ^^^^^^^^^^^^^^^^ NST209
#   ~ NST203?


# nst: example(torch.tensor([1., 2.]))
def placed(x):
    return x + torch.ones(2, device=device)
#                                   ^^^^^^ NST205


# nst: example(torch.tensor([1., 2.]), 2)
def by_argument(x, p):
    if p > 1:
#      ^^^^^ NST103
        return x**p
#                 ^ NST202
    return x


# nst: example(torch.tensor([1., 2.]), mode="mean")
def by_mode(x, mode):
    if mode == "mean":
#      ^^^^^^^^^^^^^^ NST103
        return x.mean()
    return x.sum()


# nst: example(torch.tensor([1., 2.]))
def printed(x):
    print(f"mean {x.mean()}")
#   ^^^^^^^^^^^^^^^^^^^^^^^^^ NST301
    return x


# nst: example(torch.tensor([1., 2.]))
def by_setting(x):
    if torch.is_grad_enabled():
#      ^^^^^^^^^^^^^^^^^^^^^^^ NST207
        return x * 2
    return x
