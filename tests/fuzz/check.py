"""The two properties of a program, held against the function run as plain Python.

1. Every planted fault is reported at its place with its code, and nothing else above a hint.
2. The graph, replayed or printed and executed, gives the function's bits on the example; called on other contents
   and sizes it gives them too, or refuses by a guard, which only a program with a finding has.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import io
import itertools
import logging
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from tests.marks import Report, problems, with_marks
from tracer import Trace, hooks, trace
from tracer.loader import compile_rewritten
from tracer.rewrite import HOOKS
from tracer.worker.wire import Finding

from .programs import SIZES, Program, contents
from .scopes import Leaf

Run = tuple[str, Any]
"""What a call came to: its result as plain data, arguments afterwards included, or the exception's name."""

_UNSTEADY = frozenset({"NST206", "NST207"})
_BAKED = frozenset({"NST201", "NST203"})
"""After which the graph is right on the example only, by what was reported."""
_OTHER_SIZES = ({"n": 4, "m": 3}, {"n": 2, "m": 2}, {"n": 6, "m": 2})


def wrong_with(program: Program, folder: Path) -> list[str]:
    """What does not hold for a program, in words; empty where all does."""
    with _quietly():
        try:
            return list(_problems(program, folder))
        except Exception as error:
            return [f"crashed: {type(error).__name__}: {error} ({_last_place(error)})"]


def _last_place(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}, {last.name}"


def _problems(program: Program, folder: Path) -> Iterator[str]:
    module = _rewritten(program, str(folder / "program.py"))
    wanted = _run_plainly(program, _example(program.leaves))
    if wanted[0] != "result":
        yield f"the generator: the function itself raises {wanted[1]}"
        return
    args, kwargs = _arguments(program, vars(module), _example(program.leaves))
    traced = trace(_target(program, vars(module)), *args, **kwargs)
    if traced.error is not None:
        yield f"the traced run raised {type(traced.error).__name__}: {traced.error}"
    narrow = "float32" in program.text  # then widening is reported, rightly, wherever it happens
    reports = [_report(f) for f in traced.findings if not (narrow and f.code == "NST211")]
    yield from problems(program.expected, reports, lambda: False)
    if traced.error is not None:
        return
    codes = {code for mark in program.expected for code in mark.codes}
    if not codes & _UNSTEADY:
        # One difference tells enough; the others are mostly the same fault.
        yield from itertools.islice(_differences(program, traced, vars(module), wanted), 1)


def _differences(program: Program, traced: Trace, space: dict[str, Any], wanted: Run) -> Iterator[str]:
    printed = _executed(traced)
    output = _flat(traced.output)
    if output != wanted[1][0]:
        yield f"the traced run's output differs: {_told(output, wanted[1][0])}"
    yield from _compared("the graph, replayed on the example", _run(traced.graph.replay, program, space), wanted)
    yield from _compared("the graph, called on the example", _run(traced.graph, program, space), wanted)
    yield from _compared("the printed graph on the example", _run(printed, program, space), wanted)
    baked = any(mark.codes & _BAKED for mark in program.expected)
    for label, variant in _variants(program.leaves) if not baked else ():
        expected = _run_plainly(program, variant)
        if expected[0] == "raised":
            continue
        got = _run(traced.graph, program, space, variant)
        if got[0] == "raised" and got[1].startswith("GuardError"):
            if not program.expected and not traced.findings:
                yield f"{label}: nothing was reported, and yet {got[1]}"
            continue
        yield from _compared(f"the graph, {label}", got, expected)
        yield from _compared(f"the printed graph, {label}", _run(printed, program, space, variant), expected)


def _compared(what: str, got: Run, wanted: Run) -> Iterator[str]:
    if got[0] != wanted[0]:
        yield f"{what}: {got[0]} {got[1]}"
    elif got != wanted:
        where = 0 if got[1][0] != wanted[1][0] else 1
        yield f"{what}: {'result' if where == 0 else 'arguments afterwards'} {_told(got[1][where], wanted[1][where])}"


def _told(got: Any, wanted: Any) -> str:
    return f"{_readable(got)[:300]} instead of {_readable(wanted)[:300]}"


def _readable(flat: Any) -> str:
    if isinstance(flat, list):
        return f"[{', '.join(map(_readable, flat))}]"
    if isinstance(flat, tuple) and len(flat) == 4:
        kind, dtype, shape, data = flat
        numbers = np.frombuffer(data, dtype).reshape(shape)
        return f"{dtype} {numbers.tolist()}" if kind == "ndarray" else f"{dtype} {numbers} ({kind})"
    return f"{flat[0]} {_readable(flat[1])}" if isinstance(flat, tuple) else str(flat)


# ---- running ---------------------------------------------------------------------------------------


def _target(program: Program, space: dict[str, Any]) -> Callable[..., Any]:
    """The function to trace, in a module's namespace."""
    first, *attributes = program.target.split(".")
    function: Callable[..., Any] = functools.reduce(getattr, attributes, space[first])
    return function


