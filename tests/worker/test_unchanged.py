"""Functions that an edit does not touch are not run again, and what is kept of them is what a fresh run would say."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from nst_lsp.analysis.document import Change, Document
from nst_lsp.analysis.moved import moved
from nst_lsp.analysis.places import Places
from nst_lsp.analysis.text import Text
from nst_lsp.analysis.traced import Outcome
from nst_lsp.pool import WorkerPool
from tests.server.messages import span
from tracer.worker.wire import (
    ExampleDone,
    ExampleReport,
    ExampleSettled,
    ExampleStarted,
    Options,
    TraceFile,
    example_key,
)

PROGRAM = '''"""A file of which parts are edited."""

import sys

import numpy as np

import helper

gain = 3.0
offset = 0.5
table = {"a": 1.0}
registry = []


def register(function):
    registry.append(function)
    return function


def half(x):
    return x * 0.5


# nst: example(np.ones(3))
def scaled(x):
    return half(x) * gain


# nst: example(np.linspace(0.0, 1.0, 4))
# nst: example(np.ones((2, 3)))
def normal(x):
    total = x.sum()
    for row in range(x.shape[0]):
        total = total + row
    if x.shape[0] > 2:
        return x / total
    return x


# nst: example(np.ones(3))
def looked_up(x):
    return x * table["a"] + offset


# nst: example(np.ones(3))
def helped(x):
    return helper.twice(x)


class Layer:
    width = 2

    def __init__(self):
        self.weight = np.ones(3)

    # nst: example(Layer(), np.ones(3))
    def forward(self, x):
        return self.inner(x) * self.width

    def inner(self, x):
        return x @ self.weight


@register
def registered(x):
    return x + 1.0


def change_table():
    table["a"] = 2.0


def unrelated(x):
    return x - 1.0
'''
HELPER = "def twice(x):\n    return x * 2\n"
EVERY = frozenset({"scaled", "normal", "looked_up", "helped", "Layer.forward"})
QUICK = Options(timeout=10.0, verify=False)


@dataclass
class Run:
    """What one run of the file brought."""

    started: set[str] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    reports: dict[str, ExampleReport] = field(default_factory=dict)
    fingerprints: dict[str, str] = field(default_factory=dict)


async def run(pool: WorkerPool, path: Path, text: str, known: dict[str, str], options: Options = QUICK) -> Run:
    found = Run()
    request = TraceFile(1, str(path), text, str(path.parent), options, known=known)
    async for message in pool.trace(request):
        match message:
            case ExampleStarted():
                found.started.add(message.function)
            case ExampleDone():
                found.reports[example_key(message.function, message.report.index)] = message.report
            case ExampleSettled():
                key = example_key(message.function, message.example)
                found.fingerprints[key] = message.fingerprint
                if message.kept:
                    found.kept.add(message.function)
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "helper.py").write_text(HELPER)
    return tmp_path / "model.py"


EDITS = {
    "nothing": ("", "", set()),
    "a comment above": ("gain = 3.0", "# one\n# two\ngain = 3.0", set()),
    "the docstring of the module": ("A file of which", "One file\nof which", set()),
    "its body": ("x / total", "x / (1 + total)", {"normal"}),
    "a comment in its body": ("return x / total", "return x / total  # so", {"normal"}),
    "its example": ("np.linspace(0.0, 1.0, 4)", "np.linspace(0.0, 1.0, 5)", {"normal"}),
    "what it calls": ("x * 0.5", "x * 0.25", {"scaled"}),
    "a global": ("gain = 3.0", "gain = 4.0", EVERY),
    "a method that it calls": ("x @ self.weight", "2 * (x @ self.weight)", {"Layer.forward"}),
    "the constructor": ("self.weight = np.ones(3)", "self.weight = np.zeros(3)", {"Layer.forward"}),
    "what changes a global elsewhere": ('table["a"] = 2.0', "pass", {"looked_up"}),
    "a new place that changes a global": ("x - 1.0", "gain.real", set()),
    "an attribute set elsewhere": ("return x - 1.0", "x.width = 3", {"Layer.forward"}),
    "a function that nothing needs": ("x - 1.0", "x - 2.0", set()),
    "a function that a decorator may keep": ("return x + 1.0", "return x + 2.0", EVERY),
    "a default that runs code": ("def unrelated(x)", "def unrelated(x, n=half(1))", EVERY),
    "looking names up": ("def half(x):\n", "def half(x):\n    globals()\n", {"scaled"}),
    "a global of that name": ("    total = x.sum()", "    global gain\n    total = x.sum()", {"normal", "scaled"}),
}


@pytest.mark.parametrize(("part", "new", "again"), EDITS.values(), ids=EDITS)
async def test_only_what_an_edit_touches_runs_again(pool, path, part, new, again):
    before = await run(pool, path, PROGRAM, {})
    assert before.started == EVERY
    await _check(pool, path, before, part, new, again, QUICK)


async def test_witnesses_and_fixes_move_too(pool, path):
    options = Options(timeout=10.0)
    before = await run(pool, path, PROGRAM, {}, options)
    assert any(finding.fixes for report in before.reports.values() for finding in report.findings)
    await _check(pool, path, before, "gain = 3.0", "\n\n# more\ngain = 3.0", set(), options)
    text = PROGRAM + "\nmore = scaled(np.ones(2))\n"
    document = Document("file:///model.py", str(path), 1, Text(PROGRAM), Text(PROGRAM))
    outcome = Outcome(before.reports["scaled#0"], {str(path): document.snapshot})
    document = document.changed(2, [Change(None, text)])
    assert moved(outcome, "scaled", str(path), Places({str(path): document})) is None  # a fix would miss the new call


async def _check(pool, path, before, part, new, again, options):
    """After an edit, run what must run again, and hold what is kept against a fresh run."""
    document = Document("file:///model.py", str(path), 1, Text(PROGRAM), Text(PROGRAM))
    basis = {str(path): document.snapshot}
    changes = [Change(span(PROGRAM, part), new)] if part else []
    document = document.changed(2, changes)
    after = await run(pool, path, document.text.source, before.fingerprints, options)
    assert (after.started, after.kept) == (again, EVERY - again)

    fresh = await run(pool, path, document.text.source, {}, options)
    places = Places({str(path): document})
    for key, report in before.reports.items():
        if key.partition("#")[0] in after.kept:
            there = moved(Outcome(report, basis), key.partition("#")[0], str(path), places)
            assert _timeless(there) == _timeless(fresh.reports[key])


def _timeless(report: ExampleReport | None) -> ExampleReport:
    assert report is not None
    return replace(report, milliseconds=0.0)


async def test_another_text_of_an_imported_file_runs_all_again(pool, path):
    before = await run(pool, path, PROGRAM, {})
    path.with_name("helper.py").write_text(HELPER.replace("2", "3"))
    after = await run(pool, path, PROGRAM, before.fingerprints)
    assert after.started == EVERY


async def test_other_settings_run_all_again(pool, path):
    before = await run(pool, path, PROGRAM, {})
    request = TraceFile(1, str(path), PROGRAM, str(path.parent), Options(mode="real"), known=before.fingerprints)
    assert {message.function async for message in pool.trace(request) if isinstance(message, ExampleStarted)} == EVERY


async def test_it_is_the_same_without_fork(way, pool, path):
    text = PROGRAM.replace("    return x - 1.0", "    while True:\n        pass").replace(
        "def unrelated", "# nst: example(np.ones(2))\ndef unrelated"
    )
    quick = replace(QUICK, timeout=4.0)
    settled: dict[str, str] = {}
    for again in ({*EVERY, "unrelated"}, {"unrelated"}):
        started = set()
        async for message in pool.trace(TraceFile(1, str(path), text, str(path.parent), quick, known=dict(settled))):
            if isinstance(message, ExampleStarted):
                started.add(message.function)
            elif isinstance(message, ExampleSettled):
                settled[example_key(message.function, message.example)] = message.fingerprint
        assert started == again


async def test_a_module_imported_late_is_told_and_has_no_fingerprint(pool, path):
    text = "import numpy as np\n# nst: example(np.ones(3))\ndef f(x):\n    import helper\n    return helper.twice(x)\n"
    request = TraceFile(1, str(path), text, str(path.parent), QUICK, known={})
    (settled,) = [message async for message in pool.trace(request) if isinstance(message, ExampleSettled)]
    assert (settled.fingerprint, settled.dependencies) == ("", (str(path.with_name("helper.py")),))


READS = """import numpy as np

