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


# nst: example(torch.ones(3, 4), torch.ones(4))
def over_a_batch(xs, w):
    return torch.vmap(lambda x: (x * w).sum())(xs)
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST402


# nst: example(torch.ones(4), torch.ones(4))
def gradient_of_a_closure(x, w):
    def loss(v):
        return (v**2 * w).sum()

    return torch.func.grad(loss)(x)
#          ^^^^^^^^^^^^^^^^^^^^^^^^ NST402


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x.sigmoid()


# nst: example(torch.ones(4))
def with_a_gradient_of_its_own(x):
    return Swish.apply(x) + 1
#          ^^^^^^^^^^^^^^ NST402
