"""What rewritten code calls: the run-time side of `rewrite`.

With no trace on, every hook does exactly what the code it replaced would do.  While a trace is on, hooks
give hidden inputs an origin, note decisions, loops, stores and output, and hand calls to `calls`.
"""

from __future__ import annotations

import operator
import os
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from types import BuiltinFunctionType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

from . import libraries
from .attributes import INDEX_TRICKS, LOOK_UP, attribute, iterate
from .calls import callee, is_argument, method_callee
from .effects import Variable, stored
from .events import Change, Origin, Origins, Source, Stored
from .hidden import PASSED, elements, entries, from_outside, is_constant_name, known_origins, member, member_of, read
from .instructions import instruction
from .nodes import Kind
from .operations import apply
from .outside import environment_item
from .recorder import CURRENT, Recorder, site
from .standins import muted
from .telling import decide, lose, plain, unrolled
from .traced import TracedArray, TracedRange, TracedScalar, TracedShape, TracedText, holds_traced, origins_of, raw

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
    "is": lambda a, b: is_(a, b, False), "is not": lambda a, b: is_(a, b, True),
    "in": lambda a, b: contains(a, b, False), "not in": lambda a, b: contains(a, b, True),
}  # fmt: skip


_UPDATES: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.iadd, "Sub": operator.isub, "Mult": operator.imul, "Div": operator.itruediv,
    "FloorDiv": operator.ifloordiv, "Mod": operator.imod, "Pow": operator.ipow, "MatMult": operator.imatmul,
    "BitAnd": operator.iand, "BitOr": operator.ior, "BitXor": operator.ixor, "LShift": operator.ilshift,
    "RShift": operator.irshift,
}  # fmt: skip
slice = slice  # noqa: A001, PLW0127  # rewritten code reaches it here, whatever the module calls `slice`


# ---- conditions ------------------------------------------------------------------------------------


def test(value: Any, parameter: str | None = None) -> bool:  # noqa: PT028  # no test of pytest's
    """The truth of a condition; `parameter` names it where it is one."""
    return _truth(value, parameter, asserted=False)


def asserted(value: Any, parameter: str | None = None) -> bool:
    """The truth of an assert's condition."""
    return _truth(value, parameter, asserted=True)


def _truth(value: Any, parameter: str | None, *, asserted: bool) -> bool:
    if type(value) in (TracedArray, TracedScalar):
        return decide(value, sys._getframe(2), asserted=asserted)
    recorder = CURRENT.get()
    origins = _truth_origins(recorder, value, parameter, sys._getframe(2)) if recorder is not None else frozenset()
    if origins:
        return decide(TracedScalar(bool(value), None, origins), sys._getframe(2), asserted=asserted)
    return bool(value)


def _truth_origins(recorder: Recorder, value: Any, parameter: str | None, frame: FrameType) -> Origins:
    """Where the truth of a value without a node came from; that of a container argument is its structure."""
    kind = type(value)
    if kind is TracedText:
        return origins_of(value)
    if value is None:
        if parameter is not None and parameter in recorder.absent and frame.f_code is recorder.root:
            return frozenset({Source(Origin.ARGUMENT, parameter, site(frame), path=(parameter,), value=None)})
        return known_origins(recorder, value, frame)
    if kind in (list, dict, set, tuple, deque):
        holder = recorder.holder(value)
        return frozenset() if holder is None or holder.argument else known_origins(recorder, value, frame)
    return frozenset()


def operand(value: Any, parameter: str | None = None) -> Any:
    """An operand of `and`/`or`, whose truth decides and which may be the result.

    It is decided here, on its own range; the interpreter's own question is then not noted again.
    """
    recorder = CURRENT.get()
    if recorder is None:
        return value
    frame = sys._getframe(1)
    if type(value) in (TracedArray, TracedScalar):
        decide(value, frame)
        recorder.decided = value
        return value
    origins = _truth_origins(recorder, value, parameter, frame)
    if origins:
        decide(TracedScalar(bool(value), None, origins), frame)
    return value


def some(iterable: Any) -> Any:
    """`any(…)` of an assert: its truth is asked by the assert."""
    return _quantified(any, iterable, sys._getframe(1))


def every(iterable: Any) -> Any:
    """`all(…)` of an assert: its truth is asked by the assert."""
    return _quantified(all, iterable, sys._getframe(1))


