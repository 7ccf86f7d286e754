"""The examples: every graph gives, bit for bit, what its function gives.

On the example itself for all of them; where nothing was reported, also on new contents of the same
shapes.  The two files of faults report exactly what they are there to show.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.command import check_json
from tracer import Trace, load_module, trace
from tracer.examples import Example, collect, evaluate
from tracer.positions import FILES
from tracer.trees import leaves, map_leaves

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "examples"
SOURCES = sorted(path for path in FOLDER.rglob("*.py") if path.name != "__init__.py")

FAULTS = {
    "faults.py": {
        "branch_on_a_value": {"NST101": 1},
        "branch_on_a_size": {"NST102": 1},
        "captured_global": {"NST204": 1},
        "value_becomes_a_number": {"NST201": 1},
        "argument_is_a_constant": {"NST202": 1},
        "prints": {"NST301": 1},
        "pops_its_argument": {"NST302": 1},
        "writes_its_argument": {"NST303": 1},
        "reaches_for_memory": {"NST401": 1},
        "loop_over_rows": {"NST106": 1},
    },
    "pipeline_faults.py": {
        "standard_score": {"NST101": 1},
        "scores": {"NST106": 1},
        "Smoother.update": {"NST104": 1, "NST205": 2},
    },
    "models.py": {"Affine.__call__": {"NST204": 2}},
}
FAULTY = {name for functions in FAULTS.values() for name in functions}
NOT_REPEATABLE = {"reaches_for_memory"}
"""Functions that give another result on each call, whatever traces them."""


@dataclass(frozen=True, slots=True)
class Case:
    """One example, ready to be called."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def call(self, function: Callable[..., Any]) -> Any:
        """A call on arguments of its own, which it may change."""
        return function(*copy.deepcopy(self.args), **copy.deepcopy(self.kwargs))

    def trace(self) -> Trace:
        return trace(self.function, *copy.deepcopy(self.args), **copy.deepcopy(self.kwargs))


def examples_of(path: Path) -> list[Example]:
    examples, misplaced = collect(FILES[load_module(path).__file__ or ""])
    assert not misplaced
    return examples


EXAMPLES = [(path, example) for path in SOURCES for example in examples_of(path)]


def names(parameter: tuple[Path, Example]) -> str:
    path, example = parameter
    return f"{inside(path)}::{example.function}[{example.index}]"


def inside(path: Path) -> str:
    return str(path.relative_to(FOLDER))


@pytest.fixture(params=EXAMPLES, ids=names)
def example(request: pytest.FixtureRequest) -> tuple[Example, Case]:
    path, found = request.param
    return found, Case(*evaluate(found, load_module(path)))


def same(left: Any, right: Any) -> bool:
    """Whether two results agree in structure, type, shape and every bit."""
    ours, theirs = list(leaves(left)), list(leaves(right))
    return type(left) is type(right) and len(ours) == len(theirs) and all(map(same_leaf, ours, theirs))


def same_leaf(left: tuple[Any, Any], right: tuple[Any, Any]) -> bool:
    (value, path), (other, other_path) = left, right
    if path != other_path or type(value) is not type(other):
        return False
    if isinstance(value, (np.ndarray, np.generic)):
        return (value.dtype, value.shape, value.tobytes()) == (other.dtype, other.shape, other.tobytes())
    return bool(value == other)


def renewed(value: Any, random: np.random.Generator) -> Any:
    """Other contents of the same shapes and types; integers may be indices and are drawn from the old ones."""

    def renew(leaf: Any, _: Any) -> Any:
        if not isinstance(leaf, np.ndarray):
            return leaf
        if leaf.dtype.kind != "f":
            return random.choice(leaf.ravel(), size=leaf.shape)
        return (leaf * random.uniform(0.5, 2.0, leaf.shape) + random.normal(size=leaf.shape)).astype(leaf.dtype)

    return map_leaves(value, renew)


def test_the_graph_gives_what_the_function_gives(example: tuple[Example, Case]):
    name, case = example[0].function, example[1]
    found = case.trace()
    assert found.error is None
    expected = case.call(case.function)
    if name not in NOT_REPEATABLE:
        assert same(found.output, expected)
        assert same(case.call(found.graph.replay), expected)


def test_it_does_on_new_contents_where_nothing_was_reported(example: tuple[Example, Case]):
    name, case = example[0].function, example[1]
    found = case.trace()
    if name in FAULTY:
        assert found.findings
        return
    assert not found.findings
    random = np.random.default_rng(seed=7)
    for _ in range(5):
        new = Case(case.function, renewed(case.args, random), renewed(case.kwargs, random))
        with np.errstate(all="ignore"):
            assert same(new.call(found.graph), new.call(case.function))


def test_most_of_them_are_pure():
    assert len({example.function for _, example in EXAMPLES} - FAULTY) >= 14


def test_the_command_reports_the_faults_and_nothing_else():
    document = check_json(FOLDER, cwd=ROOT)
    found: dict[str, dict[str, Counter[str]]] = {}
    for entry in document["files"]:
        assert entry["error"] is None
        for finding in entry["findings"]:
            functions = found.setdefault(inside(ROOT / entry["path"]), {})
            functions.setdefault(finding["function"], Counter())[finding["code"]] += 1
    assert found == FAULTS
