"""Commands: docs/protocol.md says what they take and give."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from lsprotocol.validators import UINTEGER_MAX_VALUE

from .. import convert
from ..analysis import graphs, lenses, news
from ..analysis.functions import listed
from ..analysis.traced import Function
from ..analysis.view import View
from ..connection import VERSION, Server
from ..convert import shown as to_lsp
from ..doctor import Fact, report, server_facts, system_facts
from ..trust import UNTRUSTED


async def graph(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    view, function, example = target(ls, *arguments)
    found = graphs.graph(view, function, example) if view and function else None
    return to_lsp.graph(found, view.document, ls.encoding) if view and found else None


async def show_graph(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    found = await graph(ls, *arguments)
    if found is None:
        say_no_graph(ls, *arguments)
    elif not ls.client.shows_graphs:
        name = f"{found['function']}-{found['example'] + 1}.graph.py"
        await show(ls, "the graph", lambda: ls.written.write(name, found["code"], about=found["uri"]), found["uri"])
    return found


def say_no_graph(ls: Server, *arguments: Any) -> None:
    """Say that there is no graph to show, and what stands in the way of one."""
    path = ls.path_of(str(about(*arguments).get("uri", "")))
    why = ls.session.in_the_way(path).removeprefix("nst: ") if path else ""
    ls.warn(f"nst: there is no graph here yet{': ' if why else ''}{why}")


async def show(ls: Server, what: str, write: Callable[[], Path], uri: str | None = None) -> None:
    """Have the client open a text of ours: by its address, if it has one, as a file, or by telling where that is."""
    if ls.client.show_documents:
        shown = uri if uri is not None and ls.client.virtual_documents else write().as_uri()
        await ls.window_show_document_async(lsp.ShowDocumentParams(shown, take_focus=False))
    else:
        ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, f"nst: {what} is in {write()}"))


async def functions(ls: Server, *arguments: Any) -> list[dict[str, Any]]:
    """The file's functions with their examples; only the one that is named or pointed at, where one is."""
    view, function, _ = target(ls, *arguments)
    if view is None or (function is None and about(*arguments).keys() & {"function", "position"}):
        return []
    return [to_lsp.listed(one, view.document, ls.encoding) for one in listed(view, function)]


async def changes(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    """The graph before and after the save that last changed it, and why it did."""
    view, function, example = target(ls, *arguments)
    if view is None or function is None:
        return None
    outcome = view.shown(function) if example is None else function.outcome(example)
    found = news.changed(view, function, outcome) if outcome else None
    return {**asdict(found), "told": list(found.told)} if found else None


async def switch_example(ls: Server, *arguments: Any) -> int | None:
    view, function, example = target(ls, *arguments)
    outcome = view.shown(function) if view and function else None
    if view is None or function is None or outcome is None:
        return None
    chosen = lenses.next_example(function, outcome) if example is None else example
    if all(one.report.index != chosen for one in function.outcomes):
        return outcome.report.index
    ls.session.choose(view.document.path, function.name, chosen)
    return chosen


async def retrace(ls: Server, *arguments: Any) -> None:
    given = about(*arguments)
    path = ls.path_of(str(given["uri"])) if "uri" in given else None
    may_run = path is None or ls.session.workspace.settings(path).trusted
    if path is not None and not may_run and not ls.session.workspace.ask_for_trust(path, again=True):
        ls.warn(f"nst: {UNTRUSTED}")
    ls.session.retrace(path)


async def restart(ls: Server, *arguments: Any) -> None:
    await ls.session.restart()


async def doctor(ls: Server, *arguments: Any) -> dict[str, Any]:
    """All facts, as data and as text for a bug report, in which no secret of the environment stands."""
    projects = await ls.session.doctor()
    text = ls.logs.masked(report(_client_facts(ls), projects, ls.logs.text))
    facts = [fact._asdict() for fact in (*server_facts(), *system_facts())]
    version = {"version": VERSION, "server_python": platform.python_version()}
    return {**version, "facts": facts, "projects": projects, "text": text}


def _client_facts(ls: Server) -> Iterator[Fact]:
    abilities = [one.name for one in fields(ls.client) if getattr(ls.client, one.name) is True]
    completer = ls.session.completer.pid
    yield Fact("client", ls.client.name or "did not say its name")
    yield Fact("positions", str(getattr(ls.encoding, "value", ls.encoding)))
    yield Fact("abilities", ", ".join(abilities))
    yield Fact("folders", ", ".join(ls.session.workspace.configuration.folders) or "none")
    yield Fact("completion", f"process {completer}" if completer else "not started: nobody asked yet")


async def show_logs(ls: Server, *arguments: Any) -> dict[str, str]:
    """The last lines of the log; opened, too, where the client has no place of its own for them."""
    text = ls.logs.text
    if not ls.client.shows_logs:
        await show(ls, "the log", lambda: ls.written.write("nst-lsp.log", text), graphs.LOG_URI)
    return {"text": text}


def target(ls: Server, *arguments: Any) -> tuple[View | None, Function | None, int | None]:
    """The file, function and example that a command is about; the function by its name or by a position."""
    given = about(*arguments)
    view = ls.view(str(given.get("uri", "")))
    if view is None:
        return None, None, None
    function = view.traced.function(str(given.get("function")))
    at = position(given.get("position"))
    if "function" not in given and at is not None:
        found = view.function_at(*convert.place(view.document.text, at, ls.encoding))
        function = found[0] if found else None
    example = given.get("example")
    return view, function, example if isinstance(example, int) else None


def position(given: Any) -> lsp.Position | None:
    match given:
        case {"line": int(line), "character": int(character)} if all(
            0 <= one <= UINTEGER_MAX_VALUE for one in (line, character)
        ):
            return lsp.Position(line, character)
    return None


def about(*arguments: Any) -> dict[str, Any]:
    """The one object that a command takes; absent and null members are the same."""
    given = arguments[0] if arguments and isinstance(arguments[0], dict) else {}
    return {name: value for name, value in given.items() if value is not None}
