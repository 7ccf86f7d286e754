"""Projects in which pytest is run as a user runs it, in a process of its own: `pytester` with what all of them need."""

from __future__ import annotations

from pathlib import Path

import pytest

MODEL = """\
import numpy as np


class Layer:
    # nst: example(Layer(), np.ones((3, 4)))
    # nst: example(Layer(), np.zeros((2, 4)))
    def forward(self, x):
        if x.sum() > 1:
            return x * 2
        return x


# nst: example(np.ones(3))
def plain(x):
    return x + 1


# nst: example(np.ones(3))
def quiet(x):
    return x + 1 if x[0] > 0 else x  # nst: ignore


def told(x):
    print(x)
    return x * 3


def documented(x):
    \"\"\"
    >>> documented(np.ones(3))
    array([3., 3., 3.])
    \"\"\"
    return told(x)
"""


SETTINGS = """\
[tool.nst]
# more

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["src", "."]
"""


def make(pytester: pytest.Pytester, settings: str = "", **files: str) -> None:
    """A project of these files, by name without suffix (`pkg__model` is `pkg/model.py`), and one test that passes."""
    pytester.makefile(".toml", pyproject=SETTINGS.replace("# more", settings))
    for name, text in {"tests__test_own": "def test_own(): pass\n", **files}.items():
        path = Path(pytester.path, *name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest there, without the plugins that we have for our own tests."""
    others = ("asyncio", "lsp", "pytest-lsp", "inline_snapshot", "jaxtyping", "hypothesispytest", "anyio")
    without = [word for name in others for word in ("-p", f"no:{name}")]
    return pytester.runpytest_subprocess(*without, *arguments)
