"""Functions marked with nonstrict_trace promise to be pure: where they are not, it is a warning."""
import torch

scale = torch.tensor(2.0)
calls = []


@torch._dynamo.nonstrict_trace
def normed(x):
    calls.append(1)
#   ^^^^^^^^^^^^^^^ NST304
    return x / x.norm() * scale
#                         ^^^^^ NST204


# nst: example(torch.tensor([3., 4.]))
def uses(x):
    return normed(x) + 1