weights = np.loadtxt("weights.txt")


# nst: example(np.ones(3))
def f(x):
    return x * weights


# nst: example(np.ones(3))
def g(x):
    with open("other.txt") as file:
        return x * len(file.read())
"""


async def test_a_file_that_was_read_counts_too(pool, path):
    data = path.with_name("weights.txt")
    data.write_text("1 2 3")
    path.with_name("other.txt").write_text("1")
    before = await run(pool, path, READS, {})
    assert (await run(pool, path, READS, before.fingerprints)).started == {"g"}  # it reads whenever it runs
    data.write_text("1 2 3.5")
    assert (await run(pool, path, READS, before.fingerprints)).started == {"f", "g"}


async def test_a_module_outside_of_the_workspace_counts_too(pool, path, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "odd_name.py"
    elsewhere.write_text("factor = 2.0\n")
    options = Options(extra_paths=(str(elsewhere.parent),))
    text = "import odd_name\n# nst: example(2.0)\ndef f(x):\n    return x * odd_name.factor\n"
    request = TraceFile(1, str(path), text, str(path.parent), options, known={})
    (settled,) = [message async for message in pool.trace(request) if isinstance(message, ExampleSettled)]
    request = replace(request, known={"f#0": settled.fingerprint})
    assert [message.kept async for message in pool.trace(request) if isinstance(message, ExampleSettled)] == [True]
    elsewhere.write_text("factor = 22.0\n")
    assert [message.kept async for message in pool.trace(request) if isinstance(message, ExampleSettled)] == [False]


async def test_nobody_is_told_who_does_not_ask(pool, path):
    messages = [message async for message in pool.trace(TraceFile(1, str(path), PROGRAM, str(path.parent), QUICK))]
    assert all(not message.fingerprint for message in messages if isinstance(message, ExampleSettled))
