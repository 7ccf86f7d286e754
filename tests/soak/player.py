"""Plays steps on a real server: edits, saves, requests, cancels, settings, kills; and holds it against a fresh one.

A step is a kind, a file and a seed of its own, so that any step can be left out and the others still mean something.
"""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from . import changes, edits, grammar, processes
from .answers import answers, differences
from .client import Client
from .grammar import Module, file_name

MOST_OPEN = 7


@dataclass(frozen=True, slots=True)
class Step:
    kind: str
    file: int
    seed: int


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

    step: int
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
        self.settings: dict[str, Any] = {"timeout": 60, "inlayHints": True}
        self.unsettled: set[int] = set()
        """Open files whose last run may have been lost: they are saved again before they are compared."""
        self.measured: list[Measured] = []
        self.checked = 0
        """Files that were held against a fresh run, and the graphs that were in them."""
        self.graphs = 0
        self._steps = 0
        self._fresh = itertools.count(1)
        self.client = self._client("long")

    def _file(self, number: int, seed: int) -> File:
        module = grammar.module(number, Random(f"{seed}/{number}"))
        state = State(module, module.text)
        (self.root / file_name(number)).write_text(state.text, encoding="utf-8")
        return File(number, state, state)

    def _client(self, name: str) -> Client:
        scratch = self.folder / f"scratch-{name}"
        scratch.mkdir()
        return Client(self.root, scratch, self.settings, self.folder / f"{name}.log")

    def play(self, step: Step) -> None:
        self._steps += 1
        STEPS[step.kind].play(self, self.files[step.file % len(self.files)], Random(step.seed))

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
        workers = processes.children(pid)
        below = [one for worker in workers for one in processes.descendants(worker)]
        scratch = sum(1 for _ in (self.folder / "scratch-long").rglob("*"))
        worker = processes.megabytes(workers[0]) if workers else 0.0
        self.measured.append(
            Measured(
                self._steps,
                processes.megabytes(pid),
                worker,
                workers[0] if workers else 0,
                processes.descriptors(pid),
                len(workers) + len(below),
                scratch,
            )
        )


# ---- steps ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """How often a step is drawn, and what it does."""

    weight: float
    play: Callable[[Player, File, Random], None]


def _edit(player: Player, file: File, random: Random) -> None:
    file = player.at(file, random)
    file.history.append(file.now)
    del file.history[:-20]
    module = edits.edited(file.now.module, random)
    text = module.text
    if file.now.text != file.now.module.text and random.random() < 0.5:
        text = edits.broken(text, random)
    player.become(file, State(module, text), random)


def _edit_and_save(player: Player, file: File, random: Random) -> None:
    file = player.at(file, random)
    _edit(player, file, random)
    player.save(file)


def _break(player: Player, file: File, random: Random) -> None:
    file = player.at(file, random)
    file.history.append(file.now)
    player.become(file, State(file.now.module, edits.broken(file.now.text, random)), random)


def _mend(player: Player, file: File, random: Random) -> None:
    for one in player.opened():
        player.become(one, State(one.now.module, one.now.module.text), random)


def _undo(player: Player, file: File, random: Random) -> None:
    file = player.at(file, random)
    for _ in range(random.randint(1, 4)):
        if file.history:
            player.become(file, file.history.pop(), random)


def _paste(player: Player, file: File, random: Random) -> None:
    """A part of another module, put anywhere."""
    file = player.at(file, random)
    part = random.choice(random.choice(player.files).now.module.parts[1:])
    file.history.append(file.now)
    if part.kind != "import" and len(file.now.module.parts) < 24:
        module = file.now.module.insert(random.randrange(1, len(file.now.module.parts) + 1), part)
        player.become(file, State(module, module.text), random)


def _open(player: Player, file: File, random: Random) -> None:
    opened = player.opened()
    if file.is_open:
        player.close(file)
        player.open(file)
        return
    if len(opened) >= MOST_OPEN:
        player.close(random.choice(opened))
    player.open(file)


def _open_import(player: Player, file: File, random: Random) -> None:
    """Open what an open file imports, or what imports it: shared helpers are edited beside their users."""
    opened = player.opened()
    near = [
        other
        for other in player.files
        if not other.is_open and any(_related(other.now.module, one.now.module) for one in opened)
    ]
    if near:
        _open(player, random.choice(near), random)


def _related(one: Module, other: Module) -> bool:
    later, earlier = (one, other) if one.number > other.number else (other, one)
    name = f"mod_{earlier.number:02}"
    return any(part.kind == "import" and name in part.text for part in later.parts)


def _close(player: Player, file: File, random: Random) -> None:
    if len(player.opened()) > 1:
        player.close(random.choice(player.opened()))


def _save(player: Player, file: File, random: Random) -> None:
    file = player.at(file, random)
    player.save(file)
    if random.random() < 0.3:
        player.told_of_disk(file_name(file.number))


def _request(player: Player, file: File, random: Random) -> None:
    for _ in range(random.choice([1, 1, 3, 10])):
        number = _asked(player, player.at(file, random), random)
        if random.random() < 0.3:
            player.client.cancel(number)