def _quantified(function: Callable[..., Any], iterable: Any, frame: FrameType) -> Any:
    recorder = CURRENT.get()
    if recorder is None:
        return function(iterable)
    if type(iterable) is TracedArray:
        return apply(function, (iterable,), None, frame)
    items = list(iterable)
    origins = origins_of(items)
    outcome = function(raw(items))
    return TracedScalar(outcome, None, origins) if origins else outcome


def splat(values: Any) -> Any:
    """`**values` of a call: what is in a hidden dictionary is hidden."""
    recorder = CURRENT.get()
    if recorder is None or not isinstance(values, dict):
        return values
    return entries(recorder, values, site(sys._getframe(1)))


def chain(left: Any, right: Any, op: str, asserted: bool = False) -> _Chain:
    """The first comparison of `a < b < c`, decided."""
    result = _COMPARE[op](left, right)
    return _Chain(right, result, _decided_here(result, asserted), asserted)


class _Chain:
    """A chained comparison under way: the operand on its right so far, and whether it still holds."""

    __slots__ = ("asserted", "holds", "result", "right")

    def __init__(self, right: Any, result: Any, holds: bool, asserted: bool) -> None:
        self.right = right
        self.result = result
        self.holds = holds
        self.asserted = asserted

    def then(self, right: Any, op: str) -> _Chain:
        if self.holds:
            self._compare(right, op)
            self.holds = _decided_here(self.result, self.asserted)
        return self

    def last(self, right: Any, op: str) -> Any:
        if self.holds:
            self._compare(right, op)
        return raw(self.result) if not self.holds else self.result

    def _compare(self, right: Any, op: str) -> None:
        value = (
            right()
            if type(right) is FunctionType and right.__name__ == "<lambda>" and right.__code__.co_argcount == 0
            else right
        )
        self.result = _COMPARE[op](self.right, value)
        self.right = value


def _decided_here(result: Any, asserted: bool) -> bool:
    if type(result) not in (TracedArray, TracedScalar):
        return bool(result)
    return decide(result, sys._getframe(2), asserted=asserted)


def is_(left: Any, right: Any, negated: bool, parameter: str | None = None) -> Any:
    """`left is right`, on the values behind traced ones."""
    recorder = CURRENT.get()
    outcome = (_behind(left) is _behind(right)) is not negated
    if recorder is None:
        return outcome
    frame = sys._getframe(1)
    if any(type(v) is TracedScalar and v.node is not None and libraries.is_object(v.value) for v in (left, right)):
        return apply(operator.is_not if negated else operator.is_, (left, right), None, frame)
    origins = _identity_origins(recorder, left, right, parameter, frame)
    return TracedScalar(outcome, None, origins) if origins else outcome


def _behind(value: Any) -> Any:
    """The object whose identity counts."""
    return value.value if type(value) in (TracedArray, TracedScalar) else value


def _identity_origins(recorder: Recorder, left: Any, right: Any, parameter: str | None, frame: Any) -> frozenset[Any]:
    if parameter is not None and parameter in recorder.absent and frame.f_code is recorder.root:
        return frozenset({Source(Origin.ARGUMENT, parameter, site(frame), path=(parameter,), value=None)})
    if right is None and type(left) is TracedArray and (left.node is None or left.node.kind is not Kind.INPUT):
        return frozenset()
    if right is None and type(left) is TracedArray:
        return frozenset({Source(Origin.TYPE, "an argument's presence", site(frame), quiet=True)})
    found = frozenset().union(*(known_origins(recorder, v, frame) for v in (left, right) if v is not None or v is left))
    if type(left) is TracedArray and type(right) is TracedArray:
        return frozenset({Source(Origin.TYPE, "identity", site(frame))})
    return frozenset(o for o in found if isinstance(o, Source))


def contains(item: Any, container: Any, negated: bool, asserted: bool = False) -> Any:
    """`item in container`: decided, since what comes out is a truth value."""
    recorder = CURRENT.get()
    if recorder is None:
        return (item in container) is not negated
    frame = sys._getframe(1)
    if type(container) is TracedArray:
        found = apply(operator.contains, (container, item), None, frame)
        return decide(found, frame, asserted=asserted) is not negated
    found = muted(recorder, operator.contains, (_plain_container(container), plain(item, frame)), {})
    origins = origins_of(item)
    if type(container) in (list, tuple, set, TracedText):
        origins |= origins_of(container)
    if recorder.holder(container) is not None:
        origins |= known_origins(recorder, container, frame)
    if container is os.environ:
        origins |= {Source(Origin.ENVIRONMENT, "os.environ", site(frame), quiet=True)}
    if origins:
        return decide(TracedScalar(found, None, origins), frame, asserted=asserted) is not negated
    return found is not negated


