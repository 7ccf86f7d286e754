"""The commands that run no code of the user's, misuse, and what start-up costs."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests.cli.command import nst
from tracer.rules import RULES


def test_version(tmp_path: Path):
    assert nst("--version", cwd=tmp_path).stdout.split() == ["nst,", "version", metadata.version("nst-lsp")]
    assert nst("server", "--version", cwd=tmp_path).stdout.startswith("nst-lsp, version ")


def test_rules_lists_every_rule(tmp_path: Path):
    lines = nst("rules", cwd=tmp_path).stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [[rule.code, rule.name] for rule in RULES.values()]


@pytest.mark.parametrize("name", ["NST101", "nst101", "branch-on-value"])
def test_a_rule_s_page(name: str, tmp_path: Path):
    done = nst("rule", name, cwd=tmp_path)
    assert done.returncode == 0
    page = Path(__file__).parents[2] / "docs" / "rules" / "NST101.md"
    assert done.stdout.strip() == page.read_text(encoding="utf-8").strip()


def test_a_page_is_laid_out_on_a_terminal(tmp_path: Path):
    assert "\x1b[" in nst("rule", "NST101", cwd=tmp_path, FORCE_COLOR="1").stdout
    assert "\x1b[" not in nst("rule", "NST101", cwd=tmp_path, FORCE_COLOR="1", NO_COLOR="1").stdout


MISUSES = [
    (["rule", "NST999"], "no rule is called NST999"),
    (["check", "missing.py"], "'missing.py' does not exist"),
    (["check", "--select", "NST9"], "no rule is called NST9"),
    (["check", "--ignore", "NST101,nonsense"], "no rule is called nonsense"),
    (["check", "--mode", "quick"], "'quick' is not one of"),
    (["check", "--fail-on", "hint"], "'hint' is not one of"),
    (["check", "--jobs", "0"], "0 is not in the range"),
    (["check", "--format", "xml"], "'xml' is not one of"),
    (["graph", "ops.py"], "'ops.py' is not FILE::QUALNAME"),
    (["graph", "missing.py::f"], "there is no file missing.py"),
    (["compare", "missing.py::f", "1"], "there is no file missing.py"),
    (["server", "--stdio", "--tcp", "localhost:1"], "choose one of"),
    (["server", "--tcp", "localhost"], "'localhost' is not HOST:PORT"),
    (["nonsense"], "No such command 'nonsense'"),
]


@pytest.mark.parametrize(
    ("arguments", "message"), MISUSES, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_misuse_is_named_and_gives_2(arguments: list[str], message: str, tmp_path: Path):
    done = nst(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_parsing_a_command_loads_neither_the_server_nor_numpy_nor_rich_s_console():
    program = "import sys, nst_lsp.cli, nst_lsp.checking.check, nst_lsp.checking.summary; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pygls", "lsprotocol", "jedi", "numpy", "rich.console"} & set(loaded)
