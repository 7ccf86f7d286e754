"""A folder of modules and a server that lives long: what an editor does to both, and the check against fresh ones."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from . import changes, processes
from .answers import answers, differences
from .client import Client
from .grammar import Module, file_name
from .trial import loading


@dataclass(frozen=True, slots=True)
class State:
    """A module and its text, which is the module's own unless it is broken."""

    module: Module
    text: str


@dataclass(slots=True)
class File:
    number: int
    now: State
    disk: State
    version: int = 0
    is_open: bool = False
    touched: bool = False
    """Changed since it was saved or opened, even if back to what it was: a run may have seen it in between."""
    history: list[State] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Measured:
    """What the server holds while it is idle."""

    checked: int
    """Files that had been compared by then."""
    server: float
    """Megabytes."""
    worker: float
    pid: int
    """The worker's."""
    descriptors: int
    children: int
    scratch: int
    """Files and folders in its temporary folder."""


class WrongError(Exception):
    """The server said something wrong, or nothing."""


class Player:
    """A folder of modules, a server that lives long, and what has been done to both."""

    def __init__(self, folder: Path, seed: int, count: int) -> None:
        self.folder = folder
        self.root = folder / "project"
        self.root.mkdir()
        self.files = [self._file(number, seed) for number in range(count)]
        self.pulls = seed % 2 == 1
        """Whether the client asks for diagnostics, instead of being sent them."""
        self.settings: dict[str, Any] = {"timeout": 60, "inlayHints": True}
        self.unsettled: set[int] = set()
        """Open files whose last run may have been lost: they are saved again before they are compared."""
        self.measured: list[Measured] = []
        self.checked = 0
        """Files that were held against a fresh run, and the graphs that were in them."""
        self.graphs = 0
        self._fresh = itertools.count(1)
        self.client = self._client("long")

    def _file(self, number: int, seed: int) -> File:
        module = loading(number, Random(f"{seed}/{number}"))
        state = State(module, module.text)
        (self.root / file_name(number)).write_text(state.text, encoding="utf-8")
        return File(number, state, state)

    def _client(self, name: str) -> Client:
        scratch = self.folder / f"scratch-{name}"
        scratch.mkdir()
        return Client(self.root, scratch, self.settings, self.folder / f"{name}.log", pulls=self.pulls)

    def end(self) -> None:
        """Say goodbye in order; the server must have nothing to complain of and leave nothing behind."""
        if self.checked > 20 and not self.graphs:
            raise WrongError(f"nothing was traced: {self.client.shown}")
        code = self.client.end()
        if code != 0:
            raise WrongError(f"the server's exit code is {code}")
        left = [path.name for path in (self.folder / "scratch-long").rglob("*")]
        if left:
            raise WrongError(f"left in the temporary folder: {left}")
        self._look_for_errors()

    def kill(self) -> None:
        self.client.process.kill()
        self.client.process.wait()

    # ---- files --------------------------------------------------------------------------------------

    def uri(self, file: File) -> str:
        return (self.root / file_name(file.number)).as_uri()

    def document(self, file: File) -> dict[str, Any]:
        return {"textDocument": {"uri": self.uri(file)}}

    def opened(self) -> list[File]:
        return [file for file in self.files if file.is_open]

    def at(self, file: File, random: Random) -> File:
        """An open file, for steps that want one: the one named, or another; it is opened where there is none."""
        opened = self.opened()
        if not opened:
            self.open(file)
        return file if file.is_open else random.choice(opened)

    def open(self, file: File) -> None:
        file.is_open, file.version, file.now = True, 1, file.disk
        item = {"uri": self.uri(file), "languageId": "python", "version": 1, "text": file.now.text}
        self.client.notify("textDocument/didOpen", {"textDocument": item})

    def close(self, file: File) -> None:
        """Closed without saving: what was not saved is gone."""
        file.is_open, file.touched, file.now = False, False, file.disk
        file.history.clear()
        self.unsettled.discard(file.number)
        self.client.notify("textDocument/didClose", self.document(file))

    def become(self, file: File, state: State, random: Random) -> None:
        """Change an open file as an editor does."""
        if state.text != file.now.text:
            for change in changes.notifications(file.now.text, state.text, random):
                file.version += 1
                document = {"uri": self.uri(file), "version": file.version}
                self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": change})
            file.touched = True
        file.now = state

    def save(self, file: File) -> None:
        self.write(file, file.now)
        self.client.notify("textDocument/didSave", self.document(file))
        file.touched = False
        self.unsettled.discard(file.number)

    def write(self, file: File, state: State) -> None:
        file.disk = state
        (self.root / file_name(file.number)).write_text(state.text, encoding="utf-8")

    def told_of_disk(self, *names: str) -> None:
        found = [{"uri": (self.root / name).as_uri(), "type": 2} for name in names]
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": found})

    def configure(self) -> None:
        asked = self.client.asked_for_settings
        self.client.settings = self.settings
        self.client.notify("workspace/didChangeConfiguration", {"settings": None})
        self.client.until(lambda: self.client.asked_for_settings > asked)

    def lose_runs(self) -> None:
        self.unsettled = {file.number for file in self.opened()}

    # ---- the comparison -----------------------------------------------------------------------------

    def check(self) -> None:
        """Save what is not saved, wait, and compare with a server that knows only the texts as they are now."""
        for file in self.opened():
            if file.touched or file.number in self.unsettled:
                self.save(file)
        self._settle(self.client)
        for _ in range(2):  # the second time on a busy machine, where a search for witnesses may have been cut short
            fresh = self._client(f"fresh-{next(self._fresh)}")
            try:
                for file in self.opened():
                    item = {"uri": self.uri(file), "languageId": "python", "version": 1, "text": file.now.text}
                    fresh.notify("textDocument/didOpen", {"textDocument": item})
                self._settle(fresh)
                uris = [self.uri(file) for file in self.opened()]
                expected = answers(fresh, uris)
                found = differences(answers(self.client, uris), expected)
                fresh.end()
            finally:
                fresh.process.kill()
                fresh.process.wait()
            if not found:
                break
        self.checked += len(uris)
        self.graphs += sum(map(len, expected.graphs.values()))
        if found:
            opened = "open: " + ", ".join(file_name(file.number) for file in self.opened())
            raise WrongError("\n".join(["the results are not those of a fresh run:", *found, opened]))
        self._look_for_errors()
        self._measure()

    def _settle(self, client: Client) -> None:
        client.settle()
        if self.settings.get("trigger") == "manual":
            client.ask("workspace/executeCommand", {"command": "nst.retrace", "arguments": []})
            client.settle()

    def _look_for_errors(self) -> None:
        if self.client.refused:
            raise WrongError(f"refused: {self.client.refused}")
        failed = [one for one in self.client.logged if one.startswith("tracing ")]
        stderr = (self.folder / "long.log").read_text(encoding="utf-8", errors="replace")
        if failed or "Traceback" in stderr or "ERROR" in stderr:
            said = [line for line in stderr.splitlines() if not line.startswith("WARNING:")]
            raise WrongError("the server's log has errors\n" + "\n".join([*failed, *said[-60:]]))
        if self.client.tokens:
            raise WrongError(f"progress that never ended: {self.client.tokens}")

    def _measure(self) -> None:
        pid = self.client.process.pid
        workers = processes.workers(pid)
        scratch = sum(1 for _ in (self.folder / "scratch-long").rglob("*"))
        worker = processes.megabytes(workers[0]) if workers else 0.0
        self.measured.append(
            Measured(
                self.checked,
                processes.megabytes(pid),
                worker,
                workers[0] if workers else 0,
                processes.descriptors(pid),
                len(processes.descendants(pid)),
                scratch,
            )
        )
