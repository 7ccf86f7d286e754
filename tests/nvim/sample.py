"""The file that most tests open in Neovim, and what a person sees of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.nvim.neovim import EDITORS, Neovim

SOURCE = """\
import numpy as np

gain = 3.0


# nst: example(np.arange(3.0))
def scale(x):
    if x.shape[0] > 2:
#      ^^^^^^^^^^^^^^ NST102
        x = x - 1.0
    return x * gain
#              ^^^^ NST205


# nst: example(np.arange(6.0).reshape(2, 3))
def größe(wert):
    return {"Größe 📐 𝛼 ∂": np.sqrt(wert) + gain}
#                                          ^^^^ NST205
"""
MARK = re.compile(r"#(?P<gap> *)(?P<carets>\^+) (?P<code>NST\d{3})")


def expected(source: str) -> list[tuple[str, int, int, str]]:
    """Code, line, first byte and text of every finding that a mark in `source` speaks of."""
    found = []
    lines = source.splitlines()
    for number, line in enumerate(lines):
        if mark := MARK.fullmatch(line):
            code_line = lines[number - 1]
            start = 1 + len(mark["gap"])
            text = code_line[start : start + len(mark["carets"])]
            found.append((mark["code"], number, len(code_line[:start].encode()), text))
    return found


def seen(editor: Neovim) -> list[tuple[str, int, int, str]]:
    return [(d["code"], d["line"], d["first_byte"], d["text"]) for d in editor.lua("return driver.diagnostics()")]


def line_of(text: str, source: str = SOURCE) -> int:
    return next(number for number, line in enumerate(source.splitlines(), 1) if text in line)


def set_up(heading: str) -> str:
    """The Lua that editors/README.md gives under a heading."""
    section = (EDITORS / "README.md").read_text(encoding="utf-8").split(f"\n### {heading}\n")[1].split("\n## ")[0]
    section = section.split("\n### ")[0]
    return "\n".join(re.findall(r"```lua\n(.*?)```", section, re.DOTALL))


def new_project(folder: Path, source: str = SOURCE, name: str = "sample.py") -> Path:
    (folder / "pyproject.toml").write_text('[project]\nname = "sample"\nversion = "1"\n', encoding="utf-8")
    path = folder / name
    path.write_text(source, encoding="utf-8")
    return path


def open_file(editor: Neovim, path: Path, findings: int | None = None) -> None:
    """Open a file, and wait until all that it is marked with is told: results come function by function."""
    editor.lua("vim.cmd.edit(...)", str(path))
    wanted = max(1, len(expected(path.read_text(encoding="utf-8")))) if findings is None else findings
    editor.lua(
        "local wanted = ...; driver.wait('diagnostics', function() return #driver.diagnostics() >= wanted end)", wanted
    )


def lens_at(editor: Neovim, line: int, pattern: str) -> str:
    """The lens drawn on a line, once it matches."""
    wanted = editor.lua(
        """local line, pattern = ...
        return driver.wait('a lens like ' .. pattern, function()
          local lens = driver.lenses()[tostring(line)]
          return lens and vim.regex(pattern):match_str(lens) and lens
        end)""",
        line, pattern,
    )  # fmt: skip
    assert isinstance(wanted, str)
    return wanted


def graph(editor: Neovim) -> dict[str, Any]:
    shown: dict[str, Any] = editor.lua("return driver.wait('a graph', driver.graph)")
    return shown
