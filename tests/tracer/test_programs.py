"""Random programs of arithmetic, views, in-place writes, branches and loops: the graph does what the program does."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tracer.inputs import lines_of
from tests.tracer.oracle import outcome, table

VALUES, WRITES = lines_of("program_values"), lines_of("program_writes")
ROUND = st.tuples(st.booleans(), st.integers(0, 10**6), st.integers(0, 9), st.integers(0, 9))
X, Y = np.linspace(-1.0, 1.5, 12).reshape(3, 4), np.linspace(2.0, -1.0, 12).reshape(3, 4)


def program(rounds: list[tuple[bool, int, int, int]]) -> tuple[str, list[str]]:
    """Statements that NumPy can run one after the other, and the names they define."""
    space: dict[str, Any] = {"np": np, "x": X.copy(), "y": Y.copy()}
    statements, names = [], ["x", "y"]
    for writes, choice, first, second in rounds:
        a, b = names[first % len(names)], names[second % len(names)]
        if writes:
            statement = WRITES[choice % len(WRITES)].format(a=a, b=b)
        else:
            statement = f"v{len(names)} = {VALUES[choice % len(VALUES)].format(a=a, b=b)}"
        trial = {name: np.array(value) if isinstance(value, np.ndarray) else value for name, value in space.items()}
        try:
            exec(statement, trial)  # on copies first: a failing statement may have written already
        except (ValueError, TypeError, IndexError):
            continue
        if not writes and np.size(trial[f"v{len(names)}"]) > 200:
            continue
        exec(statement, space)
        statements.append(statement)
        if not writes:
            names.append(f"v{len(names)}")
    return "\n    ".join(statements), names


def can(function: Any, args: list[Any]) -> bool:
    """Whether the program runs on these arguments too (shapes may depend on contents)."""
    try:
        outcome(function, args)
    except (ValueError, TypeError, IndexError):
        return False
    return True


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(ROUND, min_size=6, max_size=15))
def test_a_graph_does_what_the_program_does(rounds: list[tuple[bool, int, int, int]]) -> None:
    body, names = program(rounds)
    source = f"import numpy as np\n\ndef program(x, y):\n    {body or 'pass'}\n    return {', '.join(names)}\n"
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        made, other = table(Path(folder), source), [X * 0.5, Y * 0.5 + X]
        made.agrees("program", X, Y, others=[other] if can(made.plain["program"], other) else [])
