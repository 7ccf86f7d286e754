"""What a person waits for: the server's start, a save until its diagnostics, a keystroke, hints, a completion.

A real server process with a real worker is driven over its pipes.  The file is generated: ten everyday NumPy
functions with an example each, two hundred lines.  A save follows an edit of all functions, so that no result can be
taken from before, or of one, so that nine can.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.table import Section
from tests.server.wire_harness import Raw

SAVES = 40
STARTS = 10
KEYSTROKES = 200


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what was measured, how often, its middle and its 95th percentile, and the goal for the latter."""

    name: str
    count: int
    median: float
    p95: float
    unit: str
    goal: float | None


def section(saves: int = SAVES, started: int = STARTS, typed: int = KEYSTROKES) -> Section:
    return Section(
        "The server",
        "Wall clock, with a real client process; ten examples in 200 lines of NumPy. The goal is for the 95th "
        "percentile.",
        ("what", "measured", "median", "p95", "goal", "unit"),
        tuple(
            (row.name, str(row.count), f"{row.median:.1f}", f"{row.p95:.1f}", _goal(row), row.unit)
            for row in rows(saves, started, typed)
        ),
    )


def rows(saves: int, started: int, typed: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.py")
        path.write_text(BEFORE, encoding="utf-8")
        found = [_row("start → initialize answered", starts(started), "ms", 600)]
        with opened(path) as editor:
            for name, edited in (("ten functions", _all_edited), ("one function", _one_edited)):
                first, witnessed, last = zip(*(editor.save(edited(edit)) for edit in range(1, saves + 1)), strict=True)
                found += [
                    _row(f"{name} edited, save → first diagnostics", first, "ms", 50),
                    _row(f"{name} edited, save → all witnesses", witnessed, "ms", 250),
                    _row(f"{name} edited, save → all fixes tried", last, "ms", None),
                ]
            found += [
                _row("keystroke → lenses", editor.keystrokes(typed), "ms", 5),
                _row("keystroke → lenses, while tracing", editor.keystrokes(typed, tracing=True), "ms", 5),
                _row("hints of the file", editor.hints(typed), "ms", None),
                _row("completion in an example comment", editor.completions(typed), "ms", None),
                _row("memory of the idle server", [editor.megabytes()], "MB", 90),
            ]
    return found


def _goal(row: Row) -> str:
    return "" if row.goal is None else f"≤ {row.goal:.0f}"


def _row(name: str, values: Sequence[float], unit: str, goal: float | None) -> Row:
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return Row(name, len(values), statistics.median(values), p95, unit, goal)


# ---- the file --------------------------------------------------------------------------------------

FUNCTION = '''
# nst: example(np.linspace(0.0, 1.0, {size}).reshape(-1, 4), {width}.0)
def layer_{index}(x, width):
    """One step of a small model: normalise, weigh, squash."""
    centre = x.mean(axis=1, keepdims=True)
    spread = np.sqrt(((x - centre) ** 2).mean(axis=1, keepdims=True) + 1e-5)
    normal = (x - centre) / spread
    if x.shape[0] > 2:
        normal = normal * width
    weights = np.exp(normal - normal.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    # a leak that is edited
    mixed = weights @ x.T
    mixed = np.where(mixed > 0.0, mixed, 0.{edit} * mixed)
    gated = mixed * (1.0 / (1.0 + np.exp(-mixed)))
    return gated.sum(axis=0) + offset
'''


def source(edits: Sequence[int]) -> str:
    """The file with each function edited so many times."""
    head = '"""Ten layers."""\n\nimport numpy as np\n\noffset = 0.5\n'
    parts = [
        FUNCTION.format(index=index, size=12 + 4 * index, width=index + 1, edit=1 + count)
        for index, count in enumerate(edits)
    ]
    return head + "\n".join(parts) + "\n# end\n"


FUNCTIONS = 10
BEFORE = source([0] * FUNCTIONS)


def _all_edited(edit: int) -> str:
    return source([edit] * FUNCTIONS)


def _one_edited(edit: int) -> str:
    """Each time another one."""
    return source([edit // FUNCTIONS + (index < edit % FUNCTIONS) for index in range(FUNCTIONS)])


# ---- the editor ------------------------------------------------------------------------------------


def starts(count: int) -> list[float]:
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        raw = Raw()
        raw.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
        times.append(1000 * (time.perf_counter() - begin))
        raw.ask("shutdown", None, 2)
        raw.send("exit")
        raw.process.wait()
    return times


@contextmanager
def opened(path: Path, text: str = BEFORE) -> Iterator[Editor]:
    raw = Raw()
    capabilities = {"experimental": {"serverStatusNotification": True}}
    options = {"inlayHints": True}
    raw.initialize(rootUri=path.parent.as_uri(), capabilities=capabilities, initializationOptions=options)
    editor = Editor(raw, path.as_uri())
    editor.notify("didOpen", version=1, text=text, languageId="python")
    editor.wait_until_idle()
    yield editor
    raw.ask("shutdown", None, -1)
    raw.send("exit")
    raw.process.wait()


def _is_idle(message: dict[str, Any]) -> bool:
    return message.get("method") == "experimental/serverStatus" and bool(message["params"]["quiescent"])


class Editor:
    """One open file, edited and saved again and again."""

    def __init__(self, raw: Raw, uri: str) -> None:
        self.raw = raw
        self.uri = uri
        self.version = 1
        self._numbers = itertools.count(100_000)

    def notify(self, what: str, **document: Any) -> None:
        self.raw.send(f"textDocument/{what}", {"textDocument": {"uri": self.uri, **document}})

    def change(self, text: str) -> None:
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.raw.send("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def insert(self, line: int, text: str) -> None:
        self.version += 1
        at = {"line": line, "character": 0}
        change = {"range": {"start": at, "end": at}, "text": text}
        document = {"uri": self.uri, "version": self.version}
        self.raw.send("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def save(self, text: str) -> tuple[float, float, float]:
        """Milliseconds from the save of a text to the first fresh diagnostics, to the last news, and to the end."""
        self.change(text)
        told: list[tuple[float, list[Any]]] = []
        begin = time.perf_counter()

        def hear(message: dict[str, Any]) -> bool:
            if message.get("method") == "textDocument/publishDiagnostics" and self._is_fresh(message["params"]):
                told.append((1000 * (time.perf_counter() - begin), message["params"]["diagnostics"]))
            return _is_idle(message)

        self.notify("didSave")
        self.raw.wait(hear)
        end = 1000 * (time.perf_counter() - begin)
        witnessed = next(at for at, diagnostics in told if diagnostics == told[-1][1])
        return told[0][0], witnessed, end

    def _is_fresh(self, params: dict[str, Any]) -> bool:
        """Diagnostics of the text that was just saved, at least one of them of the run it started."""
        return params["version"] == self.version and any(
            "(stale)" not in one["message"] for one in params["diagnostics"]
        )

    def keystrokes(self, count: int, *, tracing: bool = False) -> list[float]:
        """Milliseconds from a typed letter to the lenses that the editor then asks for."""
        self.change(BEFORE)
        times = []
        for number in range(count):
            if tracing and number % 20 == 0:
                self.notify("didSave")
            begin = time.perf_counter()
            self.insert(30, "x" if number else "#")
            self.raw.ask("textDocument/codeLens", {"textDocument": {"uri": self.uri}}, 1000 + self.version)
            times.append(1000 * (time.perf_counter() - begin))
        return times

    def hints(self, count: int) -> list[float]:
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 1000, "character": 0}}
        return self._asked("textDocument/inlayHint", count, range=everything)

    def completions(self, count: int) -> list[float]:
        """Of a name of NumPy, typed in a new comment; the first, which starts jedi, is not counted."""
        comment = "# nst: example(np.lins"
        self.insert(5, f"{comment}\n")
        at = {"line": 5, "character": len(comment)}
        return self._asked("textDocument/completion", count + 1, position=at)[1:]

    def _asked(self, method: str, count: int, **more: Any) -> list[float]:
        """Milliseconds of each of so many requests about the file, which must all have an answer in them."""
        times = []
        for number in range(count):
            begin = time.perf_counter()
            answer = self.raw.ask(method, {"textDocument": {"uri": self.uri}, **more}, next(self._numbers))
            times.append(1000 * (time.perf_counter() - begin))
            assert answer["result"] or not number, f"{method} found nothing"
        return times

    def wait_until_idle(self) -> None:
        self.raw.wait(_is_idle)

    def megabytes(self) -> float:
        """Resident memory of the server process (Linux)."""
        status = Path(f"/proc/{self.raw.process.pid}/status").read_text()
        kilobytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
        return int(kilobytes) / 1024
