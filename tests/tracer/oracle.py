"""NumPy itself says what is right: a graph, replayed or printed and executed, must give a function's own bits."""

from __future__ import annotations

import copy
import dataclasses
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tracer import GuardError, Trace, load_module, trace

Function = Callable[..., Any]


def agrees(
    function: Function, *args: Any, plain: Function | None = None, others: Sequence[Sequence[Any]] = ()
) -> Trace:
    """Trace `function` on `args`, hold every way to run its graph against the function, and return the trace.

    `plain` is the function that says what is right (default: the function itself, with no trace on).
    `others` are further arguments.  For those the graph, called, is right, or raises GuardError, or a finding
    has said that it took a value for a constant.
    """
    plain = plain or function
    with np.errstate(all="ignore"):
        traced = trace(function, *copy.deepcopy(args))
        assert traced.error is None, traced.error
        printed = executed(traced)
        wanted = outcome(plain, args)
        same(outcome(traced.graph.replay, args), wanted, "replayed")
        same(outcome(traced.graph, args), wanted, "called")
        same(outcome(printed, args), wanted, f"printed and executed\n{traced.graph.code}\n")
        for other in others:
            wanted = outcome(plain, other)
            if any(finding.code.startswith("NST2") for finding in traced.findings):
                continue
            try:
                found = outcome(traced.graph, other)
            except GuardError:
                assert traced.guards, "a GuardError without guards"
                continue
            same(found, wanted, "called on other arguments")
            same(outcome(printed, other), wanted, f"printed, on other arguments\n{traced.graph.code}\n")
    return traced


def outcome(function: Function, args: Sequence[Any]) -> Any:
    """The result, and what the arguments look like afterwards: a function may write into them."""
    mine = copy.deepcopy(tuple(args))
    return function(*mine), mine


def executed(traced: Trace) -> Function:
    """The function that the printed graph defines, in a namespace of its own."""
    namespace: dict[str, Any] = {"__name__": "printed_graph"}
    exec(compile(traced.graph.code, "<graph>", "exec"), namespace)
    name = traced.graph.name
    function = namespace[name if name.isidentifier() else "graph"]
    assert callable(function)
    return function  # type: ignore[no-any-return]


def same(found: Any, wanted: Any, where: str = "result") -> None:
    """Equal in type, structure, dtype, shape, and every bit (`nan` and the sign of zero, too)."""
    assert type(found) is type(wanted), f"{where}: {type(found).__name__} instead of {type(wanted).__name__}"
    if isinstance(wanted, (np.ndarray, np.generic)):
        assert found.dtype == wanted.dtype, f"{where}: {found.dtype} instead of {wanted.dtype}"
        assert found.shape == wanted.shape, f"{where}: shape {found.shape} instead of {wanted.shape}"
        if wanted.dtype.hasobject:
            same(found.tolist(), wanted.tolist(), where)
        else:
            assert found.tobytes() == wanted.tobytes(), f"{where}: {found!r} instead of {wanted!r}"
    elif isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted), f"{where}: {len(found)} items instead of {len(wanted)}"
        for index, (mine, its) in enumerate(zip(found, wanted, strict=True)):
            same(mine, its, f"{where}[{index}]")
    elif isinstance(wanted, dict):
        assert list(found) == list(wanted), f"{where}: keys {list(found)} instead of {list(wanted)}"
        for key, its in wanted.items():
            same(found[key], its, f"{where}[{key!r}]")
    elif dataclasses.is_dataclass(wanted):
        for field in dataclasses.fields(wanted):
            same(getattr(found, field.name), getattr(wanted, field.name), f"{where}.{field.name}")
    elif isinstance(wanted, float):
        assert struct.pack("d", found) == struct.pack("d", wanted), f"{where}: {found!r} instead of {wanted!r}"
    else:
        assert found == wanted, f"{where}: {found!r} instead of {wanted!r}"


@dataclasses.dataclass(frozen=True, slots=True)
class Table:
    """Functions generated from a list: loaded as the worker loads a file, and as plain Python beside it."""

    traced: ModuleType
    plain: dict[str, Any]

    def agrees(self, name: str, *args: Any, others: Sequence[Sequence[Any]] = ()) -> Trace:
        return agrees(getattr(self.traced, name), *args, plain=self.plain[name], others=others)


def table(folder: Path, source: str) -> Table:
    """A module with this source, both ways."""
    path = folder / "generated.py"
    path.write_text(source, encoding="utf-8")
    plain: dict[str, Any] = {"__name__": "plain"}
    exec(compile(source, "<plain>", "exec"), plain)
    return Table(load_module(path), plain)
