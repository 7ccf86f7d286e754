"""The state that runs of a function share: what is put back before each, so that none meets what another left behind.

PyTorch's tracers run a function several times, each time on other stand-ins for tensors.  Where it keeps tensors for
later, in a table of its module or on an object of its own, the next run would find the stand-ins of the last one.
"""

from __future__ import annotations

import builtins
import functools
import gc
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, MutableMapping, MutableSequence, MutableSet
from functools import partial
from types import (
    CellType,
    FunctionType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any

import torch
from torch import nn

from ....positions import FILES

_HOLDING = (
    dict, list, set, deque, tuple, frozenset, CellType, MethodType, MappingProxyType, SimpleNamespace,
    functools.partial, staticmethod, classmethod, property,
    MutableMapping, MutableSequence, MutableSet, nn.Module, torch.optim.Optimizer,
)  # fmt: skip
"""What is followed whosever class it is; of other libraries' objects, nothing is known."""
_ABSENT = object()

Undo = Callable[[], None]


class State:
    """What the user's modules, and what is given, refer to as this is made.  Contents of tensors are not kept.

    `but` are objects that are somebody else's to change.
    """

    def __init__(self, *given: Any, but: Iterable[Any] = ()) -> None:
        self._undo = list(_undoing(given, but))

    def put_back(self) -> None:
        for undo in self._undo:
            undo()


def _undoing(given: tuple[Any, ...], but: Iterable[Any]) -> Iterator[Undo]:
    """What puts back each object that can be changed and is in reach."""
    loaded = list(sys.modules.items())
    modules = {name: module for name, module in loaded if getattr(module, "__file__", None) in FILES}
    waiting: list[Any] = [*map(vars, modules.values()), *given]
    known = {id(one) for one in (sys.modules, vars(builtins), *but)}
    while waiting:
        one = waiting.pop()
        if id(one) in known or isinstance(one, (torch.Tensor, ModuleType)):
            continue
        known.add(id(one))
        if isinstance(one, type):
            if one.__module__ in modules:
                yield partial(_put_back_class, one, dict(vars(one)))
                waiting += vars(one).values()
        elif isinstance(one, functools._lru_cache_wrapper):
            yield partial(_put_back_cache, one, one.cache_info().misses)
            waiting.append(one.__wrapped__)
        elif isinstance(one, FunctionType):
            if one.__code__.co_filename in FILES:
                waiting += [one.__dict__, one.__closure__, one.__defaults__, one.__kwdefaults__]
        elif isinstance(one, _HOLDING) or type(one).__module__ in modules:
            yield from _own(one)
            waiting += [*gc.get_referents(one), getattr(one, "__dict__", None)]


def _own(one: Any) -> Iterator[Undo]:
    """What puts back an object's own items and slots."""
    if isinstance(one, dict):
        kind = OrderedDict if isinstance(one, OrderedDict) else dict
        yield partial(_put_back_items, kind, one, list(kind.items(one)))
    elif isinstance(one, (list, deque)):
        yield partial(_put_back_sequence, list if isinstance(one, list) else deque, one, list(one))
    elif isinstance(one, set):
        yield partial(_put_back_elements, one, set(one))
    names = [name for kind in type(one).__mro__ for name, value in vars(kind).items() if _is_slot(value)]
    for name in ["cell_contents"] if isinstance(one, CellType) else names:
        yield partial(_put_back_slot, one, name, _slot(one, name))


def _is_slot(value: Any) -> bool:
    return isinstance(value, MemberDescriptorType)


def _put_back_items(kind: Any, one: Any, before: list[tuple[Any, Any]]) -> None:
    now = kind.items(one)
    if len(now) != len(before) or any(a is not c or b is not d for (a, b), (c, d) in zip(now, before, strict=True)):
        kind.clear(one)
        kind.update(one, before)


def _put_back_sequence(kind: Any, one: Any, before: list[Any]) -> None:
    if len(one) != len(before) or any(a is not b for a, b in zip(one, before, strict=True)):
        kind.clear(one)
        kind.extend(one, before)


def _put_back_elements(one: set[Any], before: set[Any]) -> None:
    set.clear(one)
    set.update(one, before)


def _put_back_slot(one: Any, name: str, before: Any) -> None:
    if _slot(one, name) is before:
        return
    if before is _ABSENT:
        object.__delattr__(one, name)
    else:
        object.__setattr__(one, name, before)


def _slot(one: Any, name: str) -> Any:
    try:
        return object.__getattribute__(one, name)
    except (AttributeError, ValueError):  # ValueError of an empty cell
        return _ABSENT


def _put_back_class(one: type, before: dict[str, Any]) -> None:
    now = dict(vars(one))
    for name in now.keys() - before.keys():
        type.__delattr__(one, name)
    for name, value in before.items():
        if now.get(name, _ABSENT) is not value:
            type.__setattr__(one, name, value)


def _put_back_cache(one: Any, misses: int) -> None:
    if one.cache_info().misses != misses:
        one.cache_clear()
