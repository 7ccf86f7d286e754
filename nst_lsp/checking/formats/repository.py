"""The folder that paths are told relative to: services show a finding only where they know the file by that path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def source_root(folder: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """The repository around a folder (not the folder itself, as a step may run in a part of it).

    Where there is no sign of one, as in a container without its `.git`: GitHub's checkout around the folder, or the
    folder.  A worktree and a submodule have a file `.git`.
    """
    real = Path(os.path.realpath(folder))
    for candidate in (real, *real.parents):
        if (candidate / ".git").exists():
            return candidate
    workspace = environment.get("GITHUB_WORKSPACE")
    if workspace and real.is_relative_to(checkout := Path(os.path.realpath(workspace))):
        return checkout
    return real
