"""Runs a function on other arguments, each time in a fresh copy of the process as it was before any trace.

`Trials` forks a keeper before the first trace; the keeper never runs user code, it only forks a child for each
trial.  So no trial sees another's caches, counters or random state.  Where there is no `fork`, trials run in the
process itself, on copies of the arguments.
"""

from __future__ import annotations

import gc
import os
import pickle
import random
import select
import signal
import struct
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from . import libraries, randomness
from .callables import plain, signature_of
from .capture import build, capture
from .copies import copy_tree, settled
from .events import decisions
from .looking import differences, fingerprint
from .perturb import standing_in
from .randomness import Entropy
from .shown import shown
from .trees import Path, leaves, put


@dataclass(frozen=True, slots=True)
class Nudge:
    """Another value for a hidden input: `label` is how the user writes it, in the module `file`."""

    label: str
    file: str
    value: Any


@dataclass(frozen=True, slots=True)
class Trial:
    """Other arguments: new values for leaves of the example, and perhaps for a hidden input."""

    leaves: Mapping[Path, Any] = field(default_factory=dict)
    nudge: Nudge | None = None
    retrace: bool = False
    """Trace again instead of running plainly; the outcome is the graph's text."""
    look: bool = False
    """Look at the state around the call before and after."""
    decide: bool = False
    """Trace on these arguments instead of running plainly; the outcome is what was decided (`events.decisions`)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a trial gave: a value (or None where it cannot be sent), or the exception's type and text."""

    value: Any = None
    error: str | None = None
    message: str = ""
    shown: str = ""
    """The value or exception as text."""
    changes: tuple[str, ...] = ()
    """What of the state around the call was different after it."""
    known: bool = True
    """False where the trial was stopped, or its value cannot be sent to another process."""


UNKNOWN = Outcome(known=False)


@dataclass(frozen=True, slots=True)
class _Call:
    """What is tried: a function and its example."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    mode: str


class Trials:
    """A keeper of the state before the trace; use as a context manager."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], mode: str) -> None:
        libraries.attend(function, *(leaf for leaf, _ in leaves([list(args), kwargs])))
        randomness.begin()
        self._call = _Call(plain(function), args, kwargs, mode)
        self._keeper: int | None = None
        self._ask = self._answer = -1

    def start(self) -> Trials:
        """Fork the keeper, if that is not done yet."""
        if self._keeper is not None or not hasattr(os, "fork"):
            return self
        ask_read, self._ask = os.pipe()
        self._answer, answer_write = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self._keeper = os.fork()
        if self._keeper == 0:
            os.close(self._ask)
            os.close(self._answer)
            _keep(self._call, ask_read, answer_write)
        os.close(ask_read)
        os.close(answer_write)
        return self

    def __enter__(self) -> Trials:  # noqa: PYI034  # Self is newer than the user's Python may be
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self._keeper is not None:
            os.close(self._ask)
            os.close(self._answer)
            os.waitpid(self._keeper, 0)
            self._keeper = None

    def run(self, trials: Sequence[Trial], seconds: float, until: float) -> list[Outcome]:
        """The outcomes of trials that may share one process, in order.

        One that takes longer than `seconds`, or dies, is UNKNOWN, and those after it run in a new
        process; after the moment `until` no more are begun.
        """
        if self._keeper is None:
            return [_outcome(self._call, trial) for trial in trials if time.monotonic() < until]
        outcomes: list[Outcome] = []
        while len(outcomes) < len(trials) and time.monotonic() < until:
            try:
                _send(self._ask, pickle.dumps((trials[len(outcomes) :], seconds, until), protocol=5))
            except Exception:  # noqa: BLE001  # arguments that cannot be sent make a trial impossible, not wrong
                return [UNKNOWN] * len(trials)
            answer = _receive(self._answer)
            if answer is None:
                break
            outcomes += [pickle.loads(body) for body in pickle.loads(answer)]
        return outcomes


def in_copies(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    mode: str,
    trials: Sequence[Trial],
    seconds: float,
    until: float,
) -> list[Outcome]:
    """The outcomes of trials in copies of this process as it is now; as `Trials.run`, but without a keeper.

    There must be `fork`.
    """
    call, outcomes = _Call(plain(function), args, kwargs, mode), list[Outcome]()
    while len(outcomes) < len(trials) and time.monotonic() < until:
        outcomes += map(pickle.loads, _in_child(call, trials[len(outcomes) :], seconds, until))
    return outcomes


