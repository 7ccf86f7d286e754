"""Changes of state that outlive the call: remembered before, compared after.

A store is announced before it happens (`stored`), with the state its object had when the trace first touched
it.  When the trace is over, `restore` looks at the object again: what differs was changed, and what is traced
in it was leaked.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from types import FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

from . import libraries
from .events import Change, News, Origin, Source, Stored
from .libraries import HOOKS
from .nodes import Kind
from .recorder import Recorder, site
from .shown import shown
from .traced import Traced, TracedArray, TracedText, holds_traced, origins_of, raw

_ABSENT = object()
_SHALLOW = (list, set, deque, bytearray)


class Variable:
    """A global or an enclosing function's variable, seen as an object with a state."""

    __slots__ = ("space", "label")

    def __init__(self, space: dict[str, Any] | Callable[[], Any], label: str) -> None:
        self.space = space
        self.label = label

    def value(self) -> Any:
        if isinstance(self.space, dict):
            return self.space.get(self.label, _ABSENT)
        try:
            return self.space()
        except NameError:
            return _ABSENT


def is_workspace(module: object) -> bool:
    """Whether a module's code was rewritten: it belongs to the user."""
    return isinstance(module, ModuleType) and HOOKS in vars(module)


def stored(
    recorder: Recorder, owner: Any, key: Any, change: Change, frame: FrameType | None, traced: bool | None = None
) -> None:
    """Note a store that is about to happen, if its object was there before the trace."""
    argument, label = False, ""
    if isinstance(owner, Variable):
        label = owner.label
    elif isinstance(owner, (type, ModuleType, FunctionType)):
        label = owner.__name__
        if HOOKS not in _module_of(owner) or (isinstance(owner, FunctionType) and id(owner.__code__) in recorder.born):
            return
    else:
        holder = recorder.holder(owner)
        if holder is None:
            return
        argument, label = holder.argument, holder.label
    identity = _identity(owner)
    if identity not in recorder.memories:
        recorder.memories[identity] = remember(owner)
    recorder.emit(Stored(site(frame), owner, label, change, key, argument, recorder.memories[identity], traced))


def _module_of(owner: type | ModuleType | FunctionType) -> dict[str, Any]:
    """The globals that a class, function or module belongs to."""
    if isinstance(owner, ModuleType):
        return vars(owner)
    if isinstance(owner, FunctionType):
        return owner.__globals__
    return vars(sys.modules[owner.__module__]) if owner.__module__ in sys.modules else {}


def remember(owner: Any) -> Any:
    """A shallow copy of an object's state."""
    if isinstance(owner, Variable):
        return owner.value()
    if isinstance(owner, dict):
        return dict(owner)
    if isinstance(owner, _SHALLOW):
        return list(owner)
    return _attributes(owner)


def _attributes(owner: Any) -> dict[str, Any]:
    state = dict(vars(owner)) if hasattr(owner, "__dict__") else {}
    for space in libraries.spaces(owner):
        state.update(space)
    for kind in type(owner).__mro__:
        names = kind.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if hasattr(owner, name):
                state[name] = getattr(owner, name)
    return state


class _Changes:
    """What the stores of one trace changed: each object is looked at once, however often it was stored to."""

    def __init__(self) -> None:
        self._now: dict[int, Any] = {}
        self._whole: dict[int, bool] = {}
        self._told: dict[tuple[int, Change, Any], News | None] = {}

    def news(self, event: Stored) -> News | None:
        """What a store changed, or None where its object is as it was."""
        keyed = event.change is Change.ITEM and event.key is not None and isinstance(event.holder, dict)
        by_key = keyed or event.change is Change.ATTRIBUTE
        which = (_identity(event.holder), event.change, event.key if by_key else None)
        if which not in self._told:
            self._told[which] = self._look(event, keyed)
        return self._told[which]

    def _look(self, event: Stored, keyed: bool) -> News | None:
        which = _identity(event.holder)
        if which not in self._now:
            self._now[which] = remember(event.holder)
        before, now = event.memory, self._now[which]
        if event.change is Change.ATTRIBUTE:
            before, now = before.get(event.key, _ABSENT), now.get(event.key, _ABSENT)
            same = _equal(before, now) or _is_put_back(now, event.key)
        else:
            if which not in self._whole:
                self._whole[which] = _equal(before, now)
            same = self._whole[which]
        if same or (keyed and _equal(before.get(event.key, _ABSENT), now.get(event.key, _ABSENT))):
            return None
        traced = _traced(now.get(event.key)) if keyed else _news_traced(before, now)
        return News(_tell(before), _tell(now), traced, _later(before, now))


