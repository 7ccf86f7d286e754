"""Constants of a wider dtype: a tensor with dimensions widens, a number or a tensor without dimensions does not."""
import numpy as np
import torch
import torch.nn.functional as F

SCALES = np.array([0.5, 0.25, 2.0])
WEIGHTS = torch.tensor([0.5, 0.25, 2.0], dtype=torch.float64)


# nst: example(torch.tensor([1., 2., 3.]))
def by_an_array_of_numpys(x):
    return x * torch.from_numpy(SCALES)
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST211
#                               ^^^^^^ NST204


# nst: example(torch.tensor([1., 2., 3.]))
def by_a_tensor(x):
    return torch.add(F.relu(x), WEIGHTS)
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST211
#                               ^^^^^^^ NST204


# nst: example(torch.tensor([1., 2., 3.], dtype=torch.bfloat16))
def by_what_is_made(x):
    y = x.exp()
    return y.mul(torch.ones(3))
#          ^^^^^^^^^^^^^^^^^^^^ NST211


# nst: example(torch.tensor([1., 2., 3.]))
def by_numbers(x):
    return x * 0.5 + np.float64(2.0) * x + x * torch.tensor(0.5, dtype=torch.float64)


# nst: example(torch.tensor([1., 2., 3.], dtype=torch.float64))
def of_wide_inputs(x):
    return x * torch.linspace(0.0, 1.0, 3) + torch.from_numpy(np.ones(3))


# nst: example(torch.tensor([1., 2., 3.]), torch.tensor([1., 2., 3.], dtype=torch.float64))
def of_two_inputs(x, y):
    return x * y


# nst: example(torch.tensor([1., 2., 3.]))
def on_purpose(x):
    return x.double() * torch.from_numpy(np.ones(3)) + x.to(torch.float64)


# nst: example(torch.tensor([1, 2, 3]))
def of_whole_numbers(x):
    return x * torch.tensor([0.5, 0.25, 2.0])
