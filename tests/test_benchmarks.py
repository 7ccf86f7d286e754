"""The benchmarks run, at sizes of no meaning: what they measure is looked at, the time they take is not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console

from benchmarks import check, clock, fake, growth, latency, memory, printing, replay, tensors, tracing, verification
from benchmarks.__main__ import PARTS, main
from benchmarks.peers import installed, measure, missing
from benchmarks.programs import PROGRAMS
from benchmarks.table import Section, markdown, number, renewed, show
from tests.tracer.oracle import same
from tracer import trace

ROOT = Path(__file__).parent.parent
TINY: dict[str, Callable[[], Section | list[Section]]] = {
    "tracing": partial(tracing.section, 20, 1),
    "peers": partial(measure.section, 20, 1),
    "growth": partial(growth.section, (20, 40)),
    "memory": partial(memory.section, 200, 200),
    "replay": partial(replay.section, 20, (4,), 1),
    "fake": partial(fake.section, 20, (10, 1_000_000), 1),
    "printing": partial(printing.section, 40, 1),
    "verification": partial(verification.section, 2, 1),
    "latency": partial(latency.section, 1, 1, 20),
    "torch": partial(tensors.section, 1, 1),
    "check": partial(check.section, 28),
}


@pytest.fixture(autouse=True, scope="module")
def _modules_of_the_tests_stay() -> Iterator[None]:
    """Loading a file of this project drops what was imported of it, as the worker wants; other tests want it."""
    before = dict(sys.modules)
    yield
    sys.modules.update(before)


@pytest.fixture(autouse=True, scope="module")
def _garbage_stays() -> Iterator[None]:
    """Collecting it before each clock starts takes long among the objects of all tests, and no time is looked at."""
    with pytest.MonkeyPatch.context() as patch:
        nothing = SimpleNamespace(collect=lambda: 0, freeze=lambda: None, unfreeze=lambda: None)
        patch.setattr(clock, "gc", nothing)
        yield


@cache
def sections(part: str) -> list[Section]:
    """What a part tells, measured once."""
    made = TINY[part]()
    return made if isinstance(made, list) else [made]


@pytest.mark.parametrize("part", PARTS)
def test_every_part_measures_and_can_be_shown(part):
    for section in sections(part):
        assert section.rows
        assert all(len(row) == len(section.columns) for row in section.rows)
        console = Console(width=200, record=True)
        show(section, console)
        shown, written = console.export_text(), markdown([section], ["# Results"])
        for row in section.rows:
            assert f"| {' | '.join(row)} |" in written
            assert all(cell in shown for cell in row)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_has_as_many_operations_as_it_says(program):
    """A step more is so many nodes more; the traced function is the plain one."""
    args = program.arguments(8)
    graphs = [trace(tracing.rewritten(program, steps), *args).graph for steps in (3, 4)]
    assert len(graphs[1].nodes) - len(graphs[0].nodes) == program.operations
    same(graphs[0].replay(*map(np.array, args)), program.make(3)(*map(np.array, args)), "replayed")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_may_run_for_long(program):
    result = program.make(20_000)(*program.arguments(4))
    assert np.isfinite(result).all()
    assert (abs(result) > np.finfo(float).tiny).any()


def test_what_is_not_installed_is_said():
    section = sections("peers")[0]
    assert len(section.columns) == 5 + len(installed())
    assert all(library in section.after for library in missing())


def test_one_part_alone_prints_and_writes_nothing():
    results = ROOT / "benchmarks" / "results.md"
    before = results.read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--only", "tracing"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "stencil" in done.stdout
    assert results.read_bytes() == before


def test_an_unknown_part_is_refused():
    done = CliRunner().invoke(main, ["--only", "nothing"])
    assert done.exit_code == 2
    assert "latency" in done.output


def test_figures_have_the_digits_they_bear():
    assert [number(value) for value in (0.4249, 4.249, 42.49, 424.9, 4249.0)] == [
        "0.42",
        "4.25",
        "42.5",
        "425",
        "4,249",
    ]


def test_some_sections_are_renewed_and_the_others_stay():
    one, two, new = (
        Section(title, "Told.", ("a", "b"), (("x", figure),))
        for title, figure in [("One", "1"), ("Two", "2"), ("New", "3")]
    )
    report = markdown([one, two], ["# Results", "", "All in one run."])
    again = Section("One", "Told.", ("a", "b"), (("x", "4"),))
    told = renewed(report, [again, new], "*Now.*")
    assert told == markdown(
        [replace(again, told="Told. *Now.*"), two, replace(new, told="Told. *Now.*")],
        ["# Results", "", "All in one run."],
    )
    assert renewed(told, [], "*Now.*") == told
