"""What stands in for PyTorch's functions in calls of user code, and which functions are of which kind."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

import torch

from ...calls import Suspended, opaque, primitive
from ...calls import callee as callee_of
from ...events import Change, News, Origin, RawMemory, Source, Stored
from ...hidden import from_outside
from ...libraries import HOOKS
from ...outside import RANDOM_STATE, spell
from ...recorder import CURRENT, Recorder, site
from ...telling import lose
from ...telling import plain as plain_of
from ...traced import traced_in
from .modules import made
from .rerouted import shape_of_sizes
from .wrappers import plain

Function = Callable[..., Any]
OWNERS = (torch._C.TensorBase, torch.Tensor)
_OPERATION_MODULES = (
    "torch", "torch.functional", "torch.nn.functional", "torch._tensor", "torch.linalg", "torch.fft", "torch.special",
    "torch._C._nn", "torch._C._linalg", "torch._C._fft", "torch._C._special", "torch._C._sparse", "torch._C._nested",
    "torch.signal.windows.windows", "torch._ops", "torch.nn.init", "torch._VF", "torch._C",
    "torch._jit_internal", "torch.sparse", "torch.nested", "torch._C._VariableFunctions", "torch.autograd",
)  # fmt: skip
"""Modules whose functions are operations, each one node."""
_PYTHON_OVER_OPERATIONS = (
    "torch.nn", "torch.utils._pytree", "torch.distributions", "torch.testing",
)  # fmt: skip
_DECORATING = frozenset({
    "torch.utils._contextlib", "torch._dynamo.decorators", "torch.amp.autocast_mode", "torch.autograd.grad_mode",
    "torch._dynamo.external_utils",
})  # fmt: skip
"""Modules whose functions call the function of the user's that they decorate."""
_QUESTIONS = frozenset({
    "is_grad_enabled", "get_default_dtype", "get_num_threads", "is_tensor", "is_inference_mode_enabled",
    "set_grad_enabled", "_set_grad_enabled", "set_default_dtype", "set_num_threads", "get_default_device",
    "set_default_device", "is_autocast_enabled", "is_anomaly_enabled", "compile", "typename", "is_storage", "vmap",
    "get_rng_state", "initial_seed", "are_deterministic_algorithms_enabled", "manual_seed", "seed", "set_rng_state",
    "is_deterministic_algorithms_warn_only_enabled", "get_device_module", "set_printoptions",
    "use_deterministic_algorithms",
    "set_float32_matmul_precision", "get_float32_matmul_precision", "is_scripting", "is_tracing", "save", "load",
    "_assert", "cond", "while_loop", "accelerator",
})  # fmt: skip
"""Functions of these modules that are no operations on tensors."""
_SETTINGS = frozenset({
    "is_grad_enabled", "is_inference_mode_enabled", "is_autocast_enabled", "get_default_dtype", "get_default_device",
    "get_num_threads", "is_available", "device_count", "get_float32_matmul_precision",
})  # fmt: skip
"""Functions that tell of the process and its settings."""
_OBJECTS_MADE = frozenset({torch.Generator, torch.finfo, torch.iinfo})
"""Classes whose objects an operation makes."""
_SEEDING = frozenset({"manual_seed", "seed", "set_rng_state"})
_DRAWING = frozenset({
    "normal", "bernoulli", "poisson", "multinomial", "rrelu", "gumbel_softmax", "normal_", "uniform_", "random_",
    "exponential_", "geometric_", "cauchy_", "log_normal_", "binomial", "multi_head_attention_forward",
    "scaled_dot_product_attention", "lstm", "gru", "rnn_tanh", "rnn_relu", "fractional_max_pool2d",
    "fractional_max_pool3d", "apply",
})  # fmt: skip
"""Operations that may draw random numbers, besides those with `rand`, `dropout` or `bernoulli` in their names."""


def may_draw(function: Any) -> bool:
    """Whether an operation may draw random numbers: then the random state is compared."""
    name = getattr(function, "__name__", "")
    return name in _DRAWING or "rand" in name or "dropout" in name or "bernoulli" in name or "init" in name


