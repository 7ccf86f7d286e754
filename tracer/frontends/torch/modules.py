"""Modules: their parameters and buffers are inputs of a graph, what else they hold is hidden."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import CodeType, FunctionType
from typing import Any

import torch
from torch.nn import Module
from torch.nn.parameter import is_lazy

from ...copies import copy_array
from ...events import Instruction, Read, Source
from ...libraries import Entry
from ...nodes import Kind, Node
from ...recorder import Recorder
from ...trees import Field, Path


@dataclass(slots=True)
class Parameter:
    """A parameter or buffer of a module that is an argument, or the traced function's object."""

    tensor: torch.Tensor
    space: dict[str, Any]
    """Where its module keeps it, by its name."""
    name: str
    label: str
    path: Path | None
    """The way to it from an argument; None where the module is no argument."""
    source: Source | None = None
    """Where its module was read, if that is a hidden input."""
    node: Node | None = None
    mine: torch.Tensor | None = None
    """The copy that the trace works on."""


def hold(recorder: Recorder, value: Any, label: str, path: Path | None, source: Source | None = None) -> None:
    """Remember the modules in a value, what they are called, and their parameters and buffers.

    Raises ValueError for a lazy module that is given and was not called before: it makes its parameters when it is.
    """
    if not isinstance(value, Module):
        return
    for name, module in value.named_modules():
        steps = name.split(".") if name else []
        called = label + "".join(f"[{step}]" if step.isdigit() else f".{step}" for step in steps)
        if recorder.holder(module) is None:
            recorder.hold(module, called)
        for space, own, tensor in _tensors(module):
            if path is not None and is_lazy(tensor):
                raise ValueError(f"`{called}.{own}` has no shape yet: call the module once before it is traced")
            way = None if path is None else (*path, *map(_step, [*steps, own]))
            recorder.parameters.setdefault(id(tensor), Parameter(tensor, space, own, f"{called}.{own}", way, source))


def _tensors(module: Module) -> Iterator[tuple[dict[str, Any], str, torch.Tensor]]:
    for space in (module._parameters, module._buffers):
        for name, tensor in space.items():
            if tensor is not None:
                yield space, name, tensor


def put_back(recorder: Recorder) -> None:
    """Give modules the parameters and buffers that they had before the trace."""
    for found in recorder.parameters.values():
        if found.space.get(found.name) is not found.tensor:
            found.space[found.name] = found.tensor


def spaces(owner: Any) -> Iterator[dict[str, Any]]:
    """Where a module keeps its parameters, buffers and modules."""
    if isinstance(owner, Module):
        yield from (owner._parameters, owner._buffers, owner._modules)


def entries(value: Any) -> Iterator[Entry]:
    """Where a module, and those in it, keep their parameters and buffers; a scripted one keeps them to itself."""
    if isinstance(value, Module) and not isinstance(value, torch.jit.ScriptModule):
        for module in value.modules():
            yield from (Entry(space, name) for space, name, _ in _tensors(module))


def made(recorder: Recorder, module: Module, label: str, source: Source | None) -> None:
    """Remember the parameters and buffers of a module that the function made: they are the graph's own.

    `source` is where they come from, if that is a random draw.
    """
    for name, inner in module.named_modules():
        for space, own, tensor in _tensors(inner):
            called = ".".join(part for part in (label, name, own) if part)
            recorder.parameters.setdefault(id(tensor), Parameter(tensor, space, own, called, None, source))


def _step(step: str) -> Any:
    return int(step) if step.isdigit() else Field(step)


def known(recorder: Recorder, tensor: Any, at: Instruction) -> tuple[Any, Node] | None:
    """The copy that the trace works on and the node of a parameter or buffer.

    The node is an input where the module is an argument, else the graph's own copy.
    """
    found: Parameter | None = recorder.parameters.get(id(tensor))
    if found is None or (found.tensor is not tensor and found.mine is not tensor):
        return _gradient(recorder, tensor, at)
    if found.node is None:
        shape, dtype = tuple(tensor.shape), tensor.dtype
        if found.path is not None:
            found.node = Node(Kind.INPUT, None, (found.path,), None, shape, dtype, None, False, None, 0)
        else:
            pristine = copy_array(tensor, recorder.memories_of_parameters)
            found.node = Node(Kind.CONSTANT, None, (pristine,), None, shape, dtype, None, False, at.code, at.lasti)
        found.node.base = recorder.sharing(tensor, found.node)
        if recorder.known is not None:
            recorder.known.add(found.node)
        recorder.nodes.append(found.node)
        found.mine = copy_array(tensor, recorder.given)
        recorder.parameters[id(found.mine)] = found
        if found.source is not None:
            recorder.emit(Read(replace(found.source, label=found.label, value=tensor), found.node))
    return found.mine, found.node


def _gradient(recorder: Recorder, tensor: Any, at: Instruction) -> tuple[Any, Node] | None:
    """What a backward left with a parameter: the graph reads it there, too."""
    owner = next((p for p in recorder.parameters.values() if p.mine is not None and p.mine.grad is tensor), None)
    if owner is None or owner.node is None:
        return None
    shape = tuple(tensor.shape)
    node = Node(Kind.CALL, getattr, (owner.node, "grad"), None, shape, tensor.dtype, None, False, at.code, at.lasti)
    recorder.nodes.append(node)
    return tensor, node


def working(recorder: Recorder, value: Any) -> Any:
    """The copy that the trace works on, of a parameter or buffer that it has met."""
    found = recorder.parameters.get(id(value))
    return value if found is None or found.mine is None else found.mine


def method(function: Any) -> Callable[..., Any] | None:
    """The `forward` that runs when a module is called."""
    return function.forward if isinstance(function, Module) and not isinstance(function, type) else None


def promised(function: Any) -> CodeType | None:
    """The code of a function that is marked with `nonstrict_trace`, whose author promises that it is pure."""
    rules = sys.modules.get("torch._dynamo.trace_rules")
    ask = getattr(rules, "is_nonstrict_trace_callable", None)
    inner = getattr(function, "__wrapped__", None)
    if ask is None or not isinstance(function, FunctionType) or not isinstance(inner, FunctionType):
        return None
    return inner.__code__ if ask(function) else None