def _is_put_back(now: Any, key: Any) -> bool:
    """Whether a module's buffer was written in place and stored where it was (`self.steps += 1`): the write is told."""
    node = now.node if type(now) is TracedArray else None
    return node is not None and node.kind is Kind.INPUT and len(node.args[0]) > 1 and bool(node.args[0][-1] == key)


def _identity(owner: Any) -> Any:
    """What two stores into the same thing share."""
    return (id(owner.space), owner.label) if isinstance(owner, Variable) else id(owner)


def _later(before: Any, after: Any) -> str:
    """Where repeated calls lead: the function on, the graph nowhere."""
    if isinstance(before, (list, tuple, dict, set)) and isinstance(after, (list, tuple, dict, set)):
        step = len(after) - len(before)
        if isinstance(before, (list, tuple)) and step > 0:
            return f"after 3 calls Python has {len(before) + 3 * step} items, the graph {len(before)}"
    numbers = (int, float)
    first, then = _plain(before), _plain(after)
    counts = any(isinstance(o, Source) and o.origin is Origin.HIDDEN for o in origins_of(after))
    if counts and type(first) in numbers and type(then) in numbers and type(first) is int:
        return f"after 3 calls Python has {first + 3 * (then - first)}, the graph {first}"
    return "the graph does not change it"


def _news_traced(before: Any, after: Any) -> bool:
    """Whether what is new holds a traced array or number with a node."""
    if isinstance(after, (list, tuple)) and isinstance(before, (list, tuple)):
        old = {id(v) for v in before}
        return any(_traced(v) for v in after if id(v) not in old)
    if isinstance(after, dict) and isinstance(before, dict):
        return any(_traced(v) for k, v in after.items() if before.get(k) is not v)
    return _traced(after)


def _traced(value: Any) -> bool:
    if type(value).__name__ == "TracedArray" and value.node.kind is Kind.CONSTANT:
        return False  # a captured array put back where it came from
    if isinstance(value, Traced) and type(value).__name__.startswith("Traced"):
        return value.node is not None
    return holds_traced(value) and not isinstance(value, TracedText)


def _equal(a: Any, b: Any) -> bool:
    if a is b:
        return True
    a, b = _plain(a), _plain(b)
    if type(a) is not type(b):
        return False
    library = libraries.of(a)
    if library is not None:
        return library.same(a, b)
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(_equal(x, y) for x, y in zip(a, b, strict=False))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_equal(a[k], b[k]) for k in a)
    try:
        return bool(a == b)
    except Exception:  # noqa: BLE001  # a user's __eq__ may do anything; unequal is the safe answer
        return False


def _plain(value: Any) -> Any:
    return value.value if type(value).__name__ in ("TracedArray", "TracedScalar") else value


def _tell(value: Any) -> str:
    """A state in a few words."""
    if value is _ABSENT:
        return "unset"
    value = _plain(value)
    if isinstance(value, (list, tuple, set, dict, deque)):
        count = len(value)
        return f"{count} item{'' if count == 1 else 's'}"
    text = shown(value)
    return text if len(text) <= 40 else text[:37] + "..."


def restore(recorder: Recorder) -> None:
    """Leave no traced value behind in the user's objects: the plain value takes its place.

    Before that, every store's change is told (`Stored.news`), while what was stored can still be seen.
    """
    stores = [event for event in recorder.events if isinstance(event, Stored)]
    changes = _Changes()
    for event in stores:
        event.news.append(changes.news(event))
    for owner in {_identity(event.holder): event.holder for event in stores}.values():
        _clear(owner)


def _clear(owner: Any) -> None:
    if isinstance(owner, Variable):
        if isinstance(owner.space, dict) and owner.label in owner.space:
            owner.space[owner.label] = _cleared(owner.space[owner.label])
    elif isinstance(owner, dict):
        items = [(raw(k), _cleared(v)) for k, v in owner.items()]
        owner.clear()
        owner.update(items)
    elif isinstance(owner, (list, deque)):
        for i, value in enumerate(owner):
            owner[i] = _cleared(value)
    elif hasattr(owner, "__dict__") and not isinstance(owner, (type, ModuleType)):
        for space in (*libraries.spaces(owner), vars(owner)):
            for name, value in space.items():
                space[name] = _cleared(value)
    elif isinstance(owner, (type, ModuleType)):
        for name, value in list(vars(owner).items()):
            if holds_traced(value):
                setattr(owner, name, _cleared(value))


def _cleared(value: Any) -> Any:
    """The plain value; a list or dictionary stays the same object."""
    if not holds_traced(value):
        return value
    if type(value) not in (list, dict):
        return raw(value)
    _clear(value)
    return value
