"""Microseconds per traced operation beside NumPy's own time, and the cost of full verification.

Both sides of a ratio are measured in the same process, one after the other, in CPU time (children included), so
that a busy machine shifts both alike; the best of several rounds counts.
"""

from __future__ import annotations

import resource
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks import programs
from tracer import load_module, trace
from tracer.capture import capture

ROUNDS = 7
CASES = Path(__file__).parent.parent / "tests" / "cases"


@dataclass(frozen=True, slots=True)
class Cost:
    """One function: microseconds per operation by NumPy, while recorded, and with the graph built."""

    name: str
    operations: int
    numpy: float
    traced: float
    judged: float


def costs() -> list[Cost]:
    """The cost of tracing each benchmark program."""
    module = load_module(programs.__file__)
    small, weights = np.linspace(0.1, 1.0, 8), np.eye(8) * 0.5
    wanted = [
        ("elementwise_chain", (small,)),
        ("ufunc_chain", (small,)),
        ("stencil", (small,)),
        ("mlp", (small, weights)),
    ]
    return [_cost(getattr(module, name), getattr(programs, name), args) for name, args in wanted]


def _cost(rewritten: Callable[..., Any], plain: Callable[..., Any], args: tuple[Any, ...]) -> Cost:
    count = sum(n.function is not None for n in trace(rewritten, *args).graph.nodes)
    numpy = best(lambda: plain(*[a.copy() for a in args]))
    recorded = best(lambda: capture(rewritten, args, {}, "symbolic"))
    judged = best(lambda: trace(rewritten, *args))
    return Cost(plain.__name__, count, *(seconds / count * 1e6 for seconds in (numpy, recorded, judged)))


def best(function: Callable[[], Any]) -> float:
    """The least CPU seconds of several rounds."""
    return min(_seconds(function) for _ in range(ROUNDS))


def _seconds(function: Callable[[], Any]) -> float:
    """CPU seconds of one call, its children's included."""
    before = time.process_time() + _children()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function()
    return time.process_time() + _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True, slots=True)
class Verification:
    """Milliseconds a function, over the marked cases: a trace, and a trace with all its witnesses."""

    functions: int
    traced: float
    verified: float


def verification(most: int = 60) -> Verification:
    """The median cost of verifying a function of the marked cases."""
    from tracer.examples import BadExample, collect, evaluate
    from tracer.positions import FILES

    traced: list[float] = []
    verified: list[float] = []
    for path in sorted(CASES.glob("*.py")):
        if len(traced) >= most:
            break
        try:
            module = load_module(path)
            examples = [evaluate(e, module) for e in collect(FILES[str(path)])[0]]
        except (BadExample, Exception):  # noqa: BLE001  # some cases are broken on purpose
            continue
        for function, args, kwargs in examples[:2]:
            if set(kwargs) & {"mode", "verify"}:
                continue
            try:
                traced.append(min(_seconds(lambda: trace(function, *args, **kwargs)) for _ in range(3)))  # noqa: B023
                verified.append(min(_seconds(lambda: trace(function, *args, verify=True, **kwargs)) for _ in range(3)))  # noqa: B023
            except TypeError:
                continue
    return Verification(len(verified), median(traced) * 1000, median(verified) * 1000)
