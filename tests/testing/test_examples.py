"""`pytest --nst`: examples as tests, in a real run of pytest with real workers."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.cli.command import nst
from tests.testing.project import MODEL, make, run

pytest_plugins = ["pytester"]


def collected(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line and " " not in line.partition("::")[0]]


def outcomes(pytester: pytest.Pytester) -> dict[str, str]:
    """What became of each test, by the report for CI."""
    found = {}
    for case in ET.parse(pytester.path / "junit.xml").getroot().iter("testcase"):
        (what, *_) = [*(child.tag for child in case), "passed"]
        found[f"{case.get('classname')}::{case.get('name')}"] = what
    return found


def test_without_the_option_nothing_is_added(pytester: pytest.Pytester):
    make(pytester, src__model=MODEL)
    run(pytester).assert_outcomes(passed=1)


def test_examples_are_tests(pytester: pytest.Pytester):
    make(pytester, src__model=MODEL)
    result = run(pytester, "--nst", "--junitxml=junit.xml")
    result.assert_outcomes(passed=5, failed=2)
    assert outcomes(pytester) == {
        "tests.test_own::test_own": "passed",
        "src.model::Layer.forward[example 0]": "failure",
        "src.model::Layer.forward[example 1]": "failure",
        "src.model::plain[example 0]": "passed",
        "src.model::quiet[example 0]": "passed",
        "src.model::documented[example 0]": "passed",
        "src.model::<module>": "passed",
    }
    result.stdout.fnmatch_lines(
        [
            "warning[[]NST101[]] branch-on-value: *",
            "*--> src/model.py:8:12  in Layer.forward",
            "8 |         if x.sum() > 1:",
            "  |            ^^^^^^^^^^^ True",
            "*witness: function and graph differ for",
        ]
    )
    assert "Traceback" not in result.stdout.str()


@pytest.mark.parametrize(("level", "failed"), [("error", 0), ("warning", 2), ("information", 3)])
def test_the_level_decides(pytester: pytest.Pytester, level: str, failed: int):
    """A `print` is information; it lies in a helper of the documented function."""
    make(pytester, src__model=MODEL)
    run(pytester, "--nst", f"--nst-fail-on={level}").assert_outcomes(passed=7 - failed, failed=failed)


def test_settings_are_obeyed(pytester: pytest.Pytester):
    make(pytester, 'ignore = ["NST101"]\nexclude = ["gen"]', src__model=MODEL, gen__model=MODEL)
    run(pytester, "--nst").assert_outcomes(passed=7)


def test_what_the_baseline_knows_is_known(pytester: pytest.Pytester):
    make(pytester, src__model=MODEL)
    written = nst("check", "--write-baseline", cwd=pytester.path)
    assert written.returncode == 0, written.stderr
    run(pytester, "--nst").assert_outcomes(passed=7)
    Path(pytester.path, "src", "model.py").write_text(MODEL.replace("x.sum() > 1", "x.mean() > 1"))
    run(pytester, "--nst", "-k", "forward").assert_outcomes(failed=2, deselected=5)


def test_collecting_imports_nothing_of_the_user(pytester: pytest.Pytester):
    spoilt = "raise SystemExit('imported')\n" + MODEL
    make(pytester, src__model=spoilt)
    for arguments in (["src/model.py"], ["src"], []):
        result = run(pytester, "--nst", "--collect-only", "-q", *arguments)
        assert result.ret == 0, result.stdout.str()
        assert collected(result)[-6:] == [
            "src/model.py::Layer.forward[example 0]",
            "src/model.py::Layer.forward[example 1]",
            "src/model.py::plain[example 0]",
            "src/model.py::quiet[example 0]",
            "src/model.py::documented[example 0]",
            "src/model.py::<module>",
        ]


def test_paths_say_where_examples_are_looked_for(pytester: pytest.Pytester):
    make(pytester, src__model=MODEL, other__model=MODEL)
    assert len(collected(run(pytester, "--nst", "--collect-only", "-q"))) == 13
    assert len(collected(run(pytester, "--nst", "--collect-only", "-q", "other"))) == 6
    assert len(collected(run(pytester, "--nst", "--collect-only", "-q", "tests"))) == 1
    assert len(collected(run(pytester, "--nst", "--collect-only", "-q", "-o", "nst_paths=other"))) == 7


def test_one_is_chosen_by_name(pytester: pytest.Pytester):
    make(pytester, src__model=MODEL)
    result = run(pytester, "--nst", "-k", "plain")
    result.assert_outcomes(passed=1, deselected=6)
    result.stdout.fnmatch_lines(["collected 7 items / 6 deselected / 1 selected"])
    run(pytester, "--nst", "src/model.py::Layer.forward[example 1]").assert_outcomes(failed=1)
    run(pytester, "--nst", "src/model.py::Layer.forward").assert_outcomes(failed=2)


def test_the_run_stops_at_the_first_failure(pytester: pytest.Pytester):
    make(pytester, src__model=MODEL)
    run(pytester, "--nst", "-x").assert_outcomes(passed=1, failed=1)


def test_the_last_failures_run_again(pytester: pytest.Pytester):
    make(pytester, src__model=MODEL)
    run(pytester, "--nst", "--lf").assert_outcomes(passed=5, failed=2)
    again = run(pytester, "--nst", "--lf").parseoutcomes()
    assert (again["failed"], again.get("passed", 0)) == (2, 0)


def test_tests_are_spread_over_processes(pytester: pytest.Pytester):
    make(pytester, src__model=MODEL)
    run(pytester, "--nst", "-n2", "--junitxml=junit.xml").assert_outcomes(passed=5, failed=2)
    assert outcomes(pytester)["src.model::Layer.forward[example 0]"] == "failure"


def test_a_module_that_does_not_load_is_told_once(pytester: pytest.Pytester):
    make(pytester, src__broken="import nowhere\n" + MODEL)
    result = run(pytester, "--nst", "-rN")
    result.assert_outcomes(passed=1, failed=6)
    assert result.stdout.str().count("error[NST503]") == 1
    result.stdout.fnmatch_lines(["the module could not be loaded: broken.py::<module> says why"])


def test_what_belongs_to_no_example_belongs_to_the_module(pytester: pytest.Pytester):
    make(pytester, src__model=MODEL + "\n# nst: exampel(1)\ndef f(x):\n    return x\n")
    result = run(pytester, "--nst", "-k", "module or plain")
    result.assert_outcomes(passed=1, failed=1, deselected=5)
    result.stdout.fnmatch_lines(["*there is no comment `nst: exampel`*"])


ANNOTATED = """\
from typing import Annotated
import numpy as np
from tracer import spec

Rows = Annotated[np.ndarray, spec("n 3")]


def told(x: Annotated[np.ndarray, spec("n 3")]):
    return x if x.shape[0] > 2 else -x


def by_name(x: Rows):
    return x if x.shape[0] > 1 else -x
"""


def test_annotations_are_examples(pytester: pytest.Pytester):
    """That of an alias is known only once the module is loaded: it belongs to the module."""
    make(pytester, src__model=ANNOTATED)
    result = run(pytester, "--nst", "--junitxml=junit.xml")
    result.assert_outcomes(passed=1, failed=2)
    assert outcomes(pytester) == {
        "tests.test_own::test_own": "passed",
        "src.model::told[example 0]": "failure",
        "src.model::<module>": "failure",
    }
    result.stdout.fnmatch_lines(["13 |     return x if x.shape[[]0[]] > 1 else -x"])
