"""The guide (docs/adopting.md): its commands are run, in their order, on the project that it speaks of."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import NST

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "adopting.md").read_text(encoding="utf-8")
PYTEST = [sys.executable, "-m", "pytest", "-p", "no:asyncio"]
COMMANDS = {
    "nst init": "nst init --yes",  # nobody is there to be asked
    "pytest --nst": "pytest --nst --nst-fail-on error",  # the project has its faults, and the guide says to mend them
}


def consoles() -> list[list[tuple[str, list[str]]]]:
    """The commands of each console block, each with the lines that are shown below it."""
    blocks = []
    for block in re.findall(r"```console\n(.*?)```", GUIDE, re.DOTALL):
        commands: list[tuple[str, list[str]]] = []
        for line in block.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:].partition("  #")[0].strip(), []))
            else:
                commands[-1][1].append(line)
        blocks.append(commands)
    return blocks


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)


def run(command: str, cwd: Path) -> str:
    program, *arguments = COMMANDS.get(command, command).split()
    programs = {
        "nst": [str(NST)],
        "pytest": [sys.executable, "-m", "pytest", "-p", "no:asyncio", "-p", "no:cacheprovider"],
    }
    environment = {**os.environ, "VIRTUAL_ENV": sys.prefix}
    done = subprocess.run(
        [*programs[program], *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
    return done.stdout


def holds(shown: list[str], said: str) -> bool:
    """Whether the lines that are shown are said, one after the other where no `...` stands between them.

    Whether the search for witnesses had time enough to say `agrees` is not for this test.
    """
    pattern = "".join(".*" if line == "..." else re.escape(line) + r"\n" for line in shown)
    return re.search(pattern.replace("agrees", r"[^\n]*"), said, re.DOTALL) is not None


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("guide") / "sigkit"
    shutil.copytree(ROOT / "tests" / "projects" / "sigkit", copy, ignore=shutil.ignore_patterns("__pycache__", ".nst"))
    return copy


def test_the_guide_is_true(project: Path):
    (test,) = (block for block in blocks("python") if "def test_" in block)
    for commands in consoles():
        for command, shown in commands:
            if "--nst-update" in command:
                (project / "tests" / "test_graphs.py").write_text(test)
            said = run(command, project).replace(str(project), "sigkit")
            assert holds(shown, said), f"$ {command}\n{said}"
    example = blocks("python")[0].splitlines()[0]
    assert f"{example}\ndef standardise" in (project / "src" / "sigkit" / "statistics.py").read_text()
    kept = project / "tests" / "__graphs__" / "test_graphs" / "test_standardise.txt"
    assert kept.read_text() == blocks("text")[0]


def test_the_difference_is_the_one_that_is_shown(project: Path):
    """After the guide was followed: its change is made, and the test fails as it says."""
    source = project / "src" / "sigkit" / "statistics.py"
    if not (project / "tests" / "__graphs__").exists():
        pytest.skip("the guide was not followed")
    source.write_text(source.read_text().replace("table.std(axis=0)\n", "table.std(axis=0, ddof=1)\n", 1))
    done = subprocess.run([*PYTEST, "tests/test_graphs.py"], cwd=project, capture_output=True, text=True)
    assert done.returncode == 1
    said = [line.removeprefix("E").strip() for line in done.stdout.splitlines() if line.startswith("E ")]
    for line in blocks("diff")[0].splitlines():
        assert " ".join(line.split()) in [" ".join(one.split()) for one in said]


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:\s]+)", GUIDE))
def test_links_lead_somewhere(link: str):
    assert (ROOT / "docs" / link).exists()
