"""The operations of ATen that a graph's nodes become: what PyTorch dispatches while they are evaluated.

They are what `make_fx` would record of the same run, one level below autograd; but nothing is traced here, so nothing
is refused: an operator that looks at contents itself (`one_hot`), a number that is taken out of a tensor and a
function that is transformed have operations like all others.  Aliases that autograd makes for itself are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.weak import WeakTensorKeyDictionary

from ...naming import Naming
from ...worker.wire import Primitive
from .tensors import described, tensors_in, text

_ALIAS = torch.ops.aten.detach.default
_WRITTEN_OUT = 16
"""Elements of a tensor that an operation makes of a literal, and that is shown as such."""


class Lowering:
    """Evaluates nodes one after another, and says what each became; names are told apart among all of them."""

    def __init__(self, reserved: Collection[str]) -> None:
        self._naming = Naming({"torch", *reserved})
        self._named = WeakTensorKeyDictionary()
        """What the tensors that are alive are called."""

    def call(self, value: Any, name: str) -> None:
        """Call a tensor of the graph's so: an input, or a captured one."""
        for tensor in tensors_in(value):
            self._named[tensor] = name

    def run(self, evaluated: Callable[[], Any]) -> tuple[Any, tuple[Primitive, ...]]:
        """Evaluate a node, and say what it became.  What it raises is raised unchanged."""
        watch = _Watch(self)
        with watch:
            value = evaluated()
        if not watch.seen and watch.alias is not None:  # the user asked for it
            return value, (self.made(*watch.alias),)
        return value, tuple(watch.seen)

    def argument(self, value: Any, read: dict[str, None] | None = None) -> str:
        """An argument or a result as Python in terms of these names; those that stand in it are added to `read`."""
        if isinstance(value, torch.Tensor):
            return self._name(value, {} if read is None else read)
        if isinstance(value, (list, tuple)):
            inside = ", ".join(self.argument(one, read) for one in value)
            return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
        if isinstance(value, float) and not math.isfinite(value):
            return f"float('{value}')"
        if isinstance(value, torch.Generator):
            return "torch.default_generator"
        return f"torch.{value!r}" if isinstance(value, torch.device) else repr(value)

    def _name(self, tensor: torch.Tensor, read: dict[str, None]) -> str:
        name: str | None = self._named.get(tensor)
        if name is None:
            if type(tensor) is torch.Tensor and tensor.layout is torch.strided and 0 < tensor.numel() <= _WRITTEN_OUT:
                return text(tensor)
            name = self._named[tensor] = self._naming.unused("captured")
        read[name.partition("[")[0]] = None  # of a part of a result, the whole
        return name

    def made(self, operator: Any, given: tuple[str, ...], read: tuple[str, ...], result: Any) -> Primitive:
        """An operation that has run, whose result has a name from now on."""
        call = f"torch.ops.{operator}({', '.join(given)})"
        if result is None:
            return Primitive("", str(operator), call, read, "")
        name = self._naming.unused(operator.overloadpacket.__name__)
        if isinstance(result, torch.Tensor):
            self._named[result] = name
        else:
            for at, part in enumerate(result if isinstance(result, (list, tuple)) else ()):
                if isinstance(part, torch.Tensor):
                    self._named[part] = f"{name}[{at}]"
        return Primitive(name, str(operator), f"{name} = {call}", read, _shape(result))

    def name_alike(self, alias: torch.Tensor, tensor: torch.Tensor) -> None:
        """An alias is called as what it is an alias of."""
        self._named[alias] = self._name(tensor, {})


class _Watch(TorchDispatchMode):
    """Sees what is dispatched while a node is evaluated."""

    def __init__(self, lowering: Lowering) -> None:
        super().__init__()
        self.seen: list[Primitive] = []
        self.alias: tuple[Any, tuple[str, ...], tuple[str, ...], Any] | None = None
        """The last alias, as `Lowering.made` takes it."""
        self._lowering = lowering

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here; to make sure of it, PyTorch would import Dynamo, which takes seconds."""
        return False

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        told, read = self._lowering.argument, dict[str, None]()
        given = [told(arg, read) for arg in args]
        given += (f"{name}={told(value, read)}" for name, value in kwargs.items())
        result = function(*args, **kwargs)
        made = function, tuple(given), tuple(read), result
        if function is _ALIAS:
            self.alias = made
            self._lowering.name_alike(result, args[0])
        else:
            self.seen.append(self._lowering.made(*made))
        return result


def _shape(result: Any) -> str:
    if isinstance(result, torch.Tensor):
        return described(result)
    if isinstance(result, (list, tuple)):
        return f"({', '.join(map(_shape, result))})"
    return type(result).__name__


__all__ = ["Lowering"]
