"""Distributions, whose own code reads the types of their parameters and broadcasts their shapes."""
import torch
from torch.distributions import Beta, Gumbel, Laplace, MultivariateNormal, Uniform


# nst: example(torch.rand(2, 3) + 0.5, torch.rand(2, 3) + 0.5)
def draws_in_the_dtype_of_its_parameters(a, b):
    first = Uniform(a, a + b).rsample()
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST206
    second = Gumbel(a, b).rsample() * Laplace(a, b).rsample()
#            ^^^^^^^^^^^^^^^^^^^^^^ NST206
#                                     ^^^^^^^^^^^^^^^^^^^^^^^ NST206
    return first, second, Beta(a, b).rsample()
#                         ^^^^^^^^^^^^^^^^^^^^ NST206


# nst: example(torch.ones(2, 3))
def likely(mean):
    return MultivariateNormal(mean, torch.eye(3)).log_prob(torch.zeros(3))
