"""Runs the installed `nst` as a shell would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

NST = Path(sys.executable).with_name("nst")


def nst(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The interpreter that runs the tests runs the code, unless the arguments or settings say otherwise."""
    inherited = {key: value for key, value in os.environ.items() if key not in {"FORCE_COLOR", "VIRTUAL_ENV"}}
    return subprocess.run(
        [NST, *arguments],
        cwd=cwd,
        env=inherited | {"VIRTUAL_ENV": str(Path(sys.prefix))} | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def check_json(*arguments: str | Path, cwd: Path) -> dict[str, Any]:
    done = nst("check", "--format", "json", *arguments, cwd=cwd)
    assert done.stdout, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document