def _plain_container(container: Any) -> Any:
    if type(container) in (list, tuple) and holds_traced(container):
        return raw(container)
    return raw(container) if isinstance(container, TracedText) else container


# ---- calls -----------------------------------------------------------------------------------------


def call(function: Any) -> Any:
    """The callee of `function(…)`: the function itself, unless it is one that a trace must see."""
    recorder = CURRENT.get()
    return function if recorder is None else callee(function, recorder)


def method(owner: Any, name: str) -> Any:
    """The callee of `owner.name(…)`."""
    recorder = CURRENT.get()
    if recorder is None:
        return getattr(owner, name)
    if type(owner) is ModuleType:
        return callee(getattr(owner, name), recorder)
    if type(owner) in (TracedArray, TracedScalar):
        return attribute(owner, name, sys._getframe(1), explicit=True)
    found = getattr(owner, name)
    if isinstance(found, (BuiltinFunctionType, MethodType)) and not isinstance(owner, ModuleType):
        return method_callee(owner, name, found, recorder)
    if type(owner) is not ModuleType:
        found = member(recorder, owner, name, found, sys._getframe(1))
    return callee(found, recorder)


def born(function: Any) -> Any:
    """A function defined during the trace: variables of the trace's own functions are no hidden inputs of it."""
    recorder = CURRENT.get()
    if recorder is not None and isinstance(function, FunctionType):
        around = sys._getframe(1).f_code
        own = {*around.co_cellvars, *recorder.born.get(id(around), frozenset())}
        recorder.born[id(function.__code__)] = frozenset(own.intersection(function.__code__.co_freevars))
    return function


# ---- reads -----------------------------------------------------------------------------------------


def name(value: Any, label: str) -> Any:
    """A global name."""
    recorder = CURRENT.get()
    if recorder is not None and type(value) is BuiltinFunctionType and type(value.__self__) in (list, dict, set, deque):
        recorder.hold(value.__self__, label)  # `remember = history.append`
    if recorder is None or isinstance(value, PASSED):
        return value
    return read(recorder, value, label, sys._getframe(1), quiet=is_constant_name(label))


def free(value: Any, label: str) -> Any:
    """A variable of an enclosing function: hidden, unless that function ran within the trace."""
    recorder = CURRENT.get()
    frame = sys._getframe(1)
    if recorder is None or isinstance(value, PASSED) or label in recorder.born.get(id(frame.f_code), ()):
        return value
    return read(recorder, value, label, frame, quiet=is_constant_name(label))


def attr(owner: Any, label: str) -> Any:
    """`owner.label`."""
    return member_of(owner, label, sys._getframe(1))


def item(container: Any, key: Any) -> Any:
    """`container[key]`."""
    recorder = CURRENT.get()
    if type(container) is TracedArray:
        return apply(operator.getitem, (container, key), None, sys._getframe(1))
    if recorder is None or type(container) is TracedScalar or type(container) is TracedShape:
        return container[key]
    if type(container) in INDEX_TRICKS:
        return apply(operator.getitem, (container, key), None, sys._getframe(1))
    if container is os.environ or container is sys.argv:
        return environment_item(container, key, sys._getframe(1))
    if isinstance(container, dict):  # a look-up compares keys, but decides nothing
        value = muted(recorder, operator.getitem, (container, plain(key, sys._getframe(1))), {})
        held = recorder.holder(container) is not None  # then the item itself is told as hidden
        told = not held or is_argument(key) or getattr(key, "node", None) is not None
        if type(key) in (TracedScalar, TracedText) and told and not holds_traced(value):
            lose(key, LOOK_UP, sys._getframe(1))
    else:
        if type(key) in (TracedScalar, TracedText) and any(libraries.spaces(container)):  # a list or dict of modules
            lose(key, "__index__", sys._getframe(1))
            key = plain(key, sys._getframe(1))
        value = container[key]
    holder = recorder.holder(container)
    if holder is None or holder.argument:
        return value
    if isinstance(value, PASSED):
        return value
    if holder.source is not None:
        return from_outside(recorder, value, holder.source)
    label = f"{holder.label}[{raw(key)!r}]"
    return read(recorder, value, label, sys._getframe(1), holder=container, quiet=holder.quiet)


def returned(value: Any) -> Any:
    """The value of a `return`; the traced function's last one is where its outputs are spoken of."""
    recorder = CURRENT.get()
    if recorder is not None:
        frame = sys._getframe(1)
        if frame.f_code is recorder.root:
            recorder.returned = instruction(frame)
    return value


