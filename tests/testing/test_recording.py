"""`pytest --nst-record`: which calls are recorded, and that the program does not notice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nst_lsp.recorded import RecordedCall, RecordedFunction, merged, read_recorded, write_recorded
from tests.testing.project import make, run

pytest_plugins = ["pytester"]

MODEL = """\
import numpy as np


class Layer:
    def __init__(self, size, scale=1.0):
        self.size = size
        self.scale = scale

    def forward(self, x, times=2):
        return x * self.scale * times

    @classmethod
    def of(cls, weights):
        return cls(len(weights))

    @staticmethod
    def still(x):
        return x

    @property
    def rows(self):
        return np.ones(self.size)

    def __add__(self, other):
        return np.ones(self.size)


class Derived(Layer):
    def __init__(self):
        super().__init__(3, 2.0)


def named(x, *more, y=1, **others):
    return x

def made(n):
    return np.zeros(n)

def written(x):
    x += 1

def raising(x):
    raise ValueError("no")

def text(a):
    return a

def steps(x):
    yield x

def outer(x):
    return (lambda y: y + 1)(x)

def applied(layer, x):
    return layer.forward(x)
"""
TESTS = """\
import numpy as np
import pytest
from pkg.model import *
from pkg.model import applied


class Loud:
    def __repr__(self):
        raise RuntimeError("asked")
    def __getattribute__(self, name):
        raise RuntimeError("asked")


def test_methods():
    layer = Layer(4, scale=0.5)
    layer.forward(np.ones(4))
    layer.forward(np.ones((2, 4), "f4"), 3)
    Layer.of(np.arange(6.0)), Layer.still(np.ones(2)), layer.rows, layer + layer
    Derived().forward(np.ones(3))
    applied(Derived(), np.ones(5))


def test_functions():
    named(np.ones(2), np.ones(3), 4, y=2, z="w")
    made(8)
    written(np.zeros((2, 2)))
    with pytest.raises(ValueError):
        raising(np.ones(2))
    text("a"), list(steps(np.ones(2))), outer(np.ones(2))
    for size in range(2, 400):
        outer(np.ones(size))
    named(np.ones(3), Loud())
    text(Loud())
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    make(pytester, src__pkg____init__="", src__pkg__model=MODEL, tests__test_model=TESTS)
    return pytester


def recorded(pytester: pytest.Pytester) -> dict[str, list[str]]:
    return {one.function: [call.arguments for call in one.calls] for one in read_recorded(Path(pytester.path))}


CALLS = {
    "Layer.forward": [
        "Derived(), np.ones(3)",
        "Layer(4, 0.5), np.ones(4)",
        'Layer(4, 0.5), np.ones((2, 4), dtype="float32"), 3',
    ],
    "Layer.of": ["np.arange(6.0)"],
    "Layer.still": ["np.array([1.0, 1.0])"],
    "applied": ["Derived(), np.ones(5)"],
    "made": ["8"],
    "named": ["np.array([1.0, 1.0]), np.ones(3), 4, y=2, z='w'"],
    "outer": ["np.ones(3)", "np.ones(4)", "np.ones(5)"],
    "written": ["np.zeros((2, 2))"],
}


def test_calls_are_recorded(project: pytest.Pytester):
    result = run(project, "--nst-record")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["12 calls of 8 functions are in .nst/recorded.json; *"])
    assert recorded(project) == CALLS
    home = Path(project.path, ".nst")
    assert (home / ".gitignore").read_text() == "*\n"
    first = json.loads((home / "recorded.json").read_text())
    assert first["schema"] == 1
    assert first["functions"][0]["calls"][1] == {
        "arguments": "Layer(4, 0.5), np.ones(4)",
        "kinds": ["Layer", "float64[4]"],
        "test": "tests/test_model.py::test_methods",
    }


def test_processes_record_together(project: pytest.Pytester):
    run(project, "--nst-record")
    alone = Path(project.path, ".nst", "recorded.json").read_text()
    run(project, "--nst-record", "-n2").assert_outcomes(passed=3)
    assert Path(project.path, ".nst", "recorded.json").read_text() == alone


