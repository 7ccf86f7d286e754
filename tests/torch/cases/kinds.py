"""dtype, device and identity."""
import torch


# nst: example(torch.tensor([1., 2.]))
def by_dtype(x):
    if x.dtype is torch.float32:
#      ^^^^^^^^^^^^^^^^^^^^^^^^ NST105
        return x * 2
    return x


# nst: example(torch.tensor([1., 2.]))
def by_kind(x):
    if x.is_floating_point():
#      ^^^^^^^^^^^^^^^^^^^^^ NST105
        return x / 2
    return x // 2


# nst: example(torch.tensor([1., 2.]))
def like(x):
    return x + torch.zeros(2, dtype=x.dtype, device=x.device)


# nst: example(torch.tensor([1., 2.]), torch.tensor([1., 2.]))
def identical(x, y):
    if x is y:
#      ^^^^^^ NST105
        return x
    return x + y


# nst: example(torch.tensor([1., 2.]))
def by_device(x):
    if x.device.type == "cuda":
#      ^^^^^^^^^^^^^^^^^^^^^^^ NST105
        return x
    return x * 2


# nst: example(torch.tensor([1., 2.]))
def pointer(x):
    return x + x.data_ptr() % 2
#              ^^^^^^^^^^^^ NST401


# nst: example(torch.tensor([1., 2.]))
def is_a_tensor(x):
    if isinstance(x, torch.Tensor):
        return x * 2
    return x
