"""The state of one trace: its nodes, its events, and what was there before it began.

The recorder in force is a context variable, set by `recording` and by nothing else.  Hooks in rewritten
code and traced values look it up; where there is none, they do what plain Python would.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from types import CodeType, FrameType
from typing import Any

import numpy as np

from .callstack import CallStack
from .copies import copy_array, memory_of
from .events import Entered, Event, Instruction, Read, Site, Sized, Source
from .instructions import instruction
from .libraries import Library
from .nodes import Kind, Node

USER_FILES: set[str] = set()
"""File names of rewritten code: frames of these are the user's, all others are passed over."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A container or object that was there before the trace began, and how the user reaches it."""

    value: Any
    label: str
    argument: bool
    quiet: bool = False
    at: Site | None = None
    """Where it was last read."""
    source: Source | None = None
    """Where it came from, if the outside gave it; what is read from it came from there, too."""


@dataclass(slots=True)
class Recorder:
    """What one trace has gathered so far."""

    mode: str = "symbolic"
    library: Library | None = None
    """The library besides NumPy whose tensors are traced; None where the user's program has none."""
    nodes: list[Node] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    captured: dict[int, tuple[Any, Any, Any]] = field(default_factory=dict)
    """By id of the live array: the array (kept alive), the copy the trace works on, the copy in the graph."""
    _working: dict[int, Any] = field(default_factory=dict)
    _pristine: dict[int, Any] = field(default_factory=dict)
    constants: dict[tuple[int, int, int], Node] = field(default_factory=dict)
    """By id of the live array and by the place (id of the code, instruction) that reads it."""
    _memory_of: dict[Any, Node] = field(default_factory=dict)
    """By the memory (`copies.memory_of`) of one given or captured: the first input or constant in it."""
    memories_of_parameters: dict[Any, Any] = field(default_factory=dict)
    parameters: dict[int, Any] = field(default_factory=dict)
    """By id: the tensors that modules bring along, as the library's frontend keeps them."""
    given: dict[int, Any] = field(default_factory=dict)
    """By id of the array that owns the memory of an argument: the copy that the trace works on."""
    holders: dict[int, Holder] = field(default_factory=dict)
    """By id: what existed before the trace and was reached by it."""
    reads: dict[tuple[int, int, str], tuple[Any, Any, Any]] = field(default_factory=dict)
    """By place (id of the code, instruction, name) of a hidden number or array: it, its traced value, its event."""
    listed: dict[int, tuple[list[Any], Any]] = field(default_factory=dict)
    """By id: lists that `tolist` made, and the traced array that each came from."""
    memories: dict[Any, Any] = field(default_factory=dict)
    born: dict[int, frozenset[str]] = field(default_factory=dict)
    """By id of the code of functions defined during the trace: which of their free variables belong to it."""
    known: set[Node] | None = None
    """In a trace with hollow values: the nodes whose values are real (`hollow`).  None where all are."""
    sized: list[Sized] = field(default_factory=list)
    """The shapes that were read where the mode makes sizes constants."""
    reshaped: set[Node] = field(default_factory=set)
    """Arrays whose shape was changed in place."""
    absent: frozenset[str] = frozenset()
    """Parameters of the traced function that are None."""
    root: CodeType | None = None
    floor: FrameType | None = None
    """The frame that calls the traced function: those beyond it are not the user's concern."""
    stack: CallStack = field(default_factory=lambda: CallStack(USER_FILES, None, None))
    """The calls of the user's functions that are under way."""
    sites: dict[tuple[int, int], tuple[FrameType | None, int, Site]] = field(default_factory=dict)
    """By id of the code and place in it: the last site there, with the caller and where that stood."""
    returned: Instruction | None = None
    """The last `return` of the traced function."""
    target: Any = None
    """The object of the store under way."""
    decided: Any = None
    """The operand of `and`/`or` whose decision is noted and whose truth the interpreter will ask next."""
    seeded: list[Any] = field(default_factory=list)
    """Random generators that were seeded during the trace: they draw the same each time."""
    promised: set[CodeType] = field(default_factory=set)
    """The code of functions whose authors promise that they are pure."""
    questions: int = 0
    """How often the truth of a traced value was asked, muted or not."""
    muted: int = 0
    """Above zero while output is formatted: conversions then feed no graph."""
    formatted: list[tuple[CodeType, Any]] = field(default_factory=list)
    recent: list[tuple[CodeType | None, Any, Source]] = field(default_factory=list)
    """The last reads of hidden inputs that cannot carry their origin (None, functions)."""

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def cut(self, most: int) -> None:
        """Keep the first `most` nodes, and what was said of them: a trace without end would take as long to tell."""
        if len(self.nodes) > most:
            kept = set(self.nodes[:most])
            del self.nodes[most:]
            self.events = [event for event in self.events if _speaks_of(event, kept)]
            self.sized = [sized for sized in self.sized if sized.node in kept]

    # ---- hidden inputs ---------------------------------------------------------------------------

    def hold(
        self, value: Any, label: str, *, argument: bool = False, quiet: bool = False, at: Site | None = None
    ) -> None:
        """Remember a container or object as one that was there before the trace."""
        known = self.holders.get(id(value))
        if known is None:
            self.holders[id(value)] = Holder(value, label, argument, quiet, at)
        elif at is not None and known.source is None:
            self.holders[id(value)] = replace(known, at=at)

    def holder(self, value: Any) -> Holder | None:
        found = self.holders.get(id(value))
        return found if found is not None and found.value is value else None

    def capture(self, array: np.ndarray[Any, Any], source: Source | None, at: Instruction) -> tuple[Any, Node]:
        """The copy of a hidden array that the trace works on, and the constant that holds another.

        The trace may write into its copy; the graph's is as the function found the array.  Neither
        changes the live array, and two names of one array stay two names of one copy.
        """
        if id(array) not in self.captured:
            self.captured[id(array)] = (array, copy_array(array, self._working), copy_array(array, self._pristine))
        _, mine, pristine = self.captured[id(array)]
        key = (id(array), id(at.code), at.lasti)
        node = self.constants.get(key)
        if node is None:
            node = Node(
                Kind.CONSTANT, None, (pristine,), None, tuple(mine.shape), mine.dtype, None, False, at.code, at.lasti
            )
            node.base = self.sharing(pristine, node)
            if self.known is not None:
                self.known.add(node)
            self.constants[key] = node
            self.nodes.append(node)
        if source is not None:
            self.emit(Read(source, node))
        return mine, node

    def sharing(self, array: np.ndarray[Any, Any], node: Node) -> Node | None:
        """The first input or constant that lies in the memory of an array, if it is not `node`, whose array it is."""
        first = self._memory_of.setdefault(memory_of(array), node)
        return first if first is not node else None

    def enter(
        self, at: FrameType, node: Node, where: tuple[int | str, ...], origins: frozenset[Any], value: Any
    ) -> None:
        self.emit(Entered(site(at), node, where, origins, value))


