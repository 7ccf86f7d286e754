"""What stays a part of the graph, and what does not, in everyday code."""
import torch
import torch.nn.functional as F


class Config:
    eps = 0.5
    table = torch.ones(2)


config = Config()


# nst: example(torch.tensor([1., 2.]))
def default(x, w=torch.ones(2)):
    return x * w
#              ^ NST204


# nst: example(torch.tensor([1., 2.]))
def of_an_object(x):
    return x * config.eps + Config.table
#              ^^^^^^^^^^ NST205
#                           ^^^^^^^^^^^^ NST204


# nst: example(torch.tensor([1., 2.]))
def exact_class(x):
    if type(x) is torch.Tensor:
#      ^^^^^^^^^^^^^^^^^^^^^^^ NST105
        return x * 2
    return x


# nst: example(torch.tensor([1., 2.]))
def whole_shape(x):
    if x.shape == (2,):
#      ^^^^^^^^^^^^^^^ NST102
        return x * 2
    return x


# nst: example(torch.tensor([1., 2.]))
def wants_gradients(x):
    if x.requires_grad:
#      ^^^^^^^^^^^^^^^ NST105
        return x * 2
    return x


# nst: example(torch.tensor([1., 2.]), torch.float64)
def cast(x, dtype):
    return x.to(dtype)
#               ^^^^^ NST202


# nst: example(torch.tensor([3., 1., 2.]))
def in_order(x):
    order = sorted(range(3), key=lambda i: x[i])
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
    return x[order]


# nst: example(torch.tensor([3., 1., 2.]))
def through_numpy(x):
    array = x.detach().cpu().numpy()
    array[0] = 5
#   ^^^^^^^^^^^^ NST303
    return torch.as_tensor(array)


# nst: example(torch.tensor([[3., 1., 2.]]))
def mask(x):
    b, t = x.shape
    places = torch.arange(t)
    seen = places[None, :] <= places[:, None]
    return x.masked_fill(~seen[0], 0).unsqueeze(0).expand(b, -1, -1)


# nst: example(torch.ones(3))
def softmax(x):
    with torch.no_grad():
        m = x.max()
    return (x - m).exp() / (x - m).exp().sum() + F.one_hot(x.long(), int(x.max()) + 1).sum()


# nst: example(torch.ones(3))
def made_of_sizes(x):
    return x + torch.tensor([x.shape[0] * 1.0]) / max(x.shape[0], 1)


# nst: example(torch.ones(3))
def own_generator(x):
    generator = torch.Generator().manual_seed(3)
    return x + torch.rand(x.shape, generator=generator)


# nst: example(torch.ones(3, 2), torch.ones(2, 2))
def half_precision(x, w):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return x @ w


# nst: example(torch.ones(3))
def elsewhere(x):
    if x.device != torch.device("cpu"):
#      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST105
        x = x.cpu()
    return x * 2


# nst: example(torch.ones(3))
def smallest_of_its_type(x):
    eps = torch.finfo(x.dtype).eps
    return x.masked_fill(x < 0, torch.finfo(x.dtype).min) / (x.norm() + eps) + torch.iinfo(torch.int32).max


class Grown(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(2, 1)
        self.length = 0

    # nst: example(Grown(), torch.ones(3, 2))
    def forward(self, x):
        self.length = x.shape[0]
#       ^^^^^^^^^^^^^^^^^^^^^^^^ NST305
        return self.inner(x)


# nst: example(torch.ones(3, 2), torch.ones(2, requires_grad=True))
def gradients_left(x, w):
    loss = (x @ w).pow(2).mean()
    loss.backward()
#   ^^^^^^^^^^^^^^^ NST405
    assert w.grad is not None
    return loss


# nst: example(torch.tensor([1., 2.]), torch.tensor([3., 4.], requires_grad=True))
def into_out_without_gradients(x, w):
    out = torch.empty_like(x)
    with torch.no_grad():
        torch.mul(x, w, out=out)
        torch.nn.functional.normalize(out * w, dim=0, out=out)
    return out
