"""Attributes of traced tensors that are not as NumPy's are: sizes by method, raw memory, what tells of a type."""

from __future__ import annotations

import operator
import os
import sys
from functools import partial
from types import FrameType
from typing import Any

import torch

from ...attributes import attribute as attribute_of
from ...attributes import length, shape_of
from ...events import Change, News, RawMemory, Stored, Unsupported
from ...nodes import Kind
from ...operations import apply
from ...recorder import CURRENT, Recorder, site
from ...steps import set_part
from ...traced import Traced, TracedArray, TracedShape, holds_traced, raw
from ...trees import spell
from .interception import is_own

_DISTRIBUTIONS = os.path.dirname(os.path.realpath(torch.distributions.__file__)) + os.sep
_RAW_MEMORY = frozenset({
    "data_ptr", "untyped_storage", "storage", "__cuda_array_interface__", "__dlpack__", "__array_interface__",
})  # fmt: skip
TYPES = frozenset({
    "dtype", "device", "layout", "ndim", "requires_grad", "is_cuda", "is_cpu", "is_leaf", "is_sparse", "is_quantized",
    "is_meta", "is_mps", "is_nested", "itemsize",
})  # fmt: skip
"""Attributes that tell of a tensor's type."""
TYPE_METHODS = frozenset({
    "dim", "ndimension", "is_floating_point", "is_complex", "is_contiguous", "element_size", "get_device", "is_signed",
})  # fmt: skip
_HOOKING = frozenset({"register_hook", "register_post_accumulate_grad_hook", "retain_grad"})
"""Methods that have the backward do something besides."""
SIZE_METHODS = frozenset({"numel", "nelement"})
_PLAIN = frozenset({"grad_fn", "_version", "_base", "names", "_backward_hooks", "_is_view", "_typed_storage"})


def attribute(value: Traced, name: str, frame: FrameType | None) -> Any:
    """An attribute of a traced tensor; NotImplemented for what is as NumPy's arrays have it."""
    tensor = value.value
    if isinstance(tensor, torch.Generator) and value.node is not None and name in ("manual_seed", "seed", "set_state"):
        return partial(_seeded, value, getattr(torch.Generator, name))
    if not isinstance(tensor, torch.Tensor):
        return NotImplemented
    if name == "shape":
        return shape_of(value, frame)
    if name == "backward":
        return partial(_backward, value)
    if name == "new":
        return partial(_new, value)
    if name == "requires_grad_":
        return partial(_requiring, value)
    if name in _HOOKING:
        return partial(_hooking, value, name)
    if name == "size":
        return partial(_size, value)
    if name in _RAW_MEMORY and callable(getattr(torch.Tensor, name, None)):
        return partial(_raw_memory, value, name)
    if name in _RAW_MEMORY:
        _tell_raw(name, frame)
        return getattr(tensor, name)
    if name in _PLAIN or (is_own(frame) and not _follows_type(frame, name) and name in TYPES | TYPE_METHODS):
        return getattr(tensor, name)
    if name in TYPES:
        return apply(getattr, (value, name), None, frame)
    if name == "__len__":
        return partial(length, value, frame)
    return NotImplemented


def _follows_type(frame: FrameType | None, name: str) -> bool:
    """Whether PyTorch's code does nothing with a tensor's type but make others of it: where distributions draw."""
    if name not in ("dtype", "device") or frame is None:
        return False
    return _TYPES_ARE_ASKED and frame.f_code.co_filename.startswith(_DISTRIBUTIONS)


def _types_are_asked() -> bool:
    """Whether PyTorch asks a stand-in for a dtype what to do (`__torch_function__`); older versions refuse it."""
    asked = type("Asked", (), {"__torch_function__": classmethod(lambda *_: True)})()
    try:
        return torch.empty(0, dtype=asked) is True
    except TypeError:
        return False


_TYPES_ARE_ASKED = _types_are_asked()


