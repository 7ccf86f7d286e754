"""Functions that are compiled are traced as the plain ones."""
import torch


# nst: example(torch.ones(2, 3))
@torch.compile
def compiled(x):
    if x.shape[0] > 1:
#      ^^^^^^^^^^^^^^ NST102
        return x * 2
    return x


# nst: example(torch.ones(2, 3))
def calls_compiled(x):
    with torch.no_grad():
        return compiled(x) + 1
