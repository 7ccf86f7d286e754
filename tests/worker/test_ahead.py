"""The warm parent imports ahead what installed modules the user's files import, and nothing of the workspace."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from nst_lsp.pool import WorkerPool
from tests.worker.marked import trace
from tests.worker.processes import DEADLINE


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder of installed packages, one of which counts its imports by appending to a file."""
    folder = tmp_path / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    (folder / "counted").mkdir(parents=True)
    log = tmp_path / "imports.txt"
    (folder / "counted" / "__init__.py").write_text(
        f"import os\nopen({str(log)!r}, 'a').write('x')\npid = os.getpid()\n"
    )
    (folder / "counted" / "part.py").write_text("import os\npid = os.getpid()\n")
    return folder


@pytest.fixture
async def pool(
    no_orphans: None, packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[WorkerPool]:
    monkeypatch.setenv("PYTHONUSERBASE", str(tmp_path))  # the user's own site-packages are these
    monkeypatch.setenv("PYTHONPATH", str(packages))
    (tmp_path / "workspace").mkdir()
    pool = WorkerPool(sys.executable, str(tmp_path / "workspace"))
    yield pool
    await pool.close()


async def importer(pool: WorkerPool, tmp_path: Path, code: str) -> int:
    """The process in which a file's module was imported: the file prints it."""
    path = tmp_path / "workspace" / "main.py"
    traced = await trace(pool, path, textwrap.dedent(code))
    assert traced.loaded is not None
    assert traced.findings == []
    return int(traced.loaded.output)


async def test_an_installed_module_is_found_loaded_later(pool: WorkerPool, tmp_path: Path) -> None:
    hello = await pool.start()
    code = "import counted.part\nprint(counted.part.pid)\n"
    assert await importer(pool, tmp_path, code) != hello.pid
    end = time.monotonic() + DEADLINE
    while await importer(pool, tmp_path, code) != hello.pid:
        assert time.monotonic() < end
    imports = len((tmp_path / "imports.txt").read_text())
    for _ in range(3):
        assert await importer(pool, tmp_path, code) == hello.pid
    assert len((tmp_path / "imports.txt").read_text()) == imports


async def test_a_module_of_the_workspace_is_imported_each_time(pool: WorkerPool, tmp_path: Path) -> None:
    hello = await pool.start()
    (tmp_path / "workspace" / "own.py").write_text("import os\npid = os.getpid()\n")
    code = "import counted, own\nprint(own.pid)\n"
    await importer(pool, tmp_path, code)
    end = time.monotonic() + DEADLINE
    while await importer(pool, tmp_path, "import counted\nprint(counted.pid)\n") != hello.pid:
        assert time.monotonic() < end
    assert await importer(pool, tmp_path, code) != hello.pid
    (tmp_path / "workspace" / "own.py").write_text("pid = 12345\n")
    assert await importer(pool, tmp_path, code) == 12345


@pytest.mark.parametrize(
    "first",
    [
        "import os; os.environ['SETTING'] = '1'",
        "import threading, time; threading.Thread(target=time.sleep, args=(3600,)).start()",
    ],
)
async def test_a_file_that_sets_the_stage_for_its_imports_teaches_nothing(
    pool: WorkerPool, tmp_path: Path, first: str
) -> None:
    hello = await pool.start()
    code = f"{first}\nimport counted\nprint(counted.pid)\n"
    for _ in range(3):
        assert await importer(pool, tmp_path, code) != hello.pid


async def test_what_a_package_sets_for_itself_concerns_no_other(
    pool: WorkerPool, packages: Path, tmp_path: Path
) -> None:
    hello = await pool.start()
    setter = packages / "setter"
    setter.mkdir()
    (setter / "__init__.py").write_text(
        "import os\ndef compile():\n    os.environ.setdefault('SETTER_CACHE', '/tmp')\n    import setter.late\n"
    )
    (setter / "late.py").write_text("import os\npid = os.getpid()\n")
    code = "import setter; setter.compile()\nimport counted\nprint(setter.late.pid if {own} else counted.pid)\n"
    end = time.monotonic() + DEADLINE
    while await importer(pool, tmp_path, code.format(own=True)) != hello.pid:
        assert time.monotonic() < end
    assert await importer(pool, tmp_path, code.format(own=False)) != hello.pid
    assert await importer(pool, tmp_path, "import os\nprint(int('SETTER_CACHE' in os.environ))\n") == 0


async def test_imports_of_others_modules_do_not_count_as_time_of_the_run(
    way: str, packages: Path, pool: WorkerPool, tmp_path: Path
) -> None:
    for folder in ("slow", "late"):
        (packages / folder).mkdir()
        names = [f"part_{number}" for number in range(6)]
        (packages / folder / "__init__.py").write_text("".join(f"import {folder}.{name}\n" for name in names))
        for name in names:
            (packages / folder / f"{name}.py").write_text("import time\ntime.sleep(0.5)\n")
    code = "import numpy as np\nimport slow\n# nst: example(np.ones(3))\ndef f(x):\n    import late\n    return x + 1\n"
    traced = await trace(pool, tmp_path / "workspace" / "main.py", code)
    assert traced.findings == []
    assert traced.reports["f"].graph is not None


async def test_a_worker_that_is_stuck_in_an_import_is_ended(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUSERBASE", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(packages))
    (packages / "hanging.py").write_text(
        f"import os, time\nwhile os.path.exists({str(tmp_path)!r} + f'/{{os.getpid()}}'):\n    time.sleep(0.01)\n"
    )
    seconds = DEADLINE
    pool = WorkerPool(sys.executable, str(tmp_path), patience=lambda request: seconds)
    path = tmp_path / "main.py"
    hello = await pool.start()
    (tmp_path / str(hello.pid)).touch()
    try:
        assert (await trace(pool, path, "import hanging\n")).error is None
        seconds = 0.5
        assert "said nothing" in ((await trace(pool, path, "")).error or "")
        seconds = DEADLINE
        assert (await trace(pool, path, "import hanging\n")).error is None
    finally:
        await pool.close()