def _keep(call: _Call, ask: int, answer: int) -> None:
    """The keeper's life: fork a child for each request until the pipe closes.  Never returns."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.freeze()  # the children then share what is there instead of copying it when they collect
        while (request := _receive(ask)) is not None:
            _send(answer, pickle.dumps(_in_child(call, *pickle.loads(request))))
    finally:
        os._exit(0)


def _in_child(call: _Call, trials: Sequence[Trial], seconds: float, until: float) -> list[bytes]:
    """The pickled outcomes of as many trials as one child came to, the last one UNKNOWN if it was stopped."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            gc.disable()
            quiet = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(quiet, descriptor)
            for trial in trials:
                (Entropy.AGAIN if trial.retrace else Entropy.TRIAL).use()
                random.seed(0)  # a fork has seeded it by chance
                _send(write, _pickled(_outcome(call, trial)))
        finally:
            os._exit(0)
    os.close(write)
    outcomes: list[bytes] = []
    for _ in trials:
        body = _receive(read, time.monotonic() + seconds)
        outcomes.append(body if body is not None else pickle.dumps(UNKNOWN))
        if body is None or time.monotonic() > until:
            break
    os.close(read)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return outcomes


def _pickled(outcome: Outcome) -> bytes:
    try:
        return pickle.dumps(outcome, protocol=5)  # older protocols lose the byte order of some arrays
    except Exception:  # noqa: BLE001  # a result of any class may refuse
        return pickle.dumps(Outcome(shown=outcome.shown, known=False))


def _outcome(call: _Call, trial: Trial) -> Outcome:
    function = call.function
    try:
        if trial.retrace:
            own = copy_tree((list(call.args), call.kwargs))
            return Outcome(build(capture(function, tuple(own[0]), own[1], call.mode)).code)
        if trial.nudge is not None:
            _set(trial.nudge, function, call.args)
        own_args, own_kwargs = copy_tree(standing_in((list(call.args), call.kwargs)))
        args, kwargs = replaced(own_args, own_kwargs, function, trial.leaves)
        if trial.decide:
            return Outcome(decisions(capture(function, tuple(args), kwargs, call.mode).events))
        before = fingerprint(function) if trial.look else {}
        with randomness.steady():
            value = settled(function(*args, **kwargs))
            after = fingerprint(function) if trial.look else {}
        changes = differences(before, after) if trial.look else ()
        return Outcome(value, shown=shown(value), changes=changes)
    except Exception as error:  # noqa: BLE001  # what the function raises is the outcome
        return Outcome(error=type(error).__name__, message=str(error), shown=f"{type(error).__name__}: {error}")


def replaced(
    args: Any, kwargs: Any, function: Callable[..., Any], leaves: Mapping[Path, Any]
) -> tuple[Any, dict[str, Any]]:
    """Arguments with other values at some paths; defaults that were not given can be given so, too."""
    if not leaves:
        return args, kwargs
    bound = signature_of(function).bind(*args, **kwargs)
    for path, value in leaves.items():
        bound.arguments[path[0]] = put(bound.arguments.get(path[0]), path[1:], value)
    return list(bound.args), dict(bound.kwargs)


def _set(nudge: Nudge, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Give a hidden input another value, where its label says it is."""
    module = next((m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == nudge.file), None)
    owner = getattr(function, "__self__", args[0] if args and isinstance(function, FunctionType) else function)
    inner = getattr(function, "__func__", function)
    names = getattr(getattr(inner, "__code__", None), "co_freevars", ())
    for name, cell in zip(names, getattr(inner, "__closure__", None) or (), strict=False):
        if name == nudge.label:
            cell.cell_contents = nudge.value
            return
    space = vars(module) if module is not None else {}
    if nudge.label.isidentifier():
        space[nudge.label] = nudge.value
        return
    scope = {**space, "self": owner, "__value__": nudge.value}
    exec(compile(f"{nudge.label} = __value__", "<nudge>", "exec"), scope)


# ---- pipes -----------------------------------------------------------------------------------------


def _send(descriptor: int, body: bytes) -> None:
    data = struct.pack(">Q", len(body)) + body
    while data:
        data = data[os.write(descriptor, data) :]


def _receive(descriptor: int, deadline: float | None = None) -> bytes | None:
    """One message, or None at the end of the pipe or when time is up."""
    head = _read(descriptor, 8, deadline)
    return _read(descriptor, struct.unpack(">Q", head)[0], deadline) if head is not None else None


def _read(descriptor: int, count: int, deadline: float | None) -> bytes | None:
    parts = []
    while count:
        if deadline is not None and not select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
            return None
        part = os.read(descriptor, min(count, 1 << 20))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
