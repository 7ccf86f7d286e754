"""Values as Python text that can stand in an example, told without running any code of the user's.

No `repr` of a class of the user's is called and no attribute of an object is asked for (`isinstance` would ask for its
`__class__`): what is told of an object is how it was made (`Made`), or the fields of a data class as they lie in it.
NumPy and PyTorch are never imported; where nobody did, there are no arrays or tensors.
"""

from __future__ import annotations

import builtins
import dataclasses
import enum
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType, ModuleType
from typing import Any

from .arrays import array_kind, array_text, scalar_text
from .tensors import tensor_kind, tensor_text

_NAMED: tuple[type, ...] = (FunctionType, BuiltinFunctionType, type)
"""What is told by the name that a module has for it."""
_LONGEST = 120
"""Characters of a text."""
_DEEPEST = 4
"""Containers within each other."""
_MOST_ITEMS = 16


class Untold(Exception):  # noqa: N818  # not an error: the value has no text that is worth having
    """A value cannot be written as an example's argument."""


@dataclass(frozen=True, slots=True)
class Told:
    text: str
    kind: str
    has_array: bool = False
    local: bool = False
    """It uses names of the module it was told for."""


Made = Callable[[object, Mapping[str, Any]], Told | None]
"""How an object was made, for a module's names; None where that was not seen."""


def tell(value: Any, space: Mapping[str, Any], made: Made, depth: int = 0) -> Told:
    """A value among the names of a module.  Raises Untold."""
    kind: type = type(value)
    numpy = sys.modules.get("numpy")
    if numpy is not None and kind is numpy.ndarray:
        text = array_text(value, numpy)
        if text is None:
            raise Untold
        return Told(text, array_kind(value), has_array=True)
    if numpy is not None and issubclass(kind, numpy.generic):
        return _scalar(value, kind, numpy)
    torch = sys.modules.get("torch")
    if torch is not None and kind in (torch.Tensor, torch.nn.Parameter, torch.dtype, torch.Size):
        return _of_torch(value, torch, space)
    if kind in (bool, int, type(None)):
        return Told(_short(repr(value)), kind.__name__)
    if kind in (float, complex):
        return Told(scalar_text(value), kind.__name__)
    if kind in (str, bytes):
        return Told(_short(repr(value)), kind.__name__)
    if value is Ellipsis:
        return Told("...", "ellipsis")
    if depth > _DEEPEST:
        raise Untold
    if kind in (tuple, list, dict, slice):
        return _container(value, space, made, depth)
    if issubclass(kind, enum.Enum):
        return _member(value, space)
    if numpy is not None and issubclass(kind, numpy.dtype):
        return _dtype(value)
    if issubclass(kind, _NAMED) or kind is getattr(numpy, "ufunc", None):
        name = name_in(value, space)
        return Told(name, "function", local=not name.startswith("np."))
    return made(value, space) or fields(value, space, made, depth)


def _scalar(value: Any, kind: type, numpy: Any) -> Told:
    name = "bool_" if value.dtype.kind == "b" else kind.__name__
    if value.dtype.kind not in "biufc" or vars(numpy).get(name) is not kind:
        raise Untold
    return Told(_short(f"np.{name}({scalar_text(value)})"), name)


def _of_torch(value: Any, torch: ModuleType, space: Mapping[str, Any]) -> Told:
    if type(value) is torch.Size:
        return Told(_short(repr(tuple(value))), "Size")
    name = next((alias for alias, found in list(space.items()) if found is torch and alias.isidentifier()), None)
    if name is None:
        raise Untold
    if type(value) is torch.dtype:
        return Told(str(value).replace("torch", name, 1), "dtype", local=True)
    text = tensor_text(value, torch, name)
    if text is None:
        raise Untold
    return Told(text, tensor_kind(value), has_array=True, local=True)


def _dtype(value: Any) -> Told:
    if value.kind not in "biufc":
        raise Untold
    return Told(f'np.dtype("{value.name}")', "dtype")


def _short(text: str) -> str:
    if len(text) > _LONGEST:
        raise Untold
    return text