def _asked(player: Player, file: File, random: Random) -> int:
    text = file.now.text
    at = changes.position(text, random.randrange(len(text) + 1))
    later = changes.position(text, random.randrange(len(text) + 1))
    document = player.document(file)
    start, end = sorted((at, later), key=lambda one: (one["line"], one["character"]))
    ranged = {**document, "range": {"start": start, "end": end}}
    given = player.client.diagnostics.get(player.uri(file), {}).get("diagnostics", [])
    about = {"uri": player.uri(file), "function": random.choice(["f_0", "f_1", "g", "Layer.forward", "none"])}
    command = random.choice(["nst.graph", "nst.graph", "nst.switchExample", "nst.doctor", "nst.showGraph"])
    possible: list[tuple[str | None, str, dict[str, Any]]] = [
        ("hoverProvider", "textDocument/hover", {**document, "position": at}),
        ("codeLensProvider", "textDocument/codeLens", document),
        ("codeActionProvider", "textDocument/codeAction", {**ranged, "context": {"diagnostics": given}}),
        ("inlayHintProvider", "textDocument/inlayHint", ranged),
        ("completionProvider", "textDocument/completion", {**document, "position": at}),
        ("signatureHelpProvider", "textDocument/signatureHelp", {**document, "position": at}),
        ("diagnosticProvider", "textDocument/diagnostic", document),
        (None, "workspace/executeCommand", {"command": command, "arguments": [about]}),
    ]
    able = [(method, params) for need, method, params in possible if not need or player.client.capabilities.get(need)]
    return player.client.request(*random.choice(able))


def _cancel_progress(player: Player, file: File, random: Random) -> None:
    tokens = list(player.client.tokens)
    if tokens:
        player.lose_runs()
        player.client.notify("window/workDoneProgress/cancel", {"token": random.choice(tokens)})


def _configure(player: Player, file: File, random: Random) -> None:
    choices: dict[str, list[Any]] = {
        "mode": ["symbolic", "symbolic", "real", "fake"],
        "verify": [True, True, False],
        "trigger": ["save", "save", "change", "manual"],
        "ignore": [[], ["NST301"], ["NST2"]],
        "severity": [{}, {"NST102": "error"}, {"NST205": "off"}],
        "codeLens": [True, True, True, False],
    }
    name = random.choice(list(choices))
    player.settings = {**player.settings, name: random.choice(choices[name])}
    player.configure()


def _pyproject(player: Player, file: File, random: Random) -> None:
    path = player.root / "pyproject.toml"
    text = random.choice(["", '[tool.nst]\nignore = ["NST107"]\n', "[tool.nst]\nunknown = 1\n", "[tool.nst\n"])
    path.write_text(text, encoding="utf-8")
    player.told_of_disk("pyproject.toml")


def _kill_worker(player: Player, file: File, random: Random) -> None:
    player.lose_runs()
    for pid in processes.children(player.client.process.pid)[:1]:
        os.kill(pid, signal.SIGKILL)


def _kill_child(player: Player, file: File, random: Random) -> None:
    below = [one for pid in processes.children(player.client.process.pid) for one in processes.descendants(pid)]
    if below:
        player.lose_runs()
        with suppress(ProcessLookupError):
            os.kill(random.choice(below), random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV]))


def _disk(player: Player, file: File, random: Random) -> None:
    """A file that is not open is changed by another program."""
    if file.is_open:
        return
    module = edits.edited(file.disk.module, random)
    text = edits.broken(module.text, random) if random.random() < 0.1 else module.text
    file.now = State(module, text)
    player.write(file, file.now)
    player.told_of_disk(file_name(file.number))


def _command(name: str) -> Callable[[Player, File, Random], None]:
    def play(player: Player, file: File, random: Random) -> None:
        about = [{"uri": player.uri(player.at(file, random))}] if random.random() < 0.5 else []
        player.client.request("workspace/executeCommand", {"command": name, "arguments": about})

    return play


def _settle(player: Player, file: File, random: Random) -> None:
    player.client.settle()


def _check(player: Player, file: File, random: Random) -> None:
    if random.random() < 0.6:
        _mend(player, file, random)
    player.check()


STEPS: dict[str, Kind] = {
    "edit": Kind(30, _edit),
    "edit_and_save": Kind(14, _edit_and_save),
    "request": Kind(20, _request),
    "save": Kind(6, _save),
    "break": Kind(2, _break),
    "mend": Kind(1.5, _mend),
    "undo": Kind(4, _undo),
    "paste": Kind(2, _paste),
    "open": Kind(1.5, _open),
    "open_import": Kind(2, _open_import),
    "close": Kind(1.5, _close),
    "settle": Kind(5, _settle),
    "disk": Kind(4, _disk),
    "cancel_progress": Kind(2, _cancel_progress),
    "configure": Kind(0.7, _configure),
    "pyproject": Kind(0.3, _pyproject),
    "kill_child": Kind(1, _kill_child),
    "kill_worker": Kind(0.2, _kill_worker),
    "retrace": Kind(1, _command("nst.retrace")),
    "restart": Kind(0.2, _command("nst.restart")),
    "check": Kind(0, _check),
}


def drawn(seed: int, count: int, files: int, every: int) -> list[Step]:
    """The steps of a seed: a check after every so many, and at the end."""
    random = Random(seed)
    kinds, weights = list(STEPS), [kind.weight for kind in STEPS.values()]
    steps = []
    for number in range(1, count + 1):
        kind = "check" if number % every == 0 or number == count else random.choices(kinds, weights)[0]
        steps.append(Step(kind, random.randrange(files), random.getrandbits(32)))
    return steps
