"""The hook `nst-check`, installed and run by pre-commit itself, in a project with an environment of its own.

`make test-hook` runs it: pre-commit installs this checkout, with what it needs, into an environment for the hook.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
BRANCH = """\
import numpy as np
import scipy.special  # the project has it, the hook's environment has not


# nst: example(np.array([1.0, 2.0]))
def f(x):
    if x.mean() > 0:
        return scipy.special.expit(x) * 2
    return -x
"""
NEVER = 'raise SystemError("only files with examples are run")\n'


def run(*command: str | Path, cwd: Path, store: Path) -> subprocess.CompletedProcess[str]:
    """As in a shell with no environment active, whatever is active around the tests; the graph page is not built."""
    variables = {
        name: value
        for name, value in os.environ.items()
        if name not in {"VIRTUAL_ENV", "FORCE_COLOR"} and not name.startswith(("GIT_", "PRE_COMMIT"))
    }
    folders = [folder for folder in os.environ["PATH"].split(os.pathsep) if Path(folder) != Path(sys.prefix, "bin")]
    for who in ("AUTHOR", "COMMITTER"):
        variables |= {f"GIT_{who}_NAME": "nobody", f"GIT_{who}_EMAIL": "nobody@localhost"}
    return subprocess.run(
        command,
        cwd=cwd,
        env=variables | {"PATH": os.pathsep.join(folders), "PRE_COMMIT_HOME": str(store), "NST_NO_PAGE": "1"},
        capture_output=True,
        text=True,
        timeout=1200,
    )


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps the hook's environment, which all tests share."""
    return tmp_path_factory.mktemp("store")


def git(*arguments: str | Path, cwd: Path, store: Path) -> str:
    done = run("git", *arguments, cwd=cwd, store=store)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory, store: Path) -> tuple[Path, str]:
    """This checkout as it stands, committed, and the commit: what is not committed yet is tried, too."""
    copy = tmp_path_factory.mktemp("nst-lsp")
    for name in git("ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT, store=store).split("\0"):
        if name and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    git("init", "-q", cwd=copy, store=store)
    git("add", "-A", cwd=copy, store=store)
    git("commit", "-qm", "as it stands", cwd=copy, store=store)
    return copy, git("rev-parse", "HEAD", cwd=copy, store=store).strip()


@pytest.fixture
def project(tmp_path: Path, ours: tuple[Path, str], store: Path) -> Path:
    """A repository with the hook installed, and a `.venv` that has the packages of the tests."""
    copy, commit = ours
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {copy}\n    rev: {commit}\n    hooks:\n      - id: nst-check\n"
    )
    (folder / "pyproject.toml").write_text('[tool.nst]\nexclude = ["gen"]\n')
    (folder / ".gitignore").write_text(".venv\n")
    venv.create(folder / ".venv", symlinks=True)
    packages = sysconfig.get_path("purelib", vars={"base": str(folder / ".venv")})
    Path(packages, "tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
    git("init", "-q", cwd=folder, store=store)
    assert run(sys.executable, "-m", "pre_commit", "install", cwd=folder, store=store).returncode == 0
    return folder


def commit(project: Path, store: Path) -> subprocess.CompletedProcess[str]:
    git("add", "-A", cwd=project, store=store)
    return run("git", "commit", "-m", "try", cwd=project, store=store)


def test_a_commit_with_a_finding_is_stopped_until_it_is_mended_or_known(project: Path, store: Path):
    (project / "ops.py").write_text(BRANCH)
    done = commit(project, store)
    assert done.returncode == 1, done.stderr
    assert "warning[NST101] branch-on-value" in done.stderr
    assert "--> ops.py:7:8  in f" in done.stderr
    assert "NST503" not in done.stderr, "the project's own environment has scipy"

    written = run(Path(sys.prefix, "bin", "nst"), "check", "--write-baseline", cwd=project, store=store)
    assert written.returncode == 0, written.stderr
    done = commit(project, store)
    assert done.returncode == 0, done.stderr

    (project / "ops.py").write_text(BRANCH.replace("x.mean() > 0", "x.max() > 0"))
    assert commit(project, store).returncode == 1
    (project / "ops.py").write_text(BRANCH.replace("x.mean() > 0", "x.ndim > 0"))
    done = commit(project, store)
    assert done.returncode == 0, done.stderr


def test_other_files_of_a_commit_are_not_run(project: Path, store: Path):
    for name in ("setup.py", "gen/ops.py", "notes.txt"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(NEVER if name != "gen/ops.py" else BRANCH)
    done = commit(project, store)
    assert done.returncode == 0, done.stderr
    assert "nst check" in done.stderr
