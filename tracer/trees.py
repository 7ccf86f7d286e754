"""Nested containers of values, taken apart and put together: tuples, lists, deques, dicts, named tuples, *records*.

Records are dataclasses, and objects of classes that a library takes apart (`register_pytree_node`).

A *path* is the way from a function's arguments to one leaf: `("params", "w", 0)`; the first step is the parameter's
name, the others are keys, indices or (for records) names of attributes.
"""

from __future__ import annotations

import copy
import dataclasses
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import libraries
from .specs import Spec

Path = tuple[Any, ...]


class Field(str):
    """The step of a path into an attribute of a record (a plain string is a key)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """Where a tree's structure ends and a value stands."""

    value: Any


def is_container(value: Any) -> bool:
    """Whether `value` is taken apart rather than seen as a leaf."""
    kind = type(value)
    if kind in (tuple, list, deque) or isinstance(value, dict) or is_record(value):
        return True
    return isinstance(value, tuple) and (hasattr(kind, "_fields") or is_structure(kind))


def is_structure(kind: type) -> bool:
    """Whether a class is a tuple with named items that a library's C code made."""
    return any(library.is_structure(kind) for library in libraries.LIBRARIES)


def is_record(value: Any) -> bool:
    """Whether `value` is taken apart by its attributes (an abstract array is a leaf like any array)."""
    if isinstance(value, (type, Spec, dict)):
        return False
    return dataclasses.is_dataclass(value) or libraries.fields(value) is not None


def _fields(value: Any) -> tuple[str, ...]:
    """The names of a record's attributes, as far as it has them."""
    if dataclasses.is_dataclass(value):
        return tuple(field.name for field in dataclasses.fields(value) if hasattr(value, field.name))
    return libraries.fields(value) or ()


def children(value: Any) -> Iterator[tuple[Any, Any]]:
    """The (step, child) pairs of a container."""
    if isinstance(value, dict):
        yield from value.items()
    elif is_record(value):
        for name in _fields(value):
            yield Field(name), getattr(value, name)
    else:
        yield from enumerate(value)


def remake(value: Any, parts: list[Any]) -> Any:
    """A container of the same kind as `value` with other children."""
    kind = type(value)
    if isinstance(value, dict):
        return _mapping(value, parts)
    if is_record(value):
        made = copy.copy(value)
        for name, part in zip(_fields(value), parts, strict=False):
            object.__setattr__(made, name, part)
        return made
    if kind is deque:
        return deque(parts, value.maxlen)
    if hasattr(kind, "_fields"):
        return kind(*parts)
    return kind(parts)


def _mapping(value: dict[Any, Any], parts: Iterable[Any]) -> dict[Any, Any]:
    """A dictionary of the same class with other values; no code of a user's class is run for it."""
    kind: type[dict[Any, Any]] = type(value)
    pairs = zip(value, parts, strict=False)
    if kind is dict:
        return dict(pairs)
    made = kind.__new__(kind)
    if isinstance(value, defaultdict) and isinstance(made, defaultdict):
        made.default_factory = value.default_factory
    attributes = vars(value) if hasattr(kind, "__dictoffset__") and kind.__dictoffset__ else {}
    if attributes is value:  # its items are its attributes
        made.__dict__ = made
    elif attributes:
        vars(made).update(attributes)
    store = OrderedDict.__setitem__ if isinstance(value, OrderedDict) else dict.__setitem__
    for key, part in pairs:
        store(made, key, part)
        if attributes is not value and attributes.get(key) is dict.__getitem__(value, key):
            vars(made)[key] = part
    return made


def map_leaves(value: Any, function: Callable[[Any, Path], Any], path: Path = ()) -> Any:
    """The same tree with `function(leaf, path)` in place of each leaf; containers are made anew."""
    if not is_container(value):
        return function(value, path)
    return remake(value, [map_leaves(child, function, (*path, step)) for step, child in children(value)])


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Any, Path]]:
    """The leaves of a tree with their paths, in order."""
    if not is_container(value):
        yield value, path
        return
    for step, child in children(value):
        yield from leaves(child, (*path, step))


def put(tree: Any, path: Path, value: Any) -> Any:
    """`tree` with `value` at `path`; containers on the way are made anew."""
    if not path:
        return value
    parts = [put(child, path[1:], value) if step == path[0] else child for step, child in children(tree)]
    return remake(tree, parts)


def rebuild(tree: Any, function: Callable[[Leaf], Any]) -> Any:
    """A tree whose leaves are `Leaf` objects, with `function(leaf)` in their place."""
    if isinstance(tree, Leaf):
        return function(tree)
    return remake(tree, [rebuild(child, function) for _, child in children(tree)])


def fetch(bound: Mapping[str, Any], path: Path) -> Any:
    """The value at `path` in bound arguments.  Raises TypeError where the structure differs."""
    value: Any = bound[path[0]]
    for step in path[1:]:
        try:
            value = getattr(value, step) if isinstance(step, Field) else value[step]
        except (AttributeError, KeyError, IndexError, TypeError) as error:
            raise TypeError(f"the arguments have no {spell(path)}, which the graph's example had") from error
    return value


def spell(path: Path) -> str:
    """A path as Python: `params['w'].scale[0]`."""
    return str(path[0]) + "".join(f".{step}" if isinstance(step, Field) else f"[{step!r}]" for step in path[1:])