def callee(function: Any, recorder: Recorder) -> Any:
    """What stands in for one of PyTorch's functions in a call; None where it is none of its own."""
    kind = type(function)
    if kind is FunctionType and HOOKS in function.__globals__ and "_torchdynamo_orig_callable" not in vars(function):
        return None
    original = plain(function) if kind is FunctionType or isinstance(function, torch.nn.Module) else function
    if original is not function:
        return callee(original, recorder) or original
    if isinstance(getattr(function, "__self__", None), torch.Generator):
        return partial(_seeding, function) if function.__name__ in ("manual_seed", "seed", "set_state") else function
    if kind is MethodDescriptorType or kind is WrapperDescriptorType:
        return partial(primitive, function) if is_method_of_tensors(function) else None
    if kind is MethodType or kind is MethodWrapperType:
        return _method(function)
    module = _module_of(function)
    if module.partition(".")[0] != "torch":
        return None
    name = getattr(function, "__name__", "")
    if name in _SEEDING and module in ("torch", "torch.random"):
        return partial(_seeding, function)
    if isinstance(function, type):
        return partial(primitive, function) if issubclass(function, torch.Tensor) else _class(function)
    if isinstance(function, torch.nn.Module):
        return function
    if isinstance(function, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return partial(primitive, function)
    if isinstance(function, (torch.jit.ScriptFunction, torch.jit.ScriptModule)):
        return partial(opaque, function)
    if kind not in (FunctionType, BuiltinFunctionType):
        return function
    if name == "checkpoint" and module == "torch.utils.checkpoint":
        return _checkpointed
    if name in _SETTINGS:
        return partial(_setting, function)
    if name in _QUESTIONS or module.startswith(("torch.random", "torch.cuda", "torch.backends", "torch.amp")):
        return function
    if name in ("to_dlpack", "_to_dlpack"):
        return partial(_to_dlpack, function)
    if module in _OPERATION_MODULES or name == "from_dlpack":
        return partial(primitive, function)
    if module.startswith(_PYTHON_OVER_OPERATIONS) or module in _DECORATING:
        return function  # Python code over operations, which are seen
    return partial(opaque, function)


def is_method_of_tensors(function: Any) -> bool:
    """Whether a descriptor is a method of tensors."""
    return issubclass(function.__objclass__, OWNERS[0])


def _module_of(function: Any) -> str:
    """The name of the module that a callable is from."""
    if isinstance(function, FunctionType):  # what `functools.wraps` wrote over tells of what is wrapped
        return str(function.__globals__.get("__name__", ""))
    owner = getattr(function, "__self__", None)
    if isinstance(owner, ModuleType):
        return owner.__name__
    module = getattr(function, "__module__", None) or type(function).__module__
    return module if isinstance(module, str) else ""


def _class(function: type) -> Any:
    """A class of PyTorch's own: a context manager, a container, a layer; a layer draws its parameters."""
    if issubclass(function, torch.nn.Module):
        return partial(_layer, function)
    if function is torch.Size:
        return shape_of_sizes
    return partial(primitive, function) if function in _OBJECTS_MADE else function


def _layer(function: type, /, *args: Any, **kwargs: Any) -> Any:
    """A layer that the function makes for itself: what it drew for its parameters is constant in the graph."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if recorder is None:
        return function(*args, **kwargs)
    for value in traced_in((args, kwargs)):
        if value.node is not None:
            lose(value, "__index__", frame)
    before = torch.get_rng_state()
    layer = Suspended(function)(*plain_of(args, frame), **plain_of(kwargs, frame))
    drew, label = not torch.equal(before, torch.get_rng_state()), f"{spell(function)}()"
    made(recorder, layer, label, Source(Origin.RANDOM, label, site(frame)) if drew else None)
    return layer


def _method(function: Any) -> Any:
    """A bound method of one of PyTorch's classes."""
    owner = function.__self__
    if isinstance(owner, type) and issubclass(owner, torch.autograd.Function):
        return partial(opaque, function)
    if isinstance(owner, torch.nn.Module):
        inner = getattr(function, "__func__", None)
        return None if isinstance(inner, FunctionType) and HOOKS in inner.__globals__ else function
    return None


def _setting(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """A setting of the process: a constant of the graph, which does not change by itself."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    value = function(*plain_of(args, frame), **plain_of(kwargs, frame))
    if recorder is None:
        return value
    name = f"{_module_of(function).removeprefix('torch._C').strip('.') or 'torch'}.{function.__name__}"
    return from_outside(recorder, value, Source(Origin.ENVIRONMENT, f"{name}()", site(frame), None, value, quiet=True))


def _to_dlpack(function: Function, tensor: Any, /) -> Any:
    """A tensor's memory as an object that others can read and write."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if recorder is not None:
        recorder.emit(RawMemory(site(frame), "to_dlpack"))
    return function(plain_of(tensor, frame))


def _checkpointed(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """`checkpoint(f, x)` is `f(x)`; what it saves, it saves for a backward."""
    settings = ("use_reentrant", "context_fn", "determinism_check", "debug", "preserve_rng_state", "early_stop")
    kept = {name: value for name, value in kwargs.items() if name not in settings}
    recorder = CURRENT.get()
    called = function if recorder is None else callee_of(function, recorder)
    return called(*args, **kept)


def _seeding(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """The random state is set: a change of state that the graph does not make."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if recorder is None:
        return function(*args, **kwargs)
    owner = getattr(function, "__self__", None)
    change = Stored(site(frame), owner or torch.random, RANDOM_STATE, Change.METHOD, function.__name__, False, None)
    change.news.append(News("its state", "seeded anew"))
    recorder.emit(change)
    return function(*plain_of(args, frame), **plain_of(kwargs, frame))
