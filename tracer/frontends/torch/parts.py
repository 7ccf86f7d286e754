"""Modules as parts of the user's model: which one is called in a frame, how the user reaches it, and what it is."""

from __future__ import annotations

import ast
import inspect
from types import CodeType, FrameType
from typing import Any

from torch.nn import Module

from ...callstack import Part
from ...recorder import Recorder

_CALLING: CodeType = Module._call_impl.__code__
"""What runs when a module is called, and then runs its `forward`."""


def part(recorder: Recorder, frame: FrameType, code: CodeType) -> Part | None:
    """The module that is called in a frame of this code."""
    if code is not _CALLING:
        return None
    module: Module = frame.f_locals["self"]
    holder = recorder.holder(module)
    forward = inspect.unwrap(getattr(module.forward, "__func__", module.forward))
    path = holder.label if holder is not None else ""
    return Part(path, _kind(module), getattr(forward, "__code__", code))


def _kind(module: Module) -> str:
    """A module in short: its class, and of one of PyTorch's own what it was made with and is not the default.

    What a class of the user's says of itself is the user's code, which is not run for it.
    """
    kind = type(module)
    if not kind.__module__.startswith("torch."):
        return kind.__name__
    try:
        made = ast.parse(f"made({module.extra_repr()})", mode="eval").body
        parameters = inspect.signature(kind).parameters
    except (SyntaxError, ValueError):
        return kind.__name__
    assert isinstance(made, ast.Call)
    given = [ast.unparse(arg) for arg in made.args]
    for keyword in made.keywords:
        parameter = parameters.get(keyword.arg or "")
        if parameter is None or parameter.default is inspect.Parameter.empty:
            given.append(ast.unparse(keyword.value))
        elif not _is(keyword.value, parameter.default):
            given.append(ast.unparse(keyword))
    return f"{kind.__name__}({', '.join(given)})" if given else kind.__name__


def _is(written: ast.expr, value: Any) -> bool:
    """Whether an expression is the literal of a value, or of that value for each axis."""
    try:
        found = ast.literal_eval(written)
    except ValueError:
        return False
    return bool(found == value or (isinstance(found, tuple) and all(part == value for part in found)))
