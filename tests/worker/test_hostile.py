"""Hostile files: each ends in time, with its findings on their lines, and leaves the worker able to work.

What is expected stands in the files themselves, as marks under the lines.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nst_lsp.pool import WorkerPool
from tests.worker.marked import HOSTILE, QUICK, marks, mismatches, trace
from tracer.worker.wire import Options, Status

FILES = sorted(path.name for path in HOSTILE.iterdir() if path.suffix in (".py", ".txt"))
ROOMY = Options(timeout=20.0, verify=False, memory_limit=1 << 30)


async def check(pool: WorkerPool, name: str, options: Options = QUICK) -> None:
    path = HOSTILE / name.removesuffix(".txt")  # in the editor it is a Python file
    text = (HOSTILE / name).read_text()
    traced = await trace(pool, path, text, options)
    assert traced.error is None
    assert "\n".join(mismatches(text, traced.findings)) == ""
    lost = [name for name, report in traced.reports.items() if name == "comes_after" and report.status != "traced"]
    assert lost == []
    after = await trace(pool, HOSTILE / "well_behaved.py")
    assert [report.status for report in after.reports.values()] == [Status.TRACED]


@pytest.mark.parametrize("name", [name for name in FILES if name != "memory.py"])
async def test_each_file_gets_its_marks_and_the_worker_goes_on(
    pool: WorkerPool, way: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "inside.txt").write_text("inside")
    (tmp_path / "precious.txt").write_text("precious\n")
    before = contents(tmp_path)
    await check(pool, name)
    assert contents(tmp_path) == before


def contents(folder: Path) -> dict[str, tuple[int, str]]:
    """What lies in a folder: permissions and texts by path."""
    return {str(path): (path.stat().st_mode, path.read_text() if path.is_file() else "") for path in folder.rglob("*")}


async def test_memory_has_a_limit(pool: WorkerPool) -> None:
    await check(pool, "memory.py", ROOMY)


def test_the_hostile_files_say_what_is_expected() -> None:
    silent = {name for name in FILES if not marks((HOSTILE / name).read_text())}
    assert silent == {"well_behaved.py", "forks.py"}


async def test_examples_before_and_after_a_stopped_one_are_traced(pool: WorkerPool, way: str) -> None:
    traced = await trace(pool, HOSTILE / "leaves.py")
    assert traced.reports["comes_after"].status is Status.TRACED
    assert len(traced.reports) == 7


async def test_output_is_captured_and_capped(pool: WorkerPool, way: str) -> None:
    traced = await trace(pool, HOSTILE / "prints.py", options=replace(QUICK, allow=("subprocess",)))
    assert traced.loaded is not None
    assert traced.loaded.output == "importing\n"
    long = traced.reports["ten_megabytes"].output
    assert long.startswith("axxx")
    assert long.endswith("xxxz\n")
    assert len(long) < 100_000
    assert "bytes left out" in long
    assert traced.reports["to_the_descriptors"].output == "to one\nto two\n"
    assert traced.reports["by_another_process"].output == "from a child\n"
    assert traced.reports["not_a_character"].output == "\ufffd\ufffd\n"


async def test_what_a_stopped_example_printed_is_kept(pool: WorkerPool, tmp_path: Path) -> None:
    path = tmp_path / "prints.py"
    path.write_text(
        "import numpy as np\n# nst: example(np.ones(2))\ndef f(x):\n    print('step 1')\n    while True: pass\n"
    )
    traced = await trace(pool, path)
    assert traced.reports["f"].output == "step 1\n"


async def test_what_a_stopped_import_printed_is_kept(pool: WorkerPool) -> None:
    traced = await trace(pool, HOSTILE / "import_crashes.py")
    assert traced.loaded is not None
    assert traced.loaded.output == "last words\n"


async def test_a_line_is_found_in_a_file_with_an_unusual_name(pool: WorkerPool, way: str, tmp_path: Path) -> None:
    path = tmp_path / "größe 𝒳.py"
    path.write_text("import numpy as np, os\n# nst: example(np.ones(2))\ndef f(x):\n    os._exit(1)\n")
    traced = await trace(pool, path)
    (finding,) = traced.findings
    assert (finding.code, finding.place.path, finding.place.span.line) == ("NST504", str(path), 4)
    assert finding.text == "os._exit(1)"


async def test_a_hang_in_another_module_is_related_information(pool: WorkerPool, way: str, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def wait():\n    while True:\n        pass\n")
    path = tmp_path / "main.py"
    path.write_text("import numpy as np\nimport helper\n\n# nst: example(np.ones(2))\ndef f(x):\n    helper.wait()\n")
    traced = await trace(pool, path)
    (finding,) = traced.findings
    assert (finding.code, finding.place.span.line) == ("NST504", 6)
    assert [related.place.path for related in finding.related] == [str(tmp_path / "helper.py")]
