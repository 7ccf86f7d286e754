"""A person with Emacs: opens a file, sees what the graph lost, silences a finding, and has the graph shown.

Emacs, its two language clients, the server and the worker are the real ones, set up with the very lines that
editors/README.md gives.  `tests/editors/run` runs it, as `make test` shall not need Emacs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
README = HERE.parents[1] / "editors" / "README.md"
SOURCE = """\
import numpy as np

gain = 3.0


# nst: example(np.arange(3.0))
def scale(x):
    if x.shape[0] > 2:
        x = np.sqrt(x)
    return x * gain
"""


@pytest.mark.parametrize("client", ["eglot", "lsp-mode"])
def test_findings_hover_lenses_an_action_and_the_graph_are_there(client: str, tmp_path: Path) -> None:
    told = visit(client, tmp_path)
    assert list(told["before"]) == ["x.shape[0] > 2", "gain"], "exactly what is underlined"
    assert "branch-on-shape" in told["before"]["x.shape[0] > 2"][0]
    assert "float64[3]" in told["hover"]
    assert "[0., 1., 1.414]" in told["hover"]
    if client == "lsp-mode":
        assert "graph: 2 operations · valid for x.shape[0] > 2" in told["lenses"][0]
    assert list(told["after"]) == ["gain"]
    assert "    if x.shape[0] > 2:  # nst: ignore[NST102]\n" in told["text"]
    assert told["graph"].endswith("scale-1.graph.py")


def visit(client: str, folder: Path) -> dict[str, Any]:
    """What `emacs.el` tells of its visit to a file with SOURCE."""
    (folder / "pyproject.toml").write_text('[project]\nname = "sample"\nversion = "1"\n', encoding="utf-8")
    source, lisp = folder / "sample.py", folder / "set-up.el"
    source.write_text(SOURCE, encoding="utf-8")
    lisp.write_text(set_up(client), encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["emacs", "-q", "--batch", "-l", HERE / "emacs.el", client, lisp, source],
        cwd=folder, env=os.environ | {"HOME": str(folder), "PATH": path},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def set_up(heading: str) -> str:
    """The first Lisp that editors/README.md gives under a heading."""
    section = README.read_text(encoding="utf-8").split(f"\n### {heading}\n")[1]
    found = re.search(r"```elisp\n(.*?)```", section, re.DOTALL)
    assert found is not None
    return found[1]