def _run_plainly(program: Program, arrays: list[Any]) -> Run:
    """Call the function as Python itself runs it, in a module that no earlier call has changed."""
    space: dict[str, Any] = {"__name__": "program"}
    exec(_compiled(program.text), space)
    return _run(_target(program, space), program, space, arrays)


@functools.lru_cache(maxsize=1)
def _compiled(text: str) -> CodeType:
    return compile(text, "<plain>", "exec")


def _rewritten(program: Program, path: str) -> ModuleType:
    """The module as the worker loads it; `load_module` itself looks at every module there is, which takes longer."""
    module = ModuleType("program")
    module.__file__ = path
    vars(module)[HOOKS] = hooks
    sys.modules["program"] = module
    exec(compile_rewritten(program.text, path), vars(module))
    return module


def _executed(traced: Trace) -> Callable[..., Any]:
    space: dict[str, Any] = {"__name__": "printed"}
    exec(compile(traced.graph.code, "<graph>", "exec"), space)
    function: Callable[..., Any] = space[traced.graph.name]
    return function


def _run(function: Callable[..., Any], program: Program, space: dict[str, Any], arrays: list[Any] | None = None) -> Run:
    """Call a function on the example's arrays, or on others of the same structure."""
    leaves = copy.deepcopy(arrays) if arrays is not None else _example(program.leaves)
    args, kwargs = _arguments(program, space, leaves)
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        return "raised", f"{type(error).__name__}: {error}"
    return "result", (_flat(result), [_flat(leaf) for leaf in leaves])


def _example(leaves: tuple[Leaf, ...]) -> list[Any]:
    return [contents(leaf, SIZES, i) for i, leaf in enumerate(leaves)]


def _arguments(program: Program, space: dict[str, Any], leaves: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments, in their module's own classes, with these arrays in them."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    left = iter(leaves)
    for argument in program.arguments:
        names = {f"_{i}": next(left) for i in range(len(argument.leaves))}
        value = eval(argument.text.format(*names), {**space, **names})
        if argument.keyword:
            kwargs[argument.parameter] = value
        else:
            args.append(value)
    return args, kwargs


def _variants(leaves: tuple[Leaf, ...]) -> Iterator[tuple[str, list[Any]]]:
    """Other arrays: contents, sizes, dtypes, and one array given twice."""
    for seed in (100, 200):
        yield (
            "other contents",
            [np.asarray(contents(a, SIZES, seed + i) * np.array(2, a.dtype)) for i, a in enumerate(leaves)],
        )
    for sizes in _OTHER_SIZES:
        yield f"other sizes {sizes}", [contents(a, sizes, 300 + i) for i, a in enumerate(leaves)]
    example = _example(leaves)
    yield "nan, infinity and zero", [_special(a) for a in example]
    narrower = {"float64": np.float32, "float32": np.float64, "int64": np.int32, "bool": np.bool_}
    yield "other dtypes", [a.astype(narrower[a.dtype.name]) for a in example]
    for i, j in itertools.combinations(range(len(leaves)), 2):
        if leaves[i] == leaves[j]:
            yield "one array twice", [*example[:j], example[i], *example[j + 1 :]]


def _special(array: Any) -> Any:
    made = array.copy()
    if made.dtype.kind == "f" and made.size:
        made.flat[0], made.flat[-1] = np.nan, -0.0
        made.flat[made.size // 2] = np.inf
    return made


def _flat(value: Any) -> Any:
    """A result as plain data that is equal only if bits, types and structure are."""
    if isinstance(value, (np.ndarray, np.generic)):
        plain = np.array(value)
        if plain.dtype.kind == "f":
            plain[np.isnan(plain)] = np.nan
        return type(value).__name__, str(value.dtype), value.shape, plain.tobytes()
    if isinstance(value, dict):
        return "dict", [(k, _flat(v)) for k, v in value.items()]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, [_flat(getattr(value, f.name)) for f in dataclasses.fields(value)]
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [_flat(v) for v in value]
    return type(value).__name__, repr(value)


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    with np.errstate(all="ignore"), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
    logging.disable(logging.NOTSET)


# ---- telling ---------------------------------------------------------------------------------------


def _report(finding: Finding) -> Report:
    span = finding.place.span
    return {
        "code": finding.code, "severity": finding.severity.value, "message": finding.message,
        "range": {"start": {"line": span.line, "column": span.column}, "end": {"line": span.end_line, "column": span.end_column}},
    }  # fmt: skip


def shown(program: Program, wrong: list[str]) -> str:
    """A failing program with the marks it should have got, and what is wrong."""
    expected = [
        {"code": min(m.codes), "severity": "", "range": {"start": {"line": m.line, "column": m.columns[0]}, "end": {"line": m.line, "column": m.columns[1]}}}
        for m in program.expected
        if m.columns is not None
    ]  # fmt: skip
    return "\n".join([with_marks(program.text, expected).rstrip(), "", *(f"# {line}" for line in wrong)])


__all__ = ["shown", "wrong_with"]
