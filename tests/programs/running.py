"""Each program twice: as the worker loads it, and as plain Python, which says what is right."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.programs.registry import Program
from tests.tracer.oracle import executed
from tracer import Trace, load_module, trace

KERNELS = Path(__file__).with_name("kernels")
Function = Callable[..., Any]


@functools.cache
def module(name: str) -> ModuleType:
    """A module of programs, rewritten."""
    return load_module(KERNELS / f"{name}.py")


@functools.cache
def _plain(name: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": name}
    exec(compile((KERNELS / f"{name}.py").read_text(encoding="utf-8"), f"<plain {name}>", "exec"), space)
    return space


def rewritten(program: Program) -> Function:
    """The function to be traced."""
    function: Function = getattr(module(program.module), program.function)
    return function


def plain(program: Program) -> Function:
    """The function as Python itself compiles it, never traced."""
    function: Function = _plain(program.module)[program.function]
    return function


@functools.cache
def traced(program: Program) -> Trace:
    """The trace of a program on its example."""
    return trace(rewritten(program), *program.at(program.size))


@functools.cache
def printed(program: Program) -> Function:
    """The function that the printed graph defines."""
    return executed(traced(program))


def cases(programs: Iterable[Program], gaps: Mapping[str, str] | None = None) -> list[Any]:
    """Parameters of a test, each going by its program's name; `gaps` are known to fail, for the reasons given."""
    return [pytest.param(p, id=p.name, marks=_known((gaps or {}).get(p.name))) for p in programs]


def _known(reason: str | None) -> list[Any]:
    return [] if reason is None else [pytest.mark.xfail(strict=True, reason=reason)]