def joined(parts: list[tuple[str, Told]], opening: str, closing: str, kind: str) -> Told:
    """Told parts, each behind what is written before it, in brackets."""
    text = opening + ", ".join(before + part.text for before, part in parts) + closing
    return Told(text, kind, any(part.has_array for _, part in parts), any(part.local for _, part in parts))


def _container(value: Any, space: Mapping[str, Any], made: Made, depth: int) -> Told:
    if type(value) is slice:
        given = [("", tell(one, space, made, depth + 1)) for one in (value.start, value.stop, value.step)]
        return joined(given, "slice(", ")", "slice")
    if len(value) > _MOST_ITEMS:
        raise Untold
    if type(value) is dict:
        keys = [tell(key, space, made, depth + 1) for key in value]
        items = [tell(item, space, made, depth + 1) for item in value.values()]
        kinds = ", ".join(f"{key.text}: {item.kind}" for key, item in zip(keys, items, strict=True))
        parts = [(f"{key.text}: ", item) for key, item in zip(keys, items, strict=True)]
        return joined(parts, "{", "}", f"{{{kinds}}}")
    items = [tell(item, space, made, depth + 1) for item in value]
    opening, closing = "[]" if type(value) is list else "()"
    inside = ", ".join(dict.fromkeys(item.kind for item in items))
    end = f",{closing}" if type(value) is tuple and len(items) == 1 else closing
    return joined([("", item) for item in items], opening, end, f"{opening}{inside}{closing}")


def _member(value: enum.Enum, space: Mapping[str, Any]) -> Told:
    kind = type(value)
    name = value._name_
    if kind.__members__.get(name) is not value:
        raise Untold
    return Told(f"{name_in(kind, space)}.{name}", f"{kind.__name__}.{name}", local=True)


def fields(value: Any, space: Mapping[str, Any], made: Made, depth: int = 0) -> Told:
    """A data class or named tuple by its fields.  Raises Untold."""
    kind = type(value)
    if issubclass(kind, tuple) and isinstance(names := vars(kind).get("_fields"), tuple):
        items = [("", tell(item, space, made, depth + 1)) for item in tuple.__iter__(value)]
        if len(names) != len(items):
            raise Untold
    elif dataclasses.is_dataclass(kind):
        stored = [(one, _stored(value, kind, one.name)) for one in dataclasses.fields(kind) if one.init]
        items = [
            (f"{one.name}=", tell(found, space, made, depth + 1)) for one, found in stored if found is not one.default
        ]
    else:
        raise Untold
    found = joined(items, f"{name_in(kind, space)}(", ")", kind.__name__)
    return dataclasses.replace(found, local=True)


def _stored(value: Any, kind: type, name: str) -> Any:
    """A field as it lies in an object: no property and no `__getattr__` is run.  Raises Untold."""
    slot = next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)
    if isinstance(slot, MemberDescriptorType):
        try:
            return slot.__get__(value, kind)
        except AttributeError as error:
            raise Untold from error
    try:
        return object.__getattribute__(value, "__dict__")[name]
    except (AttributeError, KeyError) as error:
        raise Untold from error


def name_in(value: Any, space: Mapping[str, Any]) -> str:
    """The name by which a function or class is reached in a module.  Raises Untold."""
    numpy = sys.modules.get("numpy")
    name = value.__qualname__ if isinstance(value, type) else value.__name__
    if not isinstance(name, str):
        raise Untold
    if space.get(name) is value or vars(builtins).get(name) is value:
        return name
    if numpy is not None and vars(numpy).get(name) is value:
        return f"np.{name}"
    for alias, found in list(space.items()):
        if found is value and alias.isidentifier():
            return alias
        if type(found) is ModuleType and vars(found).get(name) is value:
            return f"{alias}.{name}"
    return _inner(value, name, space)


def _inner(value: Any, name: str, space: Mapping[str, Any]) -> str:
    """A class within a class, by its dotted name."""
    first, *rest = name.split(".")
    found = space.get(first)
    for step in rest:
        found = vars(found).get(step) if isinstance(found, type) else None
    if found is not value:
        raise Untold
    return name