def _assign(value: Traced, name: str, given: Any, frame: FrameType | None) -> None:
    """`value.name = given`, for one of the attributes that a program may set.

    A tensor of the function's own has other memory from then on, without a node.  Of one that outlives the call, the
    graph sets `data`, too; a gradient, or whether there is to be one, is a change of state that it does not make.
    """
    recorder, tensor = CURRENT.get(), value.value
    if recorder is None or not isinstance(tensor, torch.Tensor):
        raise AttributeError(f"attribute {name!r} of {type(tensor).__name__} cannot be set in a trace")
    if name != "data":
        _tell_state(recorder, value, name, given, frame)
        with torch._C.DisableTorchFunction():
            setattr(tensor, name, raw(given))
        return
    source = apply(torch.Tensor.detach, (given,), None, frame)
    if _is_made_here(value):
        value.value, value.node = source.value, source.node
    elif (source.value.shape, source.value.dtype) == (tensor.shape, tensor.dtype):
        apply(set_part, (value, name, source), None, frame, value)
    else:
        raise NotImplementedError("data of another shape or dtype for a tensor that the function was given")


def _requiring(value: Traced, /, requires_grad: bool = True) -> Any:
    """`x.requires_grad_()`: an operation on a tensor of the function's own, else a change of state."""
    frame = sys._getframe(1)
    if _is_made_here(value):
        return apply(torch.Tensor.requires_grad_, (value, requires_grad), None, frame)
    _assign(value, "requires_grad", requires_grad, frame)
    return value


def _is_made_here(value: Traced) -> bool:
    """Whether the function made a tensor: nobody else has it."""
    return value.node is None or value.node.kind is Kind.CALL


def _tell_state(recorder: Recorder, value: Traced, name: str, given: Any, frame: FrameType | None) -> None:
    """Tell that an attribute of a tensor that outlives the call is about to be another."""
    node, now = value.node, getattr(value.value, name)
    if node is None or _is_made_here(value) or is_own(frame) or now is raw(given):
        return
    argument = node.kind is Kind.INPUT
    known = recorder.parameters.get(id(value.value))
    label = spell(node.args[0]) if argument else known.label if known is not None else "a captured tensor"
    told = [one if isinstance(one, (bool, type(None))) else "a tensor" for one in (now, raw(given))]
    change = Stored(site(frame), value.value, label, Change.ATTRIBUTE, name, argument, {})
    change.news.append(News(str(told[0]), str(told[1]), holds_traced(given)))
    recorder.emit(change)


def _seeded(value: Traced, method: Any, /, *args: Any) -> Any:
    """A generator of the function's own is given its state: the graph does so, too."""
    return apply(method, (value, *args), None, sys._getframe(1), value)


def _backward(value: Traced, /, *args: Any, **kwargs: Any) -> None:
    """`loss.backward()` leaves gradients with the tensors that it began with: no operation of a graph."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if recorder is not None:
        recorder.emit(Unsupported(site(frame), "backward(), which leaves gradients with tensors"))
    with torch._C.DisableTorchFunction():
        value.value.backward(*raw(args), **raw(kwargs))


def _hooking(value: Traced, name: str, /, *args: Any) -> Any:
    """What is to happen in the backward is no operation: the graph's results do not know of it."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if recorder is not None:
        recorder.emit(Unsupported(site(frame), f"{name}(), which changes what the backward does"))
    with torch._C.DisableTorchFunction():
        return getattr(value.value, name)(*raw(args))


def _size(value: Traced, dim: Any = None) -> Any:
    """`x.size()` is `x.shape`; `x.size(0)` is one of its sizes."""
    frame = sys._getframe(1)
    shape = shape_of(value, frame)
    return shape if dim is None else shape[operator.index(raw(dim))]


def _new(value: Traced, /, *args: Any, **kwargs: Any) -> Any:
    """`x.new(shape)` is `x.new(*shape)`: a traced shape would be taken for contents."""
    if args and isinstance(args[0], (torch.Size, TracedShape)):
        args = (*args[0], *args[1:])
    return apply(torch.Tensor.new, (value, *args), kwargs or None, sys._getframe(1))


def _raw_memory(value: Traced, name: str, /, *args: Any, **kwargs: Any) -> Any:
    _tell_raw(name, sys._getframe(1))
    return getattr(value.value, name)(*args, **kwargs)


def _tell_raw(name: str, frame: FrameType | None) -> None:
    recorder = CURRENT.get()
    if recorder is not None and not is_own(frame):
        recorder.emit(RawMemory(site(frame), name))


def _settable(name: str) -> property:
    return property(
        lambda value: attribute_of(value, name, sys._getframe(1)),
        lambda value, given: _assign(value, name, given, sys._getframe(1)),
    )


for _name in ("data", "grad", "requires_grad"):
    setattr(TracedArray, _name, _settable(_name))
