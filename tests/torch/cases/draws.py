"""Random draws: those that are operations, those that decide, and those that are frozen; and the environment."""
import os
import random

import torch
from torch import nn
from torch.distributions import Categorical, Independent, Normal


# nst: example(torch.ones(3, 2))
def decides(x):
    if torch.rand(()) < 0.5:
#      ^^^^^^^^^^^^^^ NST206
        return x.flip(1)
    return x


class Chosen(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])

    # nst: example(Chosen(), torch.ones(3, 2))
    def forward(self, x):
        x = self.layers[int(torch.randint(0, 2, (1,)))](x)
#                           ^^^^^^^^^^^^^^^^^^^^^^^^^ NST206
        return self.layers[random.randint(0, 1)](x)
#                          ^^^^^^^^^^^^^^^^^^^^ NST206


# nst: example(torch.ones(3, 2))
def repeats(x):
    for _ in range(random.randint(1, 3)):
#                  ^^^^^^^^^^^^^^^^^^^^ NST206
        x = x * 2
    return x


# nst: example(torch.ones(2), torch.Generator().manual_seed(3))
def from_a_given_generator(x, generator):
    return x + torch.rand(2, generator=generator)


# nst: example(torch.ones(2))
def environment_decides(x):
    if "FAST" in os.environ:
#      ^^^^^^^^^^^^^^^^^^^^ NST207
        return x
    return x * 2


# nst: example(torch.tensor([[1., 2., 0.], [0., 1., 2.], [2., 1., 1.], [0., 0., 1.]]))
def acts(logits):
    policy = Categorical(logits=logits)
    action = policy.sample()
#            ^^^^^^^^^^^^^^^ NST206
    return action, policy.log_prob(action), policy.entropy()


# nst: example(torch.tensor([[1., 2., 0.], [0., 1., 2.]]), torch.tensor([[1., 2., 1.], [3., 1., 2.]]))
def reparametrized(mean, spread):
    latent = Independent(Normal(mean, spread), 1)
    z = latent.rsample()
#       ^^^^^^^^^^^^^^^^ NST206
    return z, latent.log_prob(z)
