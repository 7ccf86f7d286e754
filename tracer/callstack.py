"""Which call of the user's functions each operation belongs to, as it is recorded.

The stack keeps the frames of user code that are active, so that an operation of the same frame as the one before
costs one comparison; else the way out from its frame is walked to the nearest frame that is known.  Frames of
libraries are passed over, all but those in which a *part* is called: a module of PyTorch's, be it the user's or the
library's own.  What comprehensions do belongs to the function around them.  A generator is resumed
from different places: each stretch of its work that no other code interrupts is a call of its own, made where it was
asked for the next value.  Frames that are left are let go of with the next operation recorded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from inspect import CO_GENERATOR, CO_OPTIMIZED
from types import CodeType, FrameType
from typing import Any, Protocol, TypeVar

LATE = "__nst_late__"
"""The parameter by which a lambda that `rewrite` made is known: it is no function of the user's."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a library keeps of the user's model as an object that is called: a module of PyTorch's."""

    path: str
    """How the user reaches it (`self.encoder.layers[0].linear1`); empty where that is not known."""
    kind: str
    """What it is, in short: `Linear(8, 16)`."""
    code: CodeType
    """Of its method that runs when it is called."""


@dataclass(slots=True, eq=False)
class Call:
    """One call of a function of the user's, or of a part of the model; the traced function's own is none."""

    parent: Call | None
    """The call that made it; None where the traced function did."""
    code: CodeType
    """The function that was called."""
    caller: CodeType | None
    """The code in which the call stands; None where that is not the user's."""
    lasti: int
    """The caller's instruction, as the frame had it (`instructions`)."""
    part: Part | None = None
    """What was called, where that is no function."""
    depth: int = field(init=False)
    """How many calls lead here, this one among them."""

    def __post_init__(self) -> None:
        self.depth = 1 if self.parent is None else self.parent.depth + 1


class _Nested(Protocol):
    @property
    def parent(self) -> Any: ...
    @property
    def depth(self) -> int: ...


_N = TypeVar("_N", bound=_Nested)


def common(a: _N | None, b: _N | None) -> _N | None:
    """The innermost call (or whatever else is nested) that two are in, or are themselves."""
    while a is not b:
        if a is None or b is None:
            return None
        if a.depth >= b.depth:
            a = a.parent
        else:
            b = b.parent
    return a


def from_one_place(a: Call | None, b: Call | None) -> bool:
    """Whether two calls were made by the same expressions, all the way in from the traced function."""
    while a is not b:
        if (
            a is None
            or b is None
            or a.depth != b.depth
            or a.code is not b.code
            or a.caller is not b.caller
            or a.lasti != b.lasti
        ):
            return False
        a, b = a.parent, b.parent
    return True


@dataclass(slots=True, eq=False)
class _Active:
    """A frame's code, and the call that it is part of."""

    code: CodeType
    call: Call | None
    of_library: bool = False
    """Whether a part is called there, by code of the library's."""


class CallStack:
    """The user's frames that are active, innermost last.

    `frame` is the frame of the last operation, with its code and its call.  Where that is a generator's, it is the
    floor: the same frame may have been resumed from elsewhere.  `made` are all calls that were seen.
    """

    __slots__ = ("call", "code", "frame", "made", "_active", "_floor", "_part_of", "_root", "_user_files")

    def __init__(
        self,
        user_files: AbstractSet[str],
        root: CodeType | None,
        floor: FrameType | None,
        part_of: Callable[[FrameType, CodeType], Part | None] | None = None,
    ) -> None:
        self.frame = floor
        self.code: CodeType | None = None
        self.call: Call | None = None
        self.made: list[Call] = []
        self._active: dict[FrameType, _Active] = {}
        self._floor = floor
        self._root = root
        self._part_of = part_of
        """The part that is called in a frame of a library's, if one is."""
        self._user_files = user_files

    def calling(self, frame: Any, code: CodeType | None) -> Call | None:
        """The call that a frame is part of; `code` is the frame's where that is known to be the user's."""
        entered: list[tuple[FrameType, CodeType, _Active | None, Part | None]] = []
        # What is no frame stands for the place of a loop that asks for the next item (`recorder.stopped_at`).
        at: FrameType | None = frame if frame is None or type(frame) is FrameType else sys._getframe(1)
        active = self._active
        while at is not None and at is not self._floor:
            known = active.get(at)
            if known is not None and not known.code.co_flags & CO_GENERATOR:
                break
            # A frame is asked for its code once: where user code is confined, that is audited.
            its = known.code if known is not None else code if code is not None and at is frame else at.f_code
            if its.co_filename in self._user_files:
                entered.append((at, its, known, None))
            elif self._part_of is not None and (part := self._part_of(at, its)) is not None:
                entered.append((at, its, known, part))
            at = at.f_back
        if at is None:
            entered.clear()  # it is beyond the floor, or in another thread
        while active and next(reversed(active)) is not at:
            active.popitem()
        innermost, around = (at, active[at]) if at is not None and active else (None, None)
        for inner, its, known, called in reversed(entered):
            if called is None:
                around = _Active(its, self._entered(its, known, innermost, around))
            elif around is None or innermost is None:
                continue  # it is what is traced
            else:
                around = _Active(its, self._called(called, innermost, around), of_library=True)
            active[inner] = around
            innermost = inner
        if around is None or around.of_library or around.code.co_flags & CO_GENERATOR:
            self.frame, self.code = self._floor, None
        else:
            self.frame, self.code = innermost, around.code
        self.call = around.call if around is not None else None
        return self.call

    def _entered(
        self, code: CodeType, known: _Active | None, caller: FrameType | None, around: _Active | None
    ) -> Call | None:
        """The call that a frame is part of which `caller` has called."""
        if around is None or caller is None:
            return None if self._root is None or code is self._root else self._made(Call(None, code, None, 0))
        if _is_transparent(code) or (around.of_library and around.call is not None and around.call.code is code):
            return around.call
        if around.of_library:
            return self._made(Call(around.call, code, None, 0))
        lasti = caller.f_lasti
        same = known.call if known is not None else None
        if same is not None and (same.parent, same.caller, same.lasti) == (around.call, around.code, lasti):
            return same
        return self._made(Call(around.call, code, around.code, lasti))

    def _called(self, part: Part, caller: FrameType, around: _Active) -> Call:
        """The call of a part, in which the code of its method then runs."""
        if around.of_library:
            return self._made(Call(around.call, part.code, None, 0, part))
        return self._made(Call(around.call, part.code, around.code, caller.f_lasti, part))

    def _made(self, call: Call) -> Call:
        self.made.append(call)
        return call


def _is_transparent(code: CodeType) -> bool:
    """Whether code is part of the function around it: a comprehension, a class's body, what `rewrite` made."""
    if code.co_name == "<lambda>":
        return LATE in code.co_varnames
    return code.co_name.startswith("<") or not code.co_flags & CO_OPTIMIZED