def test_two_of_a_kind_are_one():
    def call(arguments: str, *kinds: str, test: str = "a") -> RecordedCall:
        return RecordedCall(arguments, kinds, test)

    calls = [
        call("np.ones(7)", "float64[7]"),
        call("np.ones(1)", "float64[1]"),
        call("np.ones((2, 3))", "float64[2, 3]"),
        call("np.ones(7)", "float64[7]", test="b"),
        call("np.ones(5)", "float64[5]"),
        call("np.arange(7)", "int64[7]"),
    ]
    halves = [RecordedFunction("m.py", "f", tuple(calls[:3])), RecordedFunction("m.py", "f", tuple(calls[3:]))]
    kept = [RecordedFunction("m.py", "f", (calls[4], calls[5], calls[2]))]
    assert merged(halves) == merged(reversed(halves)) == kept


@pytest.mark.parametrize(
    "content", [None, "", "[]", '{"schema": 2, "functions": []}', '{"schema": 1, "functions": [{}]}']
)
def test_what_is_none_of_ours_is_nothing(tmp_path: Path, content: Any):
    (tmp_path / ".nst").mkdir()
    if content is not None:
        (tmp_path / ".nst" / "recorded.json").write_text(content)
    assert read_recorded(tmp_path) == ()


def test_what_is_written_is_read(tmp_path: Path):
    functions = (RecordedFunction("m.py", "f", (RecordedCall("'ü'", ("str",), ""),)),)
    write_recorded(tmp_path, functions)
    assert read_recorded(tmp_path) == functions


def test_a_profiler_is_not_pushed_aside(pytester: pytest.Pytester):
    """Before `sys.monitoring` there is room for one."""
    make(pytester, conftest="import sys\nif sys.version_info < (3, 12):\n    sys.setprofile(lambda *of: None)\n")
    result = run(pytester, "--nst-record")
    if result.ret:
        result.stderr.fnmatch_lines(["*--nst-record cannot listen: a profiler runs"])
    else:
        result.assert_outcomes(passed=1)


CHANGING = """\
from dataclasses import InitVar, dataclass, field

import numpy as np


@dataclass
class Share:
    total: float
    offset: InitVar[float] = 0.0
    part: float = field(default=0.0, init=False)

    def __post_init__(self, offset):
        self.total += 1 + offset
        self.part = self.total / 2

    def of(self, x):
        return x * self.part


@dataclass
class Wider(Share):
    more: int = 1

    def __post_init__(self, offset):
        super().__post_init__(offset)
        self.more += 1


@dataclass(slots=True)
class Bare:
    total: float

    def __post_init__(self):
        self.total += 1

    def of(self, x):
        return x * self.total


@dataclass
class Valid:
    total: float

    def __post_init__(self):
        assert self.total > 0

    def step(self, x):
        self.total += 1
        return x * self.total
"""

CHANGED = """\
import numpy as np
from pkg.changing import Bare, Share, Valid, Wider


def test_all():
    Share(2.0).of(np.ones(1))
    Share(3.0, offset=4.0).of(np.ones((1, 1)))
    Wider(2.0, 5.0, 7).of(np.ones((1, 1, 1)))
    Bare(2.0).of(np.ones(1))
    valid = Valid(1.0)
    valid.step(np.ones(1))
    valid.step(np.ones((1, 1)))
"""


def test_a_data_class_that_changes_its_fields_is_made_by_what_they_were(pytester: pytest.Pytester):
    """An example with the fields as they lie in the object would make another one."""
    make(pytester, src__pkg____init__="", src__pkg__changing=CHANGING, tests__test_changing=CHANGED)
    assert run(pytester, "--nst-record").ret == 0
    found = recorded(pytester)
    assert found["Share.of"] == [
        "Share(total=2.0), np.array([1.0])",
        "Share(total=3.0, offset=4.0), np.array([[1.0]])",
        "Wider(total=2.0, more=7, offset=5.0), np.array([[[1.0]]])",
    ]
    assert "Bare.of" not in found, "nobody can remember how it was made"
    assert found["Valid.step"] == ["Valid(total=1.0), np.array([1.0])", "Valid(total=2.0), np.array([[1.0]])"]
