"""What of ours a user's module can see, and whose `tracer` it gets.

Each test writes a small workspace, has the worker load a file of it, and reads what the file printed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import tracer
from nst_lsp.pool import WorkerPool
from tests.worker.marked import trace
from tracer.worker import bootstrap, wire
from tracer.worker.wire import Status

OURS = Path(tracer.__file__).parent


async def printed(pool: WorkerPool, folder: Path, code: str) -> str:
    """What a module with this code prints while the worker loads it."""
    path = folder / "main.py"
    path.write_text(textwrap.dedent(code))
    traced = await trace(pool, path)
    assert traced.loaded is not None
    assert [finding.message for finding in traced.findings] == []
    return traced.loaded.output


async def test_user_code_gets_the_running_tracer(pool: WorkerPool, way: str, tmp_path: Path) -> None:
    output = await printed(
        pool,
        tmp_path,
        """
        import sys, tracer, tracer.worker.wire
        from tracer import example
        from tracer.worker import wire
        print(tracer is sys.modules["_nst_tracer"], wire is sys.modules["_nst_tracer.worker.wire"])
        print(tracer.__name__, tracer.__spec__.name, wire.__spec__.name)
        """,
    )
    assert output == "True True\n_nst_tracer _nst_tracer _nst_tracer.worker.wire\n"


async def test_a_decorator_of_the_running_tracer_gives_an_example(pool: WorkerPool, tmp_path: Path) -> None:
    path = tmp_path / "main.py"
    code = """
        import numpy as np
        from tracer import example

        @example(np.ones(2))
        def f(x):
            return x + 1
    """
    traced = await trace(pool, path, textwrap.dedent(code))
    assert traced.reports["f"].status is Status.TRACED


async def test_a_submodule_that_does_not_exist_is_not_found(pool: WorkerPool, tmp_path: Path) -> None:
    output = await printed(
        pool,
        tmp_path,
        """
        try:
            import tracer.nowhere
        except ModuleNotFoundError as error:
            print(error)
        """,
    )
    assert output == "No module named 'tracer.nowhere'\n"


@pytest.mark.parametrize("layout", ["tracer.py", "tracer/__init__.py"])
async def test_a_users_own_tracer_wins(pool: WorkerPool, way: str, tmp_path: Path, layout: str) -> None:
    (tmp_path / layout).parent.mkdir(exist_ok=True)
    (tmp_path / layout).write_text("whose = 'theirs'\n")
    output = await printed(
        pool,
        tmp_path,
        """
        import sys
        from tracer import whose
        print(whose, "_nst_tracer" in sys.modules)

        # nst: example(np.ones(2))
        def still_traced(x):
            return x + 1
        """,
    )
    assert output == "theirs True\n"


async def test_a_submodule_of_ours_is_not_in_a_users_own_tracer(pool: WorkerPool, tmp_path: Path) -> None:
    (tmp_path / "tracer").mkdir()
    (tmp_path / "tracer" / "__init__.py").write_text("")
    (tmp_path / "tracer" / "rules.py").write_text("whose = 'theirs'\n")
    output = await printed(
        pool,
        tmp_path,
        """
        from tracer.rules import whose
        try:
            import tracer.worker
        except ModuleNotFoundError as error:
            print(whose, error)
        """,
    )
    assert output == "theirs No module named 'tracer.worker'\n"


@pytest.fixture
def bare_python(tmp_path: Path) -> str:
    """An environment that has NumPy, but nothing of ours."""
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    packages = next(environment.glob("lib/python*/site-packages"))
    ours = Path(sysconfig.get_path("platlib"))
    for name in ("numpy", "numpy.libs"):
        if (ours / name).exists():
            (packages / name).symlink_to(ours / name)
    return str(environment / "bin" / "python")


@pytest.fixture
async def bare_pool(bare_python: str, no_orphans: None, tmp_path: Path) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(bare_python, str(tmp_path))
    yield pool
    await pool.close()


async def test_nothing_else_of_ours_is_visible(bare_pool: WorkerPool, way: str, tmp_path: Path) -> None:
    output = await printed(
        bare_pool,
        tmp_path,
        """
        import importlib.util, tracer
        for name in ("nst_lsp", "pygls", "worker", "wire", "run", "frames", "bootstrap", "serve"):
            if importlib.util.find_spec(name):
                print(name)
        """,
    )
    assert output == ""


async def test_a_users_folder_of_modules_called_tracer_wins(bare_pool: WorkerPool, tmp_path: Path) -> None:
    (tmp_path / "tracer").mkdir()
    (tmp_path / "tracer" / "rays.py").write_text("whose = 'theirs'\n")
    assert await printed(bare_pool, tmp_path, "from tracer.rays import whose\nprint(whose)\n") == "theirs\n"


async def test_a_folder_called_tracer_without_modules_does_not(bare_pool: WorkerPool, tmp_path: Path) -> None:
    (tmp_path / "tracer").mkdir()
    code = "import sys, tracer\nprint(tracer is sys.modules['_nst_tracer'])\n"
    assert await printed(bare_pool, tmp_path, code) == "True\n"


async def test_a_second_installed_copy_of_ours_is_the_running_one(
    bare_pool: WorkerPool, bare_python: str, way: str, tmp_path: Path
) -> None:
    packages = next(Path(bare_python).parent.parent.glob("lib/python*/site-packages"))
    shutil.copytree(OURS, packages / "tracer", ignore=shutil.ignore_patterns("__pycache__"))
    code = "import sys, tracer\nprint(tracer is sys.modules['_nst_tracer'], tracer.__file__)\n"
    assert await printed(bare_pool, tmp_path, code) == f"True {OURS / '__init__.py'}\n"


async def test_modules_of_the_user_named_like_ours_are_theirs(pool: WorkerPool, way: str, tmp_path: Path) -> None:
    for name in ("wire", "run", "frames", "rules", "protocol", "graph"):
        (tmp_path / f"{name}.py").write_text("whose = 'theirs'\n")
    output = await printed(
        pool,
        tmp_path,
        """
        import frames, graph, protocol, rules, run, wire
        print({module.whose for module in (frames, graph, protocol, rules, run, wire)})
        """,
    )
    assert output == "{'theirs'}\n"


def test_the_module_form_starts_the_same_worker(no_orphans: None, way: str) -> None:
    done = subprocess.run([sys.executable, "-m", "tracer.worker"], input=b"", capture_output=True, check=True)
    hello = wire.decode(done.stdout[4:])
    assert isinstance(hello, wire.Hello)
    assert hello.version == wire.VERSION


def test_an_old_interpreter_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "OLDEST", (99, 0))
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    with pytest.raises(SystemExit, match=r"traces with Python 99\.0 or newer"):
        bootstrap.main()