def _speaks_of(event: Event, kept: set[Node]) -> bool:
    nodes = [getattr(event, "node", None), getattr(event, "target", None)]
    nodes += [origin for origin in getattr(event, "origins", ()) if isinstance(origin, Node)]
    return all(node is None or node in kept for node in nodes)


CURRENT: ContextVar[Recorder | None] = ContextVar("nst_recorder", default=None)


@contextmanager
def recording(recorder: Recorder) -> Iterator[Recorder]:
    """Record what happens inside the `with` block."""
    token = CURRENT.set(recorder)
    _UNDERWAY.append(recorder)
    try:
        yield recorder
    finally:
        _UNDERWAY.pop()
        CURRENT.reset(token)


_UNDERWAY: list[Recorder] = []
"""The traces that are on, also where they are suspended: a signal is handled in whatever context it finds."""


def underway() -> Recorder | None:
    """The innermost trace of this process, for a signal handler."""
    return _UNDERWAY[-1] if _UNDERWAY else None


def user_frame(frame: FrameType | None) -> FrameType | None:
    """The innermost frame of user code at or outside `frame`."""
    while frame is not None and frame.f_code.co_filename not in USER_FILES:
        frame = frame.f_back
    return frame


class _Stopped:
    """What is asked of a frame, as it was at one moment: a loop reads its next item at the place of its iterable."""

    __slots__ = ("f_code", "f_lasti", "f_back")

    def __init__(self, frame: FrameType) -> None:
        self.f_code = frame.f_code
        self.f_lasti = frame.f_lasti
        self.f_back = frame.f_back


def stopped_at(frame: FrameType | None) -> Any:
    """The innermost frame of user code as it stands now."""
    at = user_frame(frame)
    return _Stopped(at) if at is not None else None


def site(frame: FrameType | None) -> Site:
    """The user's place of this moment, with the calls in user code that led to it."""
    at = user_frame(frame)
    if at is None:
        return Site(Instruction(_NOWHERE, 0))
    recorder = CURRENT.get()
    if recorder is None:
        return _site(at, None)
    key, back = (id(at.f_code), at.f_lasti), at.f_back
    known = recorder.sites.get(key)
    if known is not None and known[0] is back and (back is None or known[1] == back.f_lasti):
        return known[2]  # a loop: while the caller stands where it stood, so do its callers
    found = _site(at, recorder.floor)
    recorder.sites[key] = (back, back.f_lasti if back is not None else 0, found)
    return found


def _site(at: FrameType, floor: FrameType | None) -> Site:
    callers: list[Instruction] = []
    outer = at.f_back
    while outer is not floor and outer is not None and len(callers) < 16:
        if outer.f_code.co_filename in USER_FILES:
            callers.append(instruction(outer))
        outer = outer.f_back
    return Site(instruction(at), tuple(callers))


_NOWHERE = compile("", "<no user code>", "exec")
