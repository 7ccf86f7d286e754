"""A project as they are in public (tests/projects/sigkit): its tests are recorded, and examples made of them trace."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.cli.command import check_json, nst

SEARCHED = r", (agrees|differs|not compared).*?(?=    #)|(?<=nothing that traces) .*"
"""What the search for witnesses told, for which there is some time only; the test of it is elsewhere."""
PROJECT = Path(__file__).parents[1] / "projects" / "sigkit"


@pytest.fixture(scope="module")
def sigkit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy whose tests were recorded, and that `nst init` has gone over."""
    copy = tmp_path_factory.mktemp("projects") / "sigkit"
    shutil.copytree(PROJECT, copy, ignore=shutil.ignore_patterns("__pycache__", ".nst"))
    recording = [sys.executable, "-m", "pytest", "-q", "-p", "no:asyncio", "--nst-record"]
    done = subprocess.run(recording, cwd=copy, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "34 calls of 24 functions are in .nst/recorded.json" in done.stdout
    return copy


@pytest.fixture(scope="module")
def said(sigkit: Path) -> str:
    done = nst("init", "--yes", cwd=sigkit)
    assert done.returncode == 0, done.stderr
    return re.sub(SEARCHED, "", done.stdout.replace(str(sigkit), "sigkit"))


def test_what_was_recorded(sigkit: Path):
    document = json.loads((sigkit / ".nst" / "recorded.json").read_text())
    rows = [
        f"{function['function']}({call['arguments']})"
        for function in document["functions"]
        for call in function["calls"]
    ]
    assert "\n".join(rows) == snapshot("""\
as_rows(0.1 * np.random.default_rng(0).standard_normal(3))
as_rows(np.random.default_rng(0).standard_normal((20, 3)))
MovingAverage.__call__(MovingAverage(3), 100 * np.random.default_rng(0).random((2, 10)))
MovingAverage.apply(MovingAverage(3), 100 * np.random.default_rng(0).random((2, 10)))
Recursive.response(Recursive(feedback=0.5), np.array([0.0, 0.5]))
Recursive.step(Recursive(feedback=0.5), np.ones(4))
differences(np.arange(10.0))
differences(np.arange(10.0), 2)
exponential([1, 2, 3])
exponential(np.full(6, 2.5), 0.1)
smooth(np.arange(10.0))
smooth(np.arange(10.0), 5)
band_power(np.random.default_rng(0).standard_normal(128), 64.0, 8, 12)
decibels(10 * np.random.default_rng(0).random((7, 17)))
power_spectrum(np.random.default_rng(0).standard_normal(32))
power_spectrum(np.random.default_rng(0).standard_normal(128))
spectrogram(np.random.default_rng(0).standard_normal(128), 32, 16)
Normaliser.fit(Normaliser(1), np.random.default_rng(0).standard_normal((20, 3)))
Normaliser.transform(Normaliser(1), 0.1 * np.random.default_rng(0).standard_normal(3))
correlation(np.random.default_rng(0).standard_normal(20), np.random.default_rng(1).standard_normal(20))
describe(np.random.default_rng(0).standard_normal((20, 3)), ['a', 'b', 'c'])
histogram(np.array([0.5, 1.5, 1.6]), [0, 1, 2])
outliers(np.array([1.0, 2.0, 1.5, 90.0]))
running_mean(np.array([1.0, 3.0]))
running_mean(np.array([1.0, 3.0]), np.array([1, 3]))
standardise(np.random.default_rng(0).standard_normal((20, 3)))
hann(9)
make(Window.FLAT, 4)
make(Window.HANN, 32)
make(Window.TRIANGLE, 9)
triangle(9)
windowed(np.ones((2, 9)), Window.TRIANGLE)
windowed(np.random.default_rng(0).standard_normal(32))
windowed(np.random.default_rng(0).standard_normal(128))\
""")


def test_what_is_proposed(said: str):
    assert said == snapshot("""\
pyproject.toml: [tool.nst] added
nst init runs functions of sigkit
to see which examples trace: in processes of its own, whose writes, network and processes are stopped.

src/sigkit/_checks.py
  as_rows(0.1 * np.random.default_rng(0).standard_normal(3))
      2 operations    # recorded in tests/test_statistics.py::test_normaliser
  as_rows(np.random.default_rng(0).standard_normal((20, 3)))
      1 operation    # recorded in tests/test_statistics.py::test_normaliser

src/sigkit/filters.py
  smooth(np.arange(10.0))
      3 operations    # recorded in tests/test_filters.py::test_smooth_keeps_a_ramp
  smooth(np.arange(10.0), 5)
      3 operations    # recorded in tests/test_filters.py::test_smooth_keeps_a_ramp
  exponential(np.full(6, 2.5), 0.1)
      33 operations    # recorded in tests/test_filters.py::test_exponential_of_a_constant_is_itself[0.1]
  exponential(spec(5))
      28 operations    # docstring
  differences(np.arange(10.0))
      3 operations    # recorded in tests/test_filters.py::test_differences[1]
  differences(np.arange(10.0), 2)
      6 operations    # recorded in tests/test_filters.py::test_differences[2]
  MovingAverage.apply(MovingAverage(3), 100 * np.random.default_rng(0).random((2, 10)))
      6 operations    # recorded in tests/test_filters.py::test_moving_average_of_rows
  MovingAverage.__call__(MovingAverage(3), 100 * np.random.default_rng(0).random((2, 10)))
      6 operations    # recorded in tests/test_filters.py::test_moving_average_of_rows
  Recursive.step(Recursive(feedback=0.5), np.ones(4))
      20 operations    # recorded in tests/test_filters.py::test_recursive_remembers
  Recursive.response(Recursive(feedback=0.5), np.array([0.0, 0.5]))
      6 operations    # recorded in tests/test_filters.py::test_recursive_remembers
  MovingAverage.of_rate: nothing that traces

src/sigkit/spectra.py
  power_spectrum(np.random.default_rng(0).standard_normal(32))
      12 operations    # recorded in tests/test_spectra.py::test_spectrogram_has_a_row_a_piece
  band_power(np.random.default_rng(0).standard_normal(128), 64.0, 8, 12)
      18 operations    # recorded in tests/test_spectra.py::test_a_sine_has_its_power_in_its_band
  decibels(10 * np.random.default_rng(0).random((7, 17)))
      3 operations    # recorded in tests/test_spectra.py::test_spectrogram_has_a_row_a_piece

src/sigkit/statistics.py
  standardise(np.random.default_rng(0).standard_normal((20, 3)))
      4 operations    # recorded in tests/test_statistics.py::test_standardise
  correlation(np.random.default_rng(0).standard_normal(20), np.random.default_rng(1).standard_normal(20))
      13 operations    # recorded in tests/test_statistics.py::test_correlation_of_a_signal_with_itself
  running_mean(np.array([1.0, 3.0]))
      5 operations    # recorded in tests/test_statistics.py::test_running_mean
  running_mean(np.array([1.0, 3.0]), np.array([1, 3]))
      4 operations    # recorded in tests/test_statistics.py::test_running_mean
  outliers(np.array([1.0, 2.0, 1.5, 90.0]))
      2 operations    # recorded in tests/test_statistics.py::test_outliers
  histogram(np.array([0.5, 1.5, 1.6]), [0, 1, 2])
      11 operations    # recorded in tests/test_statistics.py::test_histogram
  Normaliser.fit: nothing that traces
  Normaliser.transform: nothing that traces
  describe: nothing that traces

src/sigkit/windows.py
  hann(9)
      6 operations    # recorded in tests/test_spectra.py::test_windows_end_in_zero
  triangle(9)
      5 operations    # recorded in tests/test_spectra.py::test_windows_end_in_zero
  make(Window.FLAT, 4)
      1 operation    # recorded in tests/test_spectra.py::test_windows_end_in_zero
  make(Window.HANN, 32)
      6 operations    # recorded in tests/test_spectra.py::test_spectrogram_has_a_row_a_piece
  windowed(np.ones((2, 9)), Window.TRIANGLE)
      6 operations    # recorded in tests/test_spectra.py::test_windows_end_in_zero
  windowed(np.random.default_rng(0).standard_normal(32))
      7 operations    # recorded in tests/test_spectra.py::test_spectrogram_has_a_row_a_piece

27 examples written, of 20 functions that trace
next: nst check
""")


def test_each_example_traces(sigkit: Path, said: str):
    document = check_json(cwd=sigkit)
    functions = [function for file in document["files"] for function in file["functions"]]
    found = [example for function in functions for example in function["examples"]]
    assert {example["status"] for example in found} == {"traced"}
    assert len(found) == 26 + 1  # and one of a docstring


def test_the_project_s_tests_still_pass(sigkit: Path, said: str):
    testing = [sys.executable, "-m", "pytest", "-q", "-p", "no:asyncio"]
    done = subprocess.run(testing, cwd=sigkit, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
