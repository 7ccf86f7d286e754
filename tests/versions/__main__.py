"""Tries the tracer in several Pythons with several NumPys: `make test-versions`; `ONLY=3.10-1.26` tries one.

For each combination of `matrix.py`: a virtual environment (`.venv-versions/`), the tracer's own tests in it, and the
marked cases checked by our `nst` with a worker in it.  Two are at work at a time.  A Python that this machine has not
is told at the end; fewer than two, or nothing for the oldest NumPy, is an error, and so is a run without a test.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from tests.versions import environments, findings
from tests.versions.matrix import ROOT, Combination, combinations, interpreters, too_few

AT_A_TIME = 2
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""With several, two calls of one solver may differ in their last bits; and two runs are at work already."""
TESTS = ("tests/tracer", "tests/programs", "tests/test_pure_cases.py")
COVERAGE = "tests/coverage"
SHAPES = "tests/tracer/test_shapes_*.py"
"""Every function of NumPy, traced and by the rules of shapes: long to run, so with the oldest and the newest only."""
LEFT_OUT = ("tests/*/test_long.py", "tests/programs/test_witnesses.py")
"""Growth with the length of a program, the same everywhere; a long search for witnesses, which `nst check` does too."""


@dataclass(slots=True)
class Outcome:
    """What a combination came to; `wrong` is empty where all is well."""

    combination: Combination
    python: str = "?"
    numpy: str = "?"
    passed: int = 0
    failed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    gaps: int = 0
    same_findings: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)


def main(only: list[str]) -> int:
    tried, without = combinations(interpreters())
    problem = None if only else too_few(tried)
    unknown = set(only) - {each.name for each in tried}
    if unknown:
        print(f"not among {', '.join(each.name for each in tried)}: {', '.join(sorted(unknown))}")
        return 2
    tried = [each for each in tried if not only or each.name in only]
    ours = findings.report(sys.executable)
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        outcomes = list(pool.map(lambda each: _try(each, ours), tried))
    for outcome in outcomes:
        _tell(outcome)
    _table(sorted(outcomes, key=lambda each: [int(part) for part in each.combination.python.split(".")]))
    for line in without:
        print(f"!!! {line}")
    if problem is not None:
        print(f"FAILED: {problem}")
    return 1 if problem is not None or any(outcome.wrong for outcome in outcomes) else 0


def _try(combination: Combination, ours: findings.Report) -> Outcome:
    outcome = Outcome(combination)
    began = time.monotonic()
    try:
        environments.make(combination)
        outcome.python, outcome.numpy = environments.versions(combination)
        _test(outcome)
        theirs = findings.report(environments.python_of(combination))
        outcome.wrong += findings.differences(theirs, ours, combination.python)
        outcome.same_findings = sum(map(len, theirs.values()))
    except (environments.NotMade, RuntimeError) as error:
        outcome.wrong.append(str(error))
    outcome.seconds = time.monotonic() - began
    print(f"{combination.name}: {'FAILED' if outcome.wrong else 'done'} in {outcome.seconds:.0f} s", flush=True)
    return outcome


def _test(outcome: Outcome) -> None:
    """Run the tests, and count them from what pytest writes for machines."""
    log, counts = environments.log_of(outcome.combination), environments.counts_of(outcome.combination)
    counts.unlink(missing_ok=True)
    command = [environments.python_of(outcome.combination), "-B", "-m", "pytest", "-q", "--tb=short"]
    command += ["-p", "no:cacheprovider", f"--junitxml={counts}", *TESTS]
    command += [f"--ignore-glob={ROOT / pattern}" for pattern in LEFT_OUT]
    command.append(COVERAGE if outcome.combination.thorough else f"--ignore-glob={ROOT / SHAPES}")
    with open(log, "w", encoding="utf-8") as file:
        status = subprocess.run(
            command, stdout=file, stderr=subprocess.STDOUT, cwd=ROOT, env=os.environ | ONE_THREAD, check=False
        ).returncode
    if counts.exists():
        for case in ET.parse(counts).iter("testcase"):
            _count(outcome, case)
    if status != 0:
        outcome.wrong.append(f"pytest: exit status {status}\n{_end_of(log.read_text(encoding='utf-8'))}")
    elif outcome.passed == 0:
        outcome.wrong.append("no test ran")


def _count(outcome: Outcome, case: ET.Element) -> None:
    skipped = case.find("skipped")
    if skipped is None:
        bad = case.find("failure") is not None or case.find("error") is not None
        outcome.failed += bad
        outcome.passed += not bad
    elif skipped.get("type") == "pytest.xfail":
        outcome.gaps += 1
    else:
        outcome.skipped[skipped.get("message", "")] += 1


def _end_of(log: str) -> str:
    """The summary of a log, or its last lines."""
    lines = log.splitlines()
    marks = [n for n, line in enumerate(lines) if "short test summary" in line]
    return "\n".join(line for line in lines[marks[-1] if marks else -60 :] if not line.startswith(("XFAIL", "SKIPPED")))


def _tell(outcome: Outcome) -> None:
    if outcome.skipped or outcome.wrong:
        print(f"\n--- {outcome.combination.name}")
    for reason, count in outcome.skipped.most_common():
        print(f"skipped {count}: {reason}")
    for wrong in outcome.wrong:
        print(f"WRONG {wrong}")
    if outcome.wrong:
        print(f"(the whole log: {environments.log_of(outcome.combination).relative_to(ROOT)})")


def _table(outcomes: list[Outcome]) -> None:
    rows = [("python", "numpy", "passed", "skipped", "known gaps", "failed", "nst check", "seconds")]
    for each in outcomes:
        skipped, seconds = str(sum(each.skipped.values())), f"{each.seconds:.0f}"
        check = f"{each.same_findings} findings" if each.same_findings else "-"
        row = (each.python, each.numpy, str(each.passed), skipped, str(each.gaps), str(each.failed), check, seconds)
        rows.append(row)
    print()
    for row in rows:
        print("  ".join(cell.ljust(13) for cell in row).rstrip())
    print()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