# ---- iteration and text ----------------------------------------------------------------------------


def loop(iterable: Any) -> Any:
    """What a `for`, a comprehension or `*` iterates."""
    recorder = CURRENT.get()
    if recorder is None:
        return iterable
    if type(iterable) is TracedArray:
        return iterate(iterable, sys._getframe(1))
    if type(iterable) is TracedRange:
        unrolled(iterable, len(iterable.raw), sys._getframe(1))
        return iter(iterable.raw)
    if recorder.holder(iterable) is not None:
        return list(elements(recorder, iterable)) if type(iterable) in (list, tuple) else iterable
    return iterable


def unpack(value: Any) -> Any:
    """The right side of `a, b = …`."""
    recorder = CURRENT.get()
    if recorder is None or type(value) is not TracedArray:
        return loop(value) if recorder is not None and recorder.holder(value) else value
    return iterate(value, sys._getframe(1))


def text(value: str) -> str:
    """A formatted string: it remembers the traced values that were formatted into it."""
    recorder = CURRENT.get()
    if recorder is None or not recorder.formatted:
        return value
    code = sys._getframe(1).f_code
    origins: frozenset[Any] = frozenset().union(*(origins_of(v) for c, v in recorder.formatted if c is code))
    recorder.formatted = [entry for entry in recorder.formatted if entry[0] is not code]
    return TracedText.of(value, origins) if origins else value


# ---- stores ----------------------------------------------------------------------------------------


def target(owner: Any, label: str | None = None) -> Any:
    """The object of a store to an attribute (`label`) or item."""
    recorder = CURRENT.get()
    if recorder is not None:
        recorder.target = owner
        if type(owner) is not TracedArray and type(owner) is not TracedScalar:
            change = Change.ITEM if label is None else Change.ATTRIBUTE
            stored(recorder, owner, label, change, sys._getframe(1))
    return owner


def key(value: Any) -> Any:
    """The key of a store to an item: a dictionary's becomes plain, which decides nothing."""
    recorder = CURRENT.get()
    if recorder is None or type(recorder.target) is TracedArray or not isinstance(recorder.target, dict):
        return value
    last = recorder.events[-1] if recorder.events else None
    if isinstance(last, Stored) and last.holder is recorder.target and last.change is Change.ITEM:
        recorder.events[-1] = replace(last, key=raw(value))
    if type(value) is TracedScalar:
        lose(value, "__hash__", sys._getframe(1))
    return plain(value, sys._getframe(1))


def update_attr(owner: Any, label: str, op: str, value: Any) -> None:
    """`owner.label op= value`."""
    frame = sys._getframe(1)
    recorder = CURRENT.get()
    if recorder is not None and type(owner) not in (TracedArray, TracedScalar):
        stored(recorder, owner, label, Change.ATTRIBUTE, frame)
    setattr(owner, label, _UPDATES[op](member_of(owner, label, frame), value))


def update_item(container: Any, key: Any, op: str, value: Any) -> None:
    """`container[key] op= value`."""
    recorder = CURRENT.get()
    if recorder is not None and type(container) not in (TracedArray, TracedScalar):
        place = raw(key) if isinstance(container, dict) else None
        stored(recorder, container, place, Change.ITEM, sys._getframe(1))
    container[key] = _UPDATES[op](item(container, key), value)


def updating(value: Any) -> None:
    """`name op= …` is about to change `value` in place, if it is a container."""
    recorder = CURRENT.get()
    if recorder is not None and type(value) in (list, dict, set, deque, bytearray):
        stored(recorder, value, None, Change.ITEM, sys._getframe(1))


def storing_global(label: str) -> None:
    """A global name is about to be bound."""
    recorder = CURRENT.get()
    if recorder is not None:
        frame = sys._getframe(1)
        stored(recorder, Variable(frame.f_globals, label), label, Change.NAME, frame)


def storing_cell(label: str, read: Callable[[], Any]) -> None:
    """A variable of an enclosing function is about to be bound; `read` gives its value."""
    recorder = CURRENT.get()
    frame = sys._getframe(1)
    if recorder is not None and label not in recorder.born.get(id(frame.f_code), ()):
        stored(recorder, Variable(read, label), label, Change.NAME, frame)


def percent(template: str, values: Any) -> Any:
    """`"…%s" % values`: text that knows what was formatted into it."""
    recorder = CURRENT.get()
    if recorder is None or not holds_traced(values):
        return template % values
    made = muted(recorder, operator.mod, (template, raw(values)), {})
    return TracedText.of(made, origins_of(values))
