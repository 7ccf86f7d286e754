"""Hidden inputs: what a function reaches without being given it, and where each came from.

Scalars, strings and arrays carry their origin.  Containers and objects are remembered with the place where they
were read (`Recorder.hold`), so that what is read from them later is known to be hidden, too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from types import BuiltinFunctionType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from . import libraries
from .attributes import attribute, shape_of
from .effects import is_workspace
from .environment import is_environment
from .events import Cached, Origin, Origins, Site, Source
from .instructions import instruction
from .libraries import HOOKS
from .passages import Passage
from .recorder import CURRENT, Holder, Recorder, site
from .traced import TracedArray, TracedRange, TracedScalar, TracedText, lift_constant, origins_of

PASSED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, np.ufunc, Passage)
"""What is no input: code, and names of code."""
_SCALARS = (bool, int, float, complex, str, np.generic)
_ALWAYS_NAMED = frozenset({HOOKS, "returned"})
"""What code that only returns a literal names, once it is rewritten."""
_CARRYING = (TracedArray, TracedScalar, TracedText, TracedRange)


def hidden(recorder: Recorder, value: Any, label: str, at: Site, *, holder: Any = None, quiet: bool = False) -> Any:
    """A value that the function reaches without being given it, with that origin.

    `label` is how the user reaches it (`settings['eps']`), `holder` the object it was read from, `quiet`
    tells that it is written as a constant.
    """
    if type(value) in _CARRYING:
        return _read_again(value, label, at, holder, quiet)
    known = recorder.holder(value)
    if known is not None and known.argument:
        return value
    source = Source(Origin.HIDDEN, label, at, holder, value, quiet=quiet)
    if libraries.is_array(value):
        given = recorder.library.known(recorder, value, at.at) if recorder.library is not None else None
        if given is not None:
            return TracedArray(*given)
        mine, node = recorder.capture(value, source, at.at)
        return TracedArray(mine, node)
    if isinstance(value, _SCALARS) or libraries.is_object(value):
        return lift_constant(value, frozenset({source}))
    if value is None or callable(value):
        recorder.recent.append((at.at.code, value, source))
        del recorder.recent[:-4]
    if value is not None:
        recorder.hold(value, label, quiet=quiet, at=at)
        if recorder.library is not None:
            recorder.library.hold(recorder, value, label, None, source)
    return value


def read(
    recorder: Recorder, value: Any, label: str, frame: FrameType, *, holder: Any = None, quiet: bool = False
) -> Any:
    """`hidden` for a read in user code (`frame`); one that is done again and again is looked into once."""
    place = (id(frame.f_code), instruction(frame).lasti, label)
    known = recorder.reads.get(place)
    if known is not None and known[0] is value:
        if known[2] is not None and type(known[1]) is TracedArray:
            recorder.emit(known[2])
        return known[1]
    before = len(recorder.events)
    given = hidden(recorder, value, label, site(frame), holder=holder, quiet=quiet)
    if given is not value and type(value) not in _CARRYING:
        told = recorder.events[-1] if len(recorder.events) > before else None  # none of a module's parameter
        recorder.reads[place] = (value, given, told)
    return given


def _read_again(value: Any, label: str, at: Site, holder: Any, quiet: bool) -> Any:
    """A hidden number that the trace stored and now reads: its newest read is where it comes from."""
    hidden_only = all(isinstance(o, Source) and o.origin is Origin.HIDDEN for o in value.origins)
    if type(value) is not TracedScalar or value.node is not None or not hidden_only:
        return value
    source = Source(Origin.HIDDEN, label, at, holder, value.value, quiet=quiet)
    return TracedScalar(value.value, None, frozenset({source}))


def from_outside(recorder: Recorder, value: Any, source: Source) -> Any:
    """What a random draw or the environment gave, with that origin; objects pass it on to what is read from them."""
    if libraries.is_array(value):
        assert source.site is not None
        mine, node = recorder.capture(value, source, source.site.at)
        return TracedArray(mine, node)
    if type(value) in (list, tuple):
        return type(value)(from_outside(recorder, v, source) for v in value)
    lifted = lift_constant(value, frozenset({source}))
    if lifted is value and value is not None and not isinstance(value, (np.random.Generator, PASSED)):
        recorder.holders[id(value)] = Holder(value, source.label, False, source=source)
    return lifted


def _surrounding(recorder: Recorder, module: ModuleType, label: str, value: Any, frame: FrameType) -> Any:
    """An attribute that tells of the process; a container stays itself, and what is read from it is known to be so."""
    source = Source(Origin.ENVIRONMENT, f"{module.__name__}.{label}", site(frame), None, value, quiet=True)
    lifted = lift_constant(value, frozenset({source}))
    if lifted is value:
        recorder.holders[id(value)] = Holder(value, source.label, False, source=source)
    return lifted


def elements(recorder: Recorder, container: Any) -> Iterator[Any]:
    """The items of a container, each with its origin where the container is a hidden input."""
    holder = recorder.holder(container)
    if holder is not None and holder.source is not None and isinstance(container, (list, tuple)):
        for value in container:
            yield from_outside(recorder, value, holder.source)
        return
    if holder is None or holder.argument or holder.at is None or not isinstance(container, (list, tuple)):
        yield from container
        return
    for i, value in enumerate(container):
        yield hidden(recorder, value, f"{holder.label}[{i}]", holder.at, holder=container, quiet=holder.quiet)


def entries(recorder: Recorder, mapping: dict[Any, Any], at: Site) -> dict[Any, Any]:
    """A hidden dictionary with the origin of each value; another as it is."""
    holder = recorder.holder(mapping)
    if holder is None or holder.argument:
        return mapping
    return {
        k: hidden(recorder, v, f"{holder.label}[{k!r}]", at, holder=mapping, quiet=holder.quiet)
        for k, v in mapping.items()
    }


def opened(value: Any) -> Any:
    """A hidden list or tuple as a list of items with their origins; all else as it is."""
    recorder = CURRENT.get()
    if recorder is None or type(value) not in (list, tuple):
        return value
    holder = recorder.holder(value)
    return value if holder is None or holder.argument else list(elements(recorder, value))


def member_of(owner: Any, label: str, frame: FrameType) -> Any:
    """An attribute of anything, as `attr` and `getattr` give it."""
    recorder = CURRENT.get()
    if recorder is None:
        return getattr(owner, label)
    if type(owner) in (TracedArray, TracedScalar):
        return shape_of(owner, frame) if label == "shape" else attribute(owner, label, frame, explicit=True)
    if recorder.library is not None and libraries.of(owner) is not None:
        known = recorder.library.known(recorder, owner, site(frame).at)
        if known is not None:  # a parameter, as `parameters()` gives it
            return member_of(TracedArray(*known), label, frame)
    kept = getattr(type(owner), label, None)
    if isinstance(kept, cached_property) and recorder.holder(owner) is not None and label not in vars(owner):
        recorder.emit(Cached(site(frame), label))
        return kept.func(owner)  # computed anew, and not stored: a traced value must not outlive the trace
    value = getattr(owner, label)
    if isinstance(kept, property) and type(value) in _CARRYING:
        return value  # it knows where it came from: what the property reads is told there
    return member(recorder, owner, label, value, frame)


def member(recorder: Recorder, owner: Any, label: str, value: Any, frame: FrameType) -> Any:
    """An attribute's value, given an origin if its owner was there before the trace."""
    if isinstance(value, PASSED) or (isinstance(value, Enum) and isinstance(owner, type)) or _is_literal(owner, label):
        return value
    quiet = is_constant_name(label)
    if isinstance(owner, (ModuleType, type, FunctionType)):
        if isinstance(owner, ModuleType) and is_environment(owner.__name__, label):
            return _surrounding(recorder, owner, label, value, frame)
        module = owner if isinstance(owner, ModuleType) else sys.modules.get(owner.__module__)
        if not is_workspace(module) or label.startswith("__"):
            return value
        return read(recorder, value, f"{owner.__name__.split('.')[-1]}.{label}", frame, quiet=quiet)
    holder = recorder.holder(owner)
    if holder is None:
        return value
    if holder.source is not None:
        return from_outside(recorder, value, holder.source)
    quiet |= holder.quiet
    return read(recorder, value, f"{holder.label}.{label}", frame, holder=owner, quiet=quiet)


def _is_literal(owner: Any, label: str) -> bool:
    """Whether an attribute is a property of the user's that reads nothing: what it gives is written there."""
    kept = getattr(type(owner), label, None)
    getter = kept.fget if isinstance(kept, property) else None
    if not isinstance(getter, FunctionType) or HOOKS not in getter.__globals__:
        return False
    return not getter.__code__.co_freevars and not {*getter.__code__.co_names} - _ALWAYS_NAMED


def known_origins(recorder: Recorder, value: Any, frame: FrameType) -> Origins:
    """Where any value came from, also one that cannot carry it itself."""
    carried = origins_of(value)
    if carried:
        return carried
    holder = recorder.holder(value)
    if holder is not None and holder.source is not None:
        return frozenset({holder.source})
    if holder is not None:
        kind = Origin.ARGUMENT if holder.argument else Origin.HIDDEN
        return frozenset({Source(kind, holder.label, site(frame), value, quiet=holder.quiet)})
    for code, read, source in reversed(recorder.recent):
        if read is value and code is frame.f_code:
            return frozenset({source})
    return frozenset()


def is_constant_name(label: str) -> bool:
    """Whether a name is written as a constant is (`ALL_CAPS`)."""
    return label.isupper()
