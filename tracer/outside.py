"""Output, randomness, the clock and other state of the outside: functions whose calls a graph does not repeat."""

from __future__ import annotations

import datetime as dt
import io
import logging
import os
import pathlib
import platform
import pprint
import random
import secrets
import socket
import sys
import time
import uuid
import warnings
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from .events import Change, News, Origin, Output, Source, Stored
from .hidden import from_outside
from .hollow import Why
from .operations import apply
from .recorder import CURRENT, Recorder, site
from .standins import muted
from .telling import decide, need_contents, plain
from .traced import TracedArray, TracedScalar, raw

Function = Callable[..., Any]


def output(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """Print, log or write while tracing; the graph does not."""
    recorder = CURRENT.get()
    if recorder is None:
        return function(*args, **kwargs)
    recorder.emit(Output(site(sys._getframe(1)), spell(function)))
    return muted(recorder, function, args, kwargs)


def draw(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """A random draw."""
    frame = sys._getframe(1)
    if getattr(function, "__name__", "") == "shuffle" and args:
        return _shuffle(function, args[0], frame)
    return _frozen(Origin.RANDOM, function, args, kwargs, frame)


def environment(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """A reading of the clock, a file, the process or its environment."""
    return _frozen(Origin.ENVIRONMENT, function, args, kwargs, sys._getframe(1))


def environment_item(container: Any, key: Any, frame: FrameType) -> Any:
    """`os.environ[key]`, `sys.argv[key]`."""
    recorder = CURRENT.get()
    value = container[raw(key)]
    label = f"os.environ[{raw(key)!r}]" if container is os.environ else f"sys.argv[{raw(key)!r}]"
    source = Source(Origin.ENVIRONMENT, label, site(frame), None, value, quiet=True)
    return value if recorder is None else from_outside(recorder, value, source)


def _frozen(origin: Origin, function: Function, args: Any, kwargs: Any, frame: FrameType) -> Any:
    """A value that the outside gave: it is constant in the graph, and knows where it came from.

    It is steady (`Source.quiet`) where a second trace would get the same: from a generator that was
    seeded within the trace or is an argument, or from what does not change by itself.
    """
    recorder = CURRENT.get()
    if recorder is None:
        return function(*args, **kwargs)
    steady = _is_steady(recorder, origin, function)
    result = function(*plain(args, frame), **plain(kwargs, frame))
    if isinstance(result, _GENERATORS) and (args or kwargs):
        recorder.seeded.append(result)
    elif getattr(function, "__name__", "") == "seed":
        recorder.seeded.append(_global_of(function))
        set_ = Stored(site(frame), _global_of(function), RANDOM_STATE, Change.METHOD, "seed", False, None)
        set_.news.append(News("its state", "seeded anew"))
        recorder.emit(set_)
    source = Source(origin, f"{spell(function)}()", site(frame), None, result, quiet=steady)
    return from_outside(recorder, result, source)


def _is_steady(recorder: Recorder, origin: Origin, function: Function) -> bool:
    if origin is Origin.RANDOM:
        generator = _global_of(function)
        holder = recorder.holder(generator)
        given = holder is not None and holder.argument
        return given or any(seeded is generator for seeded in recorder.seeded)
    owner = getattr(function, "__self__", None)
    return function in _STEADY or isinstance(owner, (io.IOBase, pathlib.Path)) or owner is os.environ


def _global_of(function: Function) -> Any:
    """The generator that a draw comes from: its own object, or the module's."""
    owner = getattr(function, "__self__", None)
    return owner if isinstance(owner, _GENERATORS) else random if owner is None else owner


_GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)


def _shuffle(function: Function, target: Any, frame: FrameType) -> None:
    """A shuffle in place: the graph copies, or has, the order that was drawn."""
    recorder = CURRENT.get()
    if recorder is None or type(target) is not TracedArray:
        function(target)
        source = Source(Origin.RANDOM, f"{spell(function)}()", site(frame))
        decide(TracedScalar(True, None, frozenset({source})), frame)
        return
    need_contents(recorder, target, Why.VALUE, frame)
    shuffled = target.value.copy()
    function(shuffled)
    source = Source(Origin.RANDOM, f"{spell(function)}()", site(frame), None, shuffled)
    apply(np.copyto, (target, from_outside(recorder, shuffled, source)), None, frame)


def spell(function: Any) -> str:
    """A function's dotted name, as a user would write it."""
    module = getattr(function, "__module__", None) or type(function).__module__
    name = str(getattr(function, "__qualname__", None) or getattr(function, "__name__", type(function).__name__))
    return name if module == "builtins" else f"{module}.{name}"


def method_of(owner: Any, name: str) -> Function | None:
    """What stands in for a method of an object of the outside, if `owner` is one."""
    if isinstance(owner, (np.random.Generator, np.random.RandomState, random.Random)):
        return draw
    if isinstance(owner, io.IOBase) or owner is sys.stdout or owner is sys.stderr:
        return output if name in ("write", "writelines", "print") else environment
    if isinstance(owner, (logging.Logger, logging.LoggerAdapter)):
        return output
    if owner is os.environ:
        return environment
    if isinstance(owner, pathlib.Path):
        return environment if name in _PATH_READS else output if name.startswith("write") else None
    if isinstance(owner, type) and issubclass(owner, dt.date) and name in ("now", "today", "utcnow"):
        return environment
    return None


_PATH_READS = frozenset({"read_text", "read_bytes", "exists", "is_file", "is_dir", "stat", "iterdir", "glob", "open"})


def _all(module: ModuleType, *names: str) -> list[Any]:
    return [getattr(module, n) for n in names if hasattr(module, n)]


_CLOCK = _all(
    time, "time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time",
    "process_time_ns", "thread_time", "ctime", "localtime", "gmtime", "asctime", "strftime",
)  # fmt: skip
_PROCESS = [os.getenv, os.getpid, os.getcwd, os.urandom, os.listdir, os.cpu_count, os.stat, input, open]
_USER = _all(os, "getppid", "getuid", "geteuid", "getgid", "getlogin", "uname", "sched_getaffinity")
_USER += _all(sys, "getrecursionlimit", "getdefaultencoding", "getfilesystemencoding", "getswitchinterval")
_FILES: list[Any] = [os.path.exists, os.path.getsize, os.path.getmtime, os.path.isfile, os.path.isdir]
_FILES += [os.path.expanduser, os.access]
_FILES += [np.load, np.loadtxt, np.genfromtxt, np.fromfile, np.memmap, np.fromregex, np.rec.fromfile]
_NAMES = _all(platform, "node", "system", "machine", "platform", "python_version", "processor", "release", "version")
_UNIQUE = [uuid.uuid1, uuid.uuid4, socket.gethostname]
_UNIQUE += _all(secrets, "token_bytes", "token_hex", "randbelow", "choice", "randbits")
_DRAWS = [getattr(random, n) for n in random.__all__ if n[0].islower() and n not in ("getstate", "setstate")]
_LOGGING = _all(logging, "debug", "info", "warning", "error", "critical", "exception", "log")
_WRITES = [print, warnings.warn, pprint.pprint, pprint.pp, np.save, np.savetxt, np.savez, np.savez_compressed]

_STEADY = frozenset(
    {os.getenv, os.getcwd, os.cpu_count, os.listdir, os.stat, open, *_USER, *_FILES, *_NAMES, socket.gethostname}
)
"""What gives the same until something else changes it."""

RANDOM_STATE = "the random state"
"""What findings call the state of a random generator."""
OUTSIDE: dict[Any, Function] = {
    **dict.fromkeys([*_CLOCK, *_PROCESS, *_USER, *_FILES, *_NAMES, *_UNIQUE], environment),
    **dict.fromkeys(_DRAWS, draw),
    **dict.fromkeys([*_WRITES, *_LOGGING], output),
}
