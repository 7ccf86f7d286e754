"""One recipe, traced and replayed: on every dtype that plain NumPy takes, several layouts, sizes and kinds of value.

What `replay_of` gives is what was tried; that every way to run a graph agrees with NumPy bit for bit is asserted on the
way (`tests.tracer.oracle` says what equal means).
"""

from __future__ import annotations

import contextlib
import functools
import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.ma

from tests.coverage.pools import DTYPES, IN_DTYPE, LAYOUTS, python_scalars, scalars, take, zero_dimensional
from tests.coverage.recipes import HEADER, RECIPES, dtypes_of, parts, roles_in
from tests.tracer.oracle import Function, executed, same, table
from tracer import GuardError, Trace, trace
from tracer.nodes import Kind
from tracer.rules import RULES

Maker = Callable[[], list[Any]]
MAIN = (3, 4)
SIZES = ((5, 4, 0), (3, 4, 1), (4, 6, 1), (2, 5, 1))
"""n, m and the variant of the contents of what a graph is run on besides its example."""


@dataclass(frozen=True, slots=True)
class Call:
    """A recipe as a function of its roles, loaded as the worker loads it and as plain Python."""

    recipe: str
    roles: tuple[str, ...]
    function: Function
    plain: Function
    dtypes: tuple[str, ...]
    small: bool
    """Whether it is called with nothing and next to nothing, too: code of other libraries may crash there."""

    def makers(self) -> Iterator[tuple[str, str, Maker]]:
        """Arguments to trace it on: for each dtype one layout in turn, then what is small, empty or no array."""
        follows = any(role in IN_DTYPE or role == "d" for role in self.roles)
        for n, dtype in enumerate(self.dtypes if follows else DTYPES[: len(LAYOUTS)]):
            layout = LAYOUTS[(n + len(self.recipe)) % len(LAYOUTS)]
            yield dtype, layout, lambda dtype=dtype, layout=layout: take(self.roles, dtype, *MAIN, layout)  # type: ignore[misc]
        if not self.roles or not self.small:
            return
        for n, m in ((0, 4), (3, 0), (1, 1)):
            yield "d", f"{n}x{m}", lambda n=n, m=m: take(self.roles, "d", n, m)  # type: ignore[misc]
        for kind, dtype in ((zero_dimensional, "d"), (scalars, "d"), (python_scalars, "d"), (scalars, "q")):
            arrays = kind(dtype)
            yield dtype, kind.__name__, lambda arrays=arrays: [arrays[role] for role in self.roles]  # type: ignore[misc]


@dataclass(slots=True)
class Tried:
    """What became of a function's recipes: what plain NumPy took, and what the traces said of it."""

    dtypes: dict[str, None] = field(default_factory=dict)
    codes: set[str] = field(default_factory=set)
    calls: int = 0
    nodes: bool = False
    samples: list[tuple[Call, str, Trace]] = field(default_factory=list)
    """One trace of each recipe, with its dtype: of doubles where these are accepted."""


def module_of(
    folder: Path, recipes: dict[str, tuple[str, ...]] = RECIPES, header: str = HEADER, *, small: bool = True
) -> dict[str, list[Call]]:
    """Every recipe as a function of a generated module."""
    calls: dict[str, list[Call]] = {name: [] for name in recipes}
    found = [(name, code) for name, codes in recipes.items() for code in codes]
    for start in range(0, len(found), _TOGETHER):
        place = folder / str(start)
        place.mkdir()
        some = found[start : start + _TOGETHER]
        made = table(place, header + "".join(_definition(n, code) for n, (_, code) in enumerate(some)))
        for n, (name, code) in enumerate(some):
            function, plain = getattr(made.traced, f"f{n}"), made.plain[f"f{n}"]
            calls[name].append(Call(code, roles_in(code), function, plain, dtypes_of(name), small))
    return calls


_TOGETHER = 100
"""Recipes in one generated module: a graph with a lambda in it reads its module's whole source to print itself."""


def _definition(n: int, code: str) -> str:
    body, result = parts(code)
    lines = [f"def f{n}({', '.join(roles_in(code))}):", *body.splitlines(), f"return {result}"]
    return "\n\n" + "\n    ".join(lines) + "\n"


def replay_of(calls: Sequence[Call], *, frozen: bool = False) -> Tried:
    """Trace and replay each call on all that plain NumPy takes."""
    tried = Tried()
    for call in calls:
        sample: tuple[Call, str, Trace] | None = None
        for turn, (dtype, kind, maker) in enumerate(call.makers()):
            traced = agreed(call, maker, turn, dtype, frozen)
            if traced is not None:
                tried.calls += 1
                tried.dtypes[dtype] = None
                tried.codes |= {finding.code for finding in traced.findings}
                tried.nodes |= any(node.kind is Kind.CALL for node in traced.graph.nodes)
                if kind in LAYOUTS:
                    sample = (call, dtype, traced) if sample is None or dtype == "d" else sample
        if sample is not None:
            tried.samples.append(sample)
    return tried


