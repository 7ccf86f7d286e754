"""Gathers calls of a project's functions that get or return arrays, as text, a few of each function.

Arguments are told as a call begins, since the function may change them; a call counts once it has returned.  How an
object was made is remembered from the call of its `__init__`, for as long as the object lives.  A data class tells it
by its fields, but for one whose `__post_init__` changes them: that is made by what they were before.  What is
remembered of one function is bounded, and so is what is looked at.
"""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import os
import re
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

from ..recorded import RecordedCall, RecordedFunction, simplest
from .telling import Told, Untold, fields, joined, name_in, tell

_MOST_CALLS = 200
"""Calls of one function that are looked at."""
_MOST_KINDS = 20
"""Different kinds of arguments of one function that are remembered."""
_MOST_OBJECTS = 10_000
_MOST_RUNNING = 1000
"""Calls that have begun and not ended; generators aside, more mean that an end was not told."""
_MAKING = ("__init__", "__post_init__")
_NO_CALL = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@dataclass(slots=True)
class _Function:
    """A function of the project's, by its code."""

    path: str
    name: str
    looked_at: int = 0
    calls: dict[tuple[str, ...], RecordedCall] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Begun:
    arguments: str
    kinds: tuple[str, ...]
    has_array: bool


class Calls:
    """The listener of `watching.py`."""

    def __init__(self, root: Path, is_source: Callable[[str], bool]) -> None:
        self.test = ""
        """The test that is running."""
        self._root = os.path.join(os.path.realpath(root), "")
        self._is_source = is_source
        self._functions: dict[int, _Function | None] = {}
        """By the identity of the code, since a hash of all that is in it takes long; None for what nobody wants."""
        self._codes: list[CodeType] = []
        """What keeps these identities from being given to others."""
        self._running: dict[int, _Begun | Told] = {}
        """By the identity of the frame; of `__init__`, how the object is made."""
        self._made: dict[int, tuple[weakref.ref[object], Mapping[str, Any], Told]] = {}
        self._changed: set[type] = set()
        """Data classes whose `__post_init__` changes the fields, so that these do not tell how to make an object."""

    def wants(self, code: CodeType) -> bool:
        try:
            known = self._functions[id(code)]
        except KeyError:
            known = self._functions[id(code)] = self._function(code)
            self._codes.append(code)
        return known is not None and known.looked_at < _MOST_CALLS

    def called(self, frame: FrameType) -> None:
        function = self._functions[id(frame.f_code)]
        assert function is not None
        function.looked_at += function.name.rpartition(".")[2] not in _MAKING
        self._running.pop(id(frame), None)  # an earlier frame in its place, whose end nobody heard of
        if len(self._running) >= _MOST_RUNNING:
            self._running.clear()
        try:
            self._running[id(frame)] = self._begun(frame, function)
        except Untold:
            return

    def returned(self, frame: FrameType, value: Any) -> None:
        begun = self._running.pop(id(frame), None)
        function = self._functions[id(frame.f_code)]
        if function is not None and function.name.endswith(".__post_init__"):
            self._post_inited(frame, begun)
        elif isinstance(begun, Told):
            self._remember(frame, begun)
        elif begun is not None and function is not None and (begun.has_array or _is_array(value)):
            call = RecordedCall(begun.arguments, begun.kinds, self.test)
            known = function.calls.get(call.kinds)
            if known is not None or len(function.calls) < _MOST_KINDS:
                function.calls[call.kinds] = simplest([known, call]) if known else call

    def raised(self, frame: FrameType) -> None:
        self._running.pop(id(frame), None)

    def recorded(self) -> Iterator[RecordedFunction]:
        """What was seen, by file and function."""
        for function in self._functions.values():
            if function is not None and function.calls:
                yield RecordedFunction(function.path, function.name, tuple(function.calls.values()))

    # ---- functions ---------------------------------------------------------------------------------

    def _function(self, code: CodeType) -> _Function | None:
        """A function that an example can be written for, or what makes objects of a class; None for all others."""
        *_, last = code.co_qualname.split(".")
        special = last.startswith("__") and last not in (*_MAKING, "__call__")
        if special or "<" in code.co_qualname or code.co_flags & _NO_CALL or not code.co_filename.endswith(".py"):
            return None
        path = os.path.realpath(code.co_filename)
        if not path.startswith(self._root) or not self._is_source(path):
            return None
        return _Function(Path(path[len(self._root) :]).as_posix(), code.co_qualname)

    def _begun(self, frame: FrameType, function: _Function) -> _Begun | Told:
        if function.name.endswith(".__post_init__"):
            return self._as_given(frame)
        parts = self._arguments(frame, function)
        if function.name.endswith(".__init__"):
            kind = type(frame.f_locals[frame.f_code.co_varnames[0]])
            if _method(kind, "__init__") is not frame.f_code:  # called for a class that derives from this one
                raise Untold
            made = joined(parts, f"{name_in(kind, frame.f_globals)}(", ")", kind.__name__)
            return replace(made, local=True)
        text = joined(parts, "", "", "")
        return _Begun(_numbered(text.text), tuple(part.kind for _, part in parts), text.has_array)

    def _arguments(self, frame: FrameType, function: _Function) -> list[tuple[str, Told]]:
        """The arguments as an example has them: the object first, and no default that was left alone."""
        code, values = frame.f_code, frame.f_locals
        positional = list(code.co_varnames[: code.co_argcount])
        named = list(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
        rest = list(code.co_varnames[code.co_argcount + code.co_kwonlyargcount :])
        holder = _holder(frame, function.name)
        if positional and (isinstance(holder, classmethod) or function.name.endswith(".__init__")):
            positional = positional[1:]
        defaults = _defaults(holder, code)
        starred = values[rest.pop(0)] if code.co_flags & inspect.CO_VARARGS else ()
        more = values[rest.pop(0)] if code.co_flags & inspect.CO_VARKEYWORDS else {}
        while positional and not starred and defaults.get(positional[-1], _NOTHING) is values[positional[-1]]:
            positional.pop()
        given = [("", values[name]) for name in positional] + [("", value) for value in starred]
        given += [(f"{name}=", values[name]) for name in named if defaults.get(name, _NOTHING) is not values[name]]
        given += [(f"{name}=", value) for name, value in more.items()]
        return [(before, tell(value, frame.f_globals, self._how_made)) for before, value in given]

    # ---- objects -----------------------------------------------------------------------------------

    def _as_given(self, frame: FrameType) -> Told:
        """How an object of a data class is made, as its `__post_init__` begins."""
        code = frame.f_code
        parameters = [frame.f_locals[name] for name in code.co_varnames[: code.co_argcount]]
        kind = type(parameters[0])
        told = fields(parameters[0], frame.f_globals, self._how_made)
        extra = zip(_init_only(kind), parameters[1:], strict=False)
        parts = [
            (f"{name}=", tell(value, frame.f_globals, self._how_made))
            for name, value in extra
            if vars(kind).get(name, _NOTHING) is not value
        ]
        if not parts:
            return told
        start = told.text.removesuffix(")")
        return replace(joined(parts, start if start.endswith("(") else f"{start}, ", ")", told.kind), local=True)

    def _post_inited(self, frame: FrameType, begun: _Begun | Told | None) -> None:
        made = frame.f_locals[frame.f_code.co_varnames[0]]
        kind = type(made)
        if _method(kind, "__post_init__") is not frame.f_code:  # called by that of a class that derives from this one
            return
        try:
            same = begun == fields(made, frame.f_globals, self._how_made) and not _init_only(kind)
        except Untold:
            same = False
        if not same:
            self._changed.add(kind)
            if isinstance(begun, Told):
                self._remember(frame, begun)

    def _remember(self, frame: FrameType, told: Told) -> None:
        made = frame.f_locals[frame.f_code.co_varnames[0]]
        if len(self._made) < _MOST_OBJECTS:
            number = id(made)
            forget = weakref.ref(made, lambda _: self._made.pop(number, None))
            self._made[number] = forget, frame.f_globals, told

    def _how_made(self, value: object, space: Mapping[str, Any]) -> Told | None:
        known = self._made.get(id(value))
        if known is None or known[0]() is not value or known[2].kind != type(value).__name__:
            if type(value) in self._changed:
                raise Untold
            return None
        _, home, told = known
        if home is space:
            return told
        name, _, arguments = told.text.partition("(")
        if name_in(type(value), space) != name or "(" in arguments:  # its arguments may use names of its own module
            raise Untold
        return told


def _numbered(text: str) -> str:
    """The text with another seed for each array that is drawn: equal arrays would hide what tells them apart."""
    seeds = itertools.count()
    return re.sub(r"default_rng\(0\)", lambda _: f"default_rng({next(seeds)})", text)


_NOTHING = object()


def _init_only(kind: type) -> list[str]:
    """The arguments of a data class that are no fields (`InitVar`), as `__post_init__` gets them."""
    code = _method(kind, "__init__")
    if code is None or not dataclasses.is_dataclass(kind):
        return []
    known = {one.name for one in dataclasses.fields(kind)}
    return [name for name in code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount] if name not in known]


