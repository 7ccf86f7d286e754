"""What a full verification costs: the trace, and the search for witnesses behind it, over the marked cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.clock import least
from benchmarks.table import Section
from tracer import load_module, trace
from tracer.examples import collect, evaluate
from tracer.positions import FILES

CASES = Path(__file__).parent.parent / "tests" / "cases"
FUNCTIONS = 60
ROUNDS = 3
GOAL = 25.0

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def section(functions: int = FUNCTIONS, rounds: int = ROUNDS) -> Section:
    taken = [least([_side(call, verify=False), _side(call, verify=True)], rounds) for call in _calls(functions)]
    traced, verified = (median(seconds) * 1000 for seconds in zip(*taken, strict=True))
    return Section(
        "Verification",
        f"Median ms of CPU a function, over {len(taken)} functions of `tests/cases`, child processes included.",
        ("trace", "with all witnesses", "goal"),
        ((f"{traced:.1f}", f"{verified:.1f}", f"≤ {GOAL:.0f}"),),
    )


def _side(call: Call, *, verify: bool) -> Callable[[], Callable[[], Any]]:
    function, args, kwargs = call
    return lambda: partial(trace, function, *args, verify=verify, **kwargs)


def _calls(most: int) -> Iterator[Call]:
    """The first examples of the marked cases; some cases are broken on purpose."""
    return islice((call for path in sorted(CASES.glob("*.py")) for call in _calls_of(path)), most)


def _calls_of(path: Path) -> list[Call]:
    try:
        module = load_module(path)
        calls = [evaluate(example, module) for example in collect(FILES[str(path)])[0][:2]]
        for function, args, kwargs in calls:
            trace(function, *args, **kwargs)
    except Exception:  # noqa: BLE001  # whatever a case's module raises
        return []
    return [call for call in calls if not {"mode", "verify"} & set(call[2])]
