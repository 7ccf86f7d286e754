"""An example as a call of tensors: which tensors go in, and what the user calls each of them.

Arguments are taken apart as pytrees; parameters and buffers of modules among them (`self` above all) are tensors that
go in, too.  Whatever is no tensor is part of the function, as the non-strict model has it.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.utils import _pytree as pytree

from ..wrappers import uncompiled
from .state import State


class CannotBeAskedError(Exception):
    """A tracer cannot be asked at all; the text is for the user."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the user's function."""

    name: str
    """The function's qualified name."""
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    parameters: dict[str, Any]
    """The arguments by parameter."""
    state: State
    """What a run of it finds."""

    def afresh(self) -> Call:
        """The same call as at first, on copies of its arguments: what a run changes does not reach another."""
        self.state.put_back()
        args, kwargs = copy.deepcopy((self.args, self.kwargs))
        return call_of(self.name, self.function, args, kwargs)

    def run(self) -> Any:
        return self.function(*self.args, **self.kwargs)


def call_of(name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """The call of a function, as it is without `torch.compile`.

    Raises CannotBeAskedError for arguments that are no tensors, or that do not fit the function.
    """
    function = uncompiled(function)
    function, args = _with_self(function, args)
    args = tuple(uncompiled(one) if isinstance(one, nn.Module) else one for one in args)
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError as error:
        raise CannotBeAskedError(f"the arguments of this example do not fit {name}: {error}") from None
    call = Call(name, function, args, kwargs, dict(bound.arguments), State(function, args, kwargs))
    leaves = pytree.tree_leaves((args, kwargs))
    abstract = next((one for one in leaves if type(one).__module__.rpartition(".")[2] == "specs"), None)
    if abstract is not None:
        raise CannotBeAskedError(f"PyTorch's tracers need tensors: {abstract} in the example is a shape only")
    if not any(isinstance(one, (torch.Tensor, nn.Module)) for one in leaves):
        raise CannotBeAskedError(f"no argument of {name} is a tensor or a module in this example")
    return call


def _with_self(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A module, or a method of one, as a function that is given the module: its parameters go in, too."""
    if isinstance(function, nn.Module):
        hooked = function._forward_hooks or function._forward_pre_hooks or function._backward_hooks
        forward = _called if hooked else getattr(function.forward, "__func__", None)
        return (forward, (function, *args)) if forward is not None else (function, args)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, nn.Module) and inspect.ismethod(function):
        return function.__func__, (owner, *args)
    return function, args


def _called(self: nn.Module, *args: Any, **kwargs: Any) -> Any:
    """A call of a module, with its hooks."""
    return self(*args, **kwargs)


class Inputs:
    """The tensors of a call, in an order, with their names; `run` calls the function with others in their place."""

    def __init__(self, call: Call) -> None:
        self._call = call
        leaves, self._spec = pytree.tree_flatten((call.args, call.kwargs))
        self._leaves = leaves
        words = _words(call)
        modules = [(number, one) for number, one in enumerate(leaves) if isinstance(one, nn.Module)]
        self._holder = _Holder(self._called, [one for _, one in modules])
        self._plain = [number for number, one in enumerate(leaves) if isinstance(one, torch.Tensor)]
        state = [*self._holder.named_parameters(), *self._holder.named_buffers()]
        self._state = [name for name, _ in state]
        self.names = [_in_words(name, [words[number] for number, _ in modules]) for name in self._state]
        self.names += [words[number] for number in self._plain]
        self.tensors: list[torch.Tensor] = [tensor.detach() for _, tensor in state]
        wanted = [tensor.requires_grad for _, tensor in state]
        self.tensors += [leaves[number].detach() for number in self._plain]
        wanted += [leaves[number].requires_grad for number in self._plain]
        self.supposed = not any(wanted)
        """Whether nothing of the example requires grad, so that all that can is taken to."""
        for tensor, one in zip(self.tensors, wanted, strict=True):
            tensor.requires_grad_(one or (self.supposed and _can_require_grad(tensor)))

    def given(self) -> list[torch.Tensor]:
        """The tensors to call the function with: what is only taken to require grad may be written in place."""
        return [one.clone() if self.supposed and one.requires_grad else one for one in self.tensors]

    def run(self, *tensors: torch.Tensor) -> Any:
        """The function's result with these tensors in the place of its own, given as `self.tensors` are.

        It may be called again and again: each run finds what the first one did.
        """
        self._call.state.put_back()
        count = len(self._state)
        replaced = dict(zip(self._state, tensors[:count], strict=True))
        return torch.func.functional_call(self._holder, replaced, tuple(tensors[count:]))

    def _called(self, *tensors: torch.Tensor) -> Any:
        leaves = list(self._leaves)
        for number, tensor in zip(self._plain, tensors, strict=True):
            leaves[number] = tensor
        args, kwargs = pytree.tree_unflatten(leaves, self._spec)
        return self._call.function(*args, **kwargs)


class _Holder(nn.Module):
    """Makes one module of a function and of the modules it is called with."""

    def __init__(self, function: Callable[..., Any], modules: Sequence[nn.Module]) -> None:
        super().__init__()
        self.held = nn.ModuleList()
        for number, module in enumerate(modules):
            self.held.add_module(str(number), module)  # as it is: `append` would do, too, and `train` must not
        self._function = function

    def forward(self, *tensors: torch.Tensor) -> Any:
        return self._function(*tensors)


def _can_require_grad(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def _words(call: Call) -> list[str]:
    """What each leaf of the arguments is called, in the order of the leaves: `x`, `xs[0]`, `batch['image']`."""
    keyed = pytree.tree_flatten_with_path((call.args, call.kwargs))[0]
    positional = list(inspect.signature(call.function).parameters.values())
    words = []
    for (where, first, *rest), _ in keyed:
        if where.idx == 1:
            words.append(f"{first.key}{pytree.keystr(tuple(rest))}")
            continue
        variadic = next((n for n, p in enumerate(positional) if p.kind is p.VAR_POSITIONAL), len(positional))
        if first.idx < variadic:
            root = positional[first.idx].name
        else:
            root = f"{positional[variadic].name}[{first.idx - variadic}]"
        words.append(f"{root}{pytree.keystr(tuple(rest))}")
    return words


def _in_words(name: str, modules: Sequence[str]) -> str:
    """`held.0.a.weight` of a `_Holder` as `self.a.weight`."""
    _, number, rest = name.split(".", 2)
    return f"{modules[int(number)]}.{rest}"
