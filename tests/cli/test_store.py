"""Where results lie: whatever is done to the folder, a row is what was put there or is not there, and nothing fails."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from nst_lsp.checking.cache.store import NAME, Row, Store
from tests.cli.command import nst

ROWS = [Row(f'["basis {number}"]', f"answers {number}", f'"{"value" * 200} {number}"') for number in range(3)]


def stored(folder: Path, key: str = "key", largest: int = 1 << 20) -> list[Row]:
    """What a new store finds, the latest first."""
    store = Store(folder, lambda problem: None, largest)
    try:
        return [row for row, _ in store.rows(key)]
    finally:
        store.close()


def put(folder: Path, *rows: Row, key: str = "key", largest: int = 1 << 20) -> list[str]:
    told: list[str] = []
    store = Store(folder, told.append, largest)
    for row in rows:
        store.put(key, row)
    store.close()
    return told


def test_rows_come_back(tmp_path: Path):
    put(tmp_path, *ROWS)
    assert sorted(stored(tmp_path), key=repr) == ROWS
    assert stored(tmp_path, "another key") == []


def test_text_that_is_no_unicode_comes_back_or_not_at_all(tmp_path: Path):
    put(tmp_path, Row("[]", "answers", '"\udc80"'))
    assert len(stored(tmp_path)) <= 1


def test_clear_forgets(tmp_path: Path):
    put(tmp_path, *ROWS)
    store = Store(tmp_path, lambda problem: None)
    store.clear()
    assert list(store.rows("key")) == []
    store.put("key", ROWS[0])
    store.close()
    assert stored(tmp_path) == ROWS[:1]


def test_the_least_recently_used_goes_when_there_is_too_much(tmp_path: Path):
    for number in range(40):
        put(tmp_path, Row("[]", str(number), f'"{number}"' * 10), key=f"key {number}")
    store = Store(tmp_path, lambda problem: None, 600)
    [(_, use)] = list(store.rows("key 0"))
    use()
    store.put("key new", ROWS[0])
    store.close()
    left = [number for number in range(40) if stored(tmp_path, f"key {number}")]
    assert 0 in left
    assert 1 not in left
    assert stored(tmp_path, "key new") == ROWS[:1]
    assert 0 < len(left) < 40


def test_a_key_has_few_rows(tmp_path: Path):
    put(tmp_path, *[Row("[]", str(number), "0") for number in range(20)])
    assert 1 <= len(stored(tmp_path)) <= 8


def test_damage_is_not_read(tmp_path: Path):
    """Each part of the file in turn is turned round: what is read then is what was written, or nothing."""
    put(tmp_path, *ROWS)
    path = tmp_path / NAME
    whole = path.read_bytes()
    for start in range(0, len(whole), 200):
        part = bytes(byte ^ 0xFF for byte in whole[start : start + 40])
        path.write_bytes(whole[:start] + part + whole[start + 40 :])
        assert set(stored(tmp_path)) <= set(ROWS)
        assert put(tmp_path, ROWS[0], key="after") is not None
    path.write_bytes(whole[:1000])
    assert set(stored(tmp_path)) <= set(ROWS)


def test_a_value_of_another_is_not_taken_for_one_s_own(tmp_path: Path):
    put(tmp_path, ROWS[0], key="one")
    put(tmp_path, ROWS[1], key="two")
    with sqlite3.connect(tmp_path / NAME) as database:
        [(value,)] = database.execute("SELECT value FROM results WHERE key = 'one'").fetchall()
        database.execute("UPDATE results SET value = ? WHERE key = 'two'", (value,))
    database.close()
    assert stored(tmp_path, "two") == []


def test_no_database_is_made_one(tmp_path: Path):
    (tmp_path / NAME).write_bytes(b"nothing of the kind" * 500)
    assert put(tmp_path, ROWS[0]) == []
    assert stored(tmp_path) == ROWS[:1]


def test_where_no_folder_can_be_it_is_said_once(tmp_path: Path):
    (tmp_path / "file").write_text("")
    told = put(tmp_path / "file", *ROWS)
    assert len(told) == 1
    assert "is not used" in told[0]


def test_a_database_that_another_holds_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    put(tmp_path, ROWS[0])
    monkeypatch.setattr("nst_lsp.checking.cache.store._PATIENCE", 0.1)
    other = sqlite3.connect(tmp_path / NAME, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert len(put(tmp_path, ROWS[1])) == 1
    other.execute("ROLLBACK")
    other.close()
    assert stored(tmp_path) == ROWS[:1]


WRITER = """
import sys
from nst_lsp.checking.cache.store import Row, Store
store = Store(sys.argv[1], sys.exit)
for number in range(200):
    store.put(f"{sys.argv[2]} {number}", Row("[]", "answers", str(number)))
store.close()
"""


def test_several_runs_write_at_a_time(tmp_path: Path):
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, tmp_path, name]) for name in "abc"]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    for name in "abc":
        assert [len(stored(tmp_path, f"{name} {number}")) for number in range(0, 200, 20)] == [1] * 10


FULL = """
import resource, sys
from nst_lsp.checking.cache.store import Row, Store
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
told = []
store = Store(sys.argv[1], told.append)
for number in range(100):
    store.put("key", Row("[]", str(number), "0" * 10000))
    list(store.rows("key"))
store.close()
print(len(told), *told)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.parametrize("begun", [False, True])
def test_a_full_disk_is_said_once(tmp_path: Path, begun: bool):
    if begun:
        put(tmp_path, *ROWS)
    done = subprocess.run([sys.executable, "-c", FULL, tmp_path], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1 the cache")
    assert set(stored(tmp_path)) <= set(ROWS)


def test_the_command_line_says_where_and_whether(tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text('[tool.nst]\ncacheDir = "kept"\n')
    (project / "ops.py").write_text("import numpy as np\n\n# nst: example(np.ones(3))\ndef f(x):\n    return x * 2\n")
    assert nst("check", "--no-cache", cwd=project, NST_CACHE_DIR="").returncode == 0
    assert not (project / "kept").exists()
    assert nst("check", cwd=project, NST_CACHE_DIR="").returncode == 0
    assert (project / "kept" / NAME).is_file()
    assert nst("check", "--cache-dir", "../other", cwd=project).returncode == 0
    assert (tmp_path / "other" / NAME).is_file()
    (project / "kept" / NAME).write_bytes(b"")
    assert nst("check", "--clear-cache", cwd=project, NST_CACHE_DIR="").returncode == 0
