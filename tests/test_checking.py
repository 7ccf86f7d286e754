"""docs/checking.md: every command of the page is run, in the order of the page, and gives what the page shows.

Seconds are left out, and so are the witness's values where they are another's business.  The commands in the pages for
CI are run, too, where they are nst's own.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "checking.md").read_text(encoding="utf-8")
SIGNALS = """\
import numpy as np


# nst: example(np.array([1.0, 2.0]))
def rectify(x):
    if x.mean() > 0:
        return x
    return -x
"""


@dataclass(frozen=True, slots=True)
class Step:
    command: str
    shown: str
    """What the page shows under it."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def steps() -> list[Step]:
    parts = [part for block in blocks("console") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [Step(*part.split("\n", 1)) for part in parts]


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "GITHUB_", "FORCE_"))}
    path = os.pathsep.join([str(Path(sys.prefix, "bin")), os.environ["PATH"]])
    return subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=inherited | {"PATH": path, "VIRTUAL_ENV": sys.prefix},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.nst]\n")
    (tmp_path / "signals.py").write_text(SIGNALS)
    return tmp_path


def without_seconds(text: str) -> str:
    return re.sub(r"\b\d+\.\d s$", "… s", text, flags=re.MULTILINE)


def test_the_commands_give_what_the_page_shows(project: Path):
    found = steps()
    assert len(found) > 10
    for step in found:
        done = shell(step.command, project)
        assert without_seconds(done.stdout) == without_seconds(step.shown), step.command
        assert done.returncode == (1 if "NST101] branch" in done.stdout else 0), step.command


def commands_of(node: Any) -> list[str]:
    """The commands of `run` and `script` in a file for CI."""
    if isinstance(node, list):
        return [command for item in node for command in commands_of(item)]
    if not isinstance(node, dict):
        return []
    own = [node["run"]] if isinstance(node.get("run"), str) else []
    own += [command for command in node.get("script", []) if isinstance(command, str)]
    return own + [command for value in node.values() for command in commands_of(value)]


def test_the_files_for_ci_run_commands_that_there_are(project: Path):
    documents = [yaml.safe_load(block) for block in blocks("yaml")]
    commands = [command for document in documents for command in commands_of(document) if command.startswith("nst ")]
    assert len(commands) == 3
    for command in commands:
        done = shell(command, project)
        assert done.returncode == (0 if "--fail-on never" in command else 1), done.stdout


def test_the_hook_of_the_page_is_the_one_we_have():
    [ours] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    documents = [yaml.safe_load(block) for block in blocks("yaml")]
    hooks = [hook for document in documents for repository in document.get("repos", []) for hook in repository["hooks"]]
    assert {hook["id"] for hook in hooks} == {ours["id"]}


def test_options_of_the_page_exist():
    shown = shell("nst check --help", ROOT).stdout
    named = set(re.findall(r"--[a-z][a-z-]+", re.sub(r"```yaml.*?```|git .*|`jq [^`]*`", "", PAGE, flags=re.DOTALL)))
    assert named
    assert not {name for name in named if name not in shown} - {"--editable"}