def _method(kind: type, name: str) -> CodeType | None:
    """The code of the method by which objects of a class are made."""
    found = next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)
    return found.__code__ if isinstance(found, FunctionType) else None


def _is_array(value: Any) -> bool:
    """Whether a result is an array or tensor, or a tuple or list with one."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    kinds = (*((numpy.ndarray,) if numpy else ()), *((torch.Tensor, torch.nn.Parameter) if torch else ()))
    return type(value) in kinds or (type(value) in (tuple, list) and any(type(item) in kinds for item in value[:8]))


def _holder(frame: FrameType, name: str) -> object:
    """What a function's qualified name leads to, as it lies in its class or module.  Raises Untold for a property."""
    found: Any = frame.f_globals
    for step in name.split("."):
        space = vars(found) if isinstance(found, type) else found if isinstance(found, dict) else {}
        if step not in space:
            raise Untold
        found = space[step]
    if not (callable(found) or isinstance(found, (classmethod, staticmethod))):
        raise Untold
    return found


def _defaults(holder: object, code: CodeType) -> dict[str, Any]:
    """The default of each parameter that has one, where the function itself is at hand."""
    inner = holder.__func__ if isinstance(holder, (classmethod, staticmethod)) else holder
    function = inspect.unwrap(inner) if callable(inner) else inner
    if not isinstance(function, FunctionType) or function.__code__ is not code:
        return {}
    positional = code.co_varnames[: code.co_argcount]
    values = function.__defaults__ or ()
    last = positional[len(positional) - len(values) :]
    return {**dict(zip(last, values, strict=True)), **(function.__kwdefaults__ or {})}