def agreed(call: Call, maker: Maker, turn: int, dtype: str, frozen: bool) -> Trace | None:
    """The trace of a call, held against NumPy in every way to run its graph; None where NumPy refuses the arguments."""
    wanted = outcome(call.plain, maker)
    if isinstance(wanted, Exception):
        return None
    with quiet():
        traced = trace(call.function, *maker())
    assert traced.error is None, f"{call.recipe}: {traced.error!r}"
    if frozen:
        return traced
    ways: dict[str, Function] = {"replayed": traced.graph.replay, "called": traced.graph}
    if not _PLACEHOLDER.search(traced.graph.code):
        ways["printed"] = executed(traced)
    for where, run in ways.items():
        agree(outcome(run, maker), wanted, f"{call.recipe} {where}", traced)
    codes = {finding.code for finding in traced.findings}
    if any(_differ(mine, its) for mine, its in zip(wanted[1], maker(), strict=True)):
        assert codes & {"NST303", "NST405"}, f"{call.recipe}: an argument was written, and nothing says so"
    if not call.roles or codes & _EXCUSES:
        return traced
    n, m, variant = SIZES[turn % len(SIZES)]
    others = functools.partial(take, call.roles, dtype, n, m, "contiguous", variant)
    was, wanted = wanted, outcome(call.plain, others)
    if isinstance(wanted, Exception) or not isinstance(maker()[0], np.ndarray) or maker()[0].ndim != others()[0].ndim:
        return traced
    if shapes(maker()) == shapes(others()) and shapes(wanted[0]) != shapes(was[0]):
        assert codes & {"NST404", "NST402"}, f"{call.recipe}: a shape depends on contents, and nothing says so"
    found = outcome(traced.graph, others)
    if isinstance(found, GuardError):
        assert traced.guards, "a GuardError without guards"
        return traced
    agree(found, wanted, f"{call.recipe} called on others", traced)
    if "printed" in ways:
        agree(outcome(ways["printed"], others), wanted, f"{call.recipe} printed, on others", traced)
    return traced


_PLACEHOLDER = re.compile(r"^\w+ = \.\.\.  # ", re.MULTILINE)
"""A line for what cannot be written as Python: `object_1 = ...  # a busdaycalendar, which has no literal`."""

_EXCUSES = {code for code in RULES if code.startswith("NST2")} | {"NST401", "NST405"}
"""Findings that say: for other arguments the graph is not the function."""


def _differ(left: Any, right: Any) -> bool:
    try:
        same(settled(left), settled(right))
    except AssertionError:
        return True
    return False


def shapes(value: Any) -> Any:
    """The shapes of the arrays in a result."""
    return tuple(shapes(v) for v in value) if isinstance(value, (tuple, list)) else getattr(value, "shape", ())


def agree(found: Any, wanted: Any, where: str, traced: Trace) -> None:
    assert not isinstance(found, Exception), f"{where}: {found!r}\n{traced.graph.code}"
    same(settled(found), settled(wanted), where)


def outcome(function: Function, maker: Maker) -> Any:
    """The result and what the arguments look like afterwards, or what was raised."""
    args = maker()
    with quiet():
        try:
            return function(*args), args
        except Exception as error:
            return error


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    with np.errstate(all="ignore"), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def settled(value: Any) -> Any:
    """A result as values that can be compared: masked arrays with their masks, objects by their parts."""
    if value is np.ma.masked:
        return "the masked constant"
    if isinstance(value, np.ma.MaskedArray):
        return ("masked", settled(np.ma.getmaskarray(value)), settled(np.asarray(value.filled())), value.dtype.str)
    if isinstance(value, np.flatiter):
        return ("flat", settled(np.array(value)))
    if type(value) in (tuple, list):
        return type(value)(settled(v) for v in value)
    if isinstance(value, (np.poly1d, _POLYNOMIAL)):
        return (type(value).__name__, settled(np.asarray(getattr(value, "coef"))))  # noqa: B009  # no stub has it
    if isinstance(value, (np.ndarray, np.generic)) and _has_padding(value.dtype):
        if value.dtype.names:
            fields: Any = value
            return (type(value), value.dtype, *(settled(np.asarray(fields[name])) for name in value.dtype.names))
        return (type(value), value.dtype, _without_padding(np.asarray(value)))
    return value


_POLYNOMIAL = np.polynomial.Polynomial.__mro__[1]
_WIDTH = np.dtype(np.longdouble).itemsize
_USED = 10 if np.finfo(np.longdouble).nmant == 63 else _WIDTH
"""The bytes of an extended double that mean something: the others are whatever was there."""


def _has_padding(dtype: np.dtype[Any]) -> bool:
    return dtype.names is not None or dtype.char in "gG"


def _without_padding(array: Any) -> Any:
    parts = np.ascontiguousarray(array).view(np.uint8).reshape(-1, _WIDTH)[:, :_USED]
    return (array.shape, np.where(np.isnan(array), 1, 0), parts.copy())
