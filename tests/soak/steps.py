"""The steps of a soak: edits, saves, requests, cancels, settings, kills, each drawn by chance and played on its own.

A step is a kind, a file and a seed of its own, so that any step can be left out and the others still mean something.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

from . import changes, edits, processes
from .grammar import Module, file_name
from .player import File, Player, State
from .trial import loading

MOST_OPEN = 7


@dataclass(frozen=True, slots=True)
class Step:
    kind: str
    file: int
    seed: int


def play(player: Player, step: Step) -> None:
    STEPS[step.kind].play(player, player.files[step.file % len(player.files)], Random(step.seed))


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
    """Everything that is broken is put right, also what another program broke."""
    for one in player.opened():
        player.become(one, State(one.now.module, one.now.module.text), random)
    broken = [one for one in player.files if not one.is_open and one.disk.text != one.disk.module.text]
    for one in broken:
        one.now = State(one.disk.module, one.disk.module.text)
        player.write(one, one.now)
    player.told_of_disk(*(file_name(one.number) for one in broken))


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
    children = processes.children(player.client.process.pid)
    if children:
        os.kill(random.choice(children), signal.SIGKILL)


def _kill_child(player: Player, file: File, random: Random) -> None:
    below = [one for pid in processes.workers(player.client.process.pid) for one in processes.descendants(pid)]
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


def _switch(player: Player, file: File, random: Random) -> None:
    """Another branch of the repository: most files that are not open are others, and told of at once."""
    seed = random.getrandbits(16)
    changed = [one for one in player.files if not one.is_open and random.random() < 0.7]
    for one in changed:
        module = loading(one.number, Random(f"{seed}/{one.number}"))
        one.now = State(module, module.text)
        player.write(one, one.now)
    player.told_of_disk(*(file_name(one.number) for one in changed))


def _command(name: str) -> Callable[[Player, File, Random], None]:
    def play(player: Player, file: File, random: Random) -> None:
        about = [{"uri": player.uri(player.at(file, random))}] if random.random() < 0.5 else []
        player.client.request("workspace/executeCommand", {"command": name, "arguments": about})

    return play


def _settle(player: Player, file: File, random: Random) -> None:
    player.client.settle()


def _check(player: Player, file: File, random: Random) -> None:
    if random.random() < 0.7:
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
    "switch": Kind(0.7, _switch),
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
