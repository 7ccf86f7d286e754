"""Which files are a project's own sources: below its root, none of its tests, in no hidden or installed folder."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from . import settings

MADE = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist"})
"""Folders of what was made or installed: whoever looks for a project's files passes them over."""
_NEVER = MADE | {"venv", "docs", "doc"}
_TEST = re.compile(r"(^|/)tests?/|(^|/)(test_[^/]*|[^/]*_test|conftest|setup|noxfile)\.py$")


def is_source(root: Path) -> Callable[[str], bool]:
    """Whether an absolute path is a source of the project at `root`, by the project's settings too."""
    table, _ = settings.read_project(root)
    exclude = settings.read(table, {})[0].exclude

    def judge(path: str) -> bool:
        file = Path(path)
        if file.suffix != ".py" or not file.is_relative_to(root):
            return False
        *folders, _ = inside = file.relative_to(root).parts
        if any(part.startswith(".") or part in _NEVER for part in folders) or _TEST.search("/".join(inside)):
            return False
        environments = (root.joinpath(*folders[:count], "pyvenv.cfg") for count in range(1, len(folders) + 1))
        return not any(one.is_file() for one in environments) and not settings.matches(exclude, file, root)

    return judge
