"""Where results lie: one SQLite database in a folder, which several runs may share.

Values are JSON, compressed, each with a checksum over all of its row, so that what is damaged is not there.  Nothing of
this is ever fatal: a database that cannot be opened, read or written is said to be so, and is done without; one that is
no database any more is made anew.  What was not used for longest goes when there is too much.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

NAME = "check-1.sqlite"
"""With the number of its layout: another version's is left alone."""
LARGEST = 256 << 20
"""Bytes of values that are kept."""
_KEPT_OF_A_KEY = 4
"""Rows of one key, at most: of a file whose helpers change to and fro."""
_AT_ONCE = 32
"""Rows that are written together."""
_PATIENCE = 5.0
"""Seconds to wait while another run writes."""
_LARGEST_VALUE = 64 << 20
_LAYOUT = """
CREATE TABLE IF NOT EXISTS results (
    key TEXT NOT NULL, mark BLOB NOT NULL, basis BLOB NOT NULL, answers TEXT NOT NULL, value BLOB NOT NULL,
    used REAL NOT NULL, PRIMARY KEY (key, mark)
) WITHOUT ROWID
"""


@dataclass(frozen=True, slots=True)
class Row:
    """What a key's result rests on, what the answers were, and the result; JSON, both."""

    basis: str
    answers: str
    value: str


class Store:
    """A database that is opened when it is first needed; every method may be called whatever becomes of it."""

    def __init__(self, folder: str | Path, tell: Callable[[str], None], largest: int = LARGEST) -> None:
        """`tell` hears, once, why there is no storing or no reading."""
        self._path = Path(folder, NAME)
        self._tell = tell
        self._largest = largest
        self._database: sqlite3.Connection | None = None
        self._failed = False
        self._written: list[tuple[str, bytes, bytes, str, bytes, float]] = []
        self._used: list[tuple[float, str, bytes]] = []

    def rows(self, key: str) -> Iterator[tuple[Row, Callable[[], None]]]:
        """The rows of a key, the latest first, each with what to call when it is used."""
        for mark, basis, answers, value in self._select(key):
            if _mark(key, basis, answers, value) == mark:
                with contextlib.suppress(zlib.error, UnicodeDecodeError):
                    row = Row(_unpacked(basis), answers, _unpacked(value))
                    yield row, lambda mark=mark: self._used.append((time.time(), key, mark))  # type: ignore[misc]

    def put(self, key: str, row: Row) -> None:
        basis, value = _packed(row.basis), _packed(row.value)
        mark = _mark(key, basis, row.answers, value)
        self._written.append((key, mark, basis, row.answers, value, time.time()))
        if len(self._written) >= _AT_ONCE:
            self._flush()

    def clear(self) -> None:
        """Forget all results."""
        self._written, self._used = [], []
        self._drop()
        for path in (self._path, *self._path.parent.glob(NAME + "-*")):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                self._fail(error)

    def close(self) -> None:
        if self._written or self._used:
            self._flush(evict=True)
        self._drop()

    # ---- the database ----------------------------------------------------------------------------------

    def _select(self, key: str) -> list[tuple[bytes, bytes, str, bytes]]:
        database = self._opened()
        if database is None:
            return []
        try:
            asked = "SELECT mark, basis, answers, value FROM results WHERE key = ? ORDER BY used DESC"
            return [row for row in database.execute(asked, (key,)) if _is_row(row)]
        except sqlite3.Error as error:
            self._fail(error)
            return []

    def _flush(self, *, evict: bool = False) -> None:
        database = self._opened()
        if database is None:
            self._written, self._used = [], []
            return
        try:
            with database:
                database.execute("BEGIN IMMEDIATE")
                database.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)", self._written)
                database.executemany("UPDATE results SET used = ? WHERE key = ? AND mark = ?", self._used)
                for key in {row[0] for row in self._written}:
                    database.execute(_FORGET_OLD, (key, key, _KEPT_OF_A_KEY))
                if evict:
                    self._evict(database)
        except sqlite3.Error as error:
            self._fail(error)
        self._written, self._used = [], []

    def _evict(self, database: sqlite3.Connection) -> None:
        """Down to three quarters of what is allowed, so that it need not be done each time."""
        size = "SELECT COALESCE(SUM(LENGTH(value) + LENGTH(basis)), 0) FROM results"
        if database.execute(size).fetchone()[0] <= self._largest:
            return
        kept = 0
        for key, mark, length in database.execute(
            "SELECT key, mark, LENGTH(value) + LENGTH(basis) FROM results ORDER BY used DESC"
        ).fetchall():
            kept += length
            if kept > self._largest * 3 // 4:
                database.execute("DELETE FROM results WHERE key = ? AND mark = ?", (key, mark))

    def _opened(self) -> sqlite3.Connection | None:
        if self._database is None and not self._failed:
            try:
                self._database = self._open()
            except (sqlite3.Error, OSError) as error:
                self._fail(error)
        return self._database

    def _open(self) -> sqlite3.Connection:
        """The database, made if need be; anew where it is none, for reading only where it cannot be written."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            if not self._path.exists():
                raise
        try:
            return self._connected()
        except sqlite3.OperationalError:  # it cannot be written; perhaps it can be read
            database = sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)
            database.execute("SELECT key FROM results LIMIT 1")
            return database
        except sqlite3.DatabaseError:
            self._path.unlink()
            return self._connected()

    def _connected(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)
        try:
            # What a crash of the machine may leave damaged, the marks tell.
            database.execute("PRAGMA synchronous = OFF")
            database.execute(_LAYOUT)
        except BaseException:
            database.close()
            raise
        return database

    def _drop(self) -> None:
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.close()
            self._database = None

    def _fail(self, error: Exception) -> None:
        """Do without from now on; what is no database any more is removed for the next run."""
        if not self._failed:
            self._failed = True
            self._tell(f"the cache {self._path} is not used: {error}")
        self._drop()
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            with contextlib.suppress(OSError):
                self._path.unlink()


_FORGET_OLD = """
DELETE FROM results WHERE key = ? AND mark NOT IN
    (SELECT mark FROM results WHERE key = ? ORDER BY used DESC LIMIT ?)
"""


def _is_row(row: tuple[object, ...]) -> bool:
    """Whether each value is what the layout says: SQLite does not see to it."""
    return tuple(map(type, row)) == (bytes, bytes, str, bytes)


def _mark(key: str, basis: bytes, answers: str, value: bytes) -> bytes:
    made = hashlib.blake2b(digest_size=20)
    for part in (key.encode(), basis, answers.encode("utf-8", "surrogatepass"), value):
        made.update(len(part).to_bytes(8, "big"))
        made.update(part)
    return made.digest()


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "backslashreplace"), 1)


def _unpacked(data: bytes) -> str:
    """The text of some bytes, unless they would become very many.  Raises zlib.error."""
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(data, _LARGEST_VALUE)
    if unpacking.unconsumed_tail:
        raise zlib.error("too much")
    return text.decode("utf-8")


def user_folder() -> str:
    """The folder for caches of this user and program."""
    from platformdirs import user_cache_dir

    return os.path.join(user_cache_dir("nst-lsp", appauthor=False))
