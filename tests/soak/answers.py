"""Everything a server says of its open files, in a form that can be compared, and how two servers differ."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .client import Client

STALE = "(stale)"
FADED = "'not in the graph"
"""The text of a branch that was not taken; an editor shows no more of it than that it is faded."""
NOT_LOADED = frozenset({"NST503", "NST504"})
FUNCTIONS = ("f_0", "f_1", "f_2", "f_3", "f_4", "g", "Layer.forward")
"""All that may have examples."""
_TIME = re.compile(r"[\d.]+ ms")


@dataclass(frozen=True, slots=True)
class Answers:
    diagnostics: Mapping[str, list[str]]
    """By URI, of open and of other files."""
    lenses: Mapping[str, list[str]]
    graphs: Mapping[str, list[str]]
    hovers: Mapping[str, list[str]]
    hints: Mapping[str, list[str]]


def answers(client: Client, uris: Sequence[str]) -> Answers:
    """What a quiescent server says of these open files, every function showing its first example."""
    for uri, function in itertools.product(uris, FUNCTIONS):
        _command(client, "nst.switchExample", uri, function, 0)
    lenses = {uri: client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}}) or [] for uri in uris}
    lenses = {uri: [_resolved(client, lens) for lens in found] for uri, found in lenses.items()}
    return Answers(
        {uri: sorted(map(_told, found)) for uri, found in _diagnostics(client, uris).items() if found},
        {uri: sorted(_place(one) + one["command"]["title"] for one in found) for uri, found in lenses.items()},
        {uri: list(_graphs(client, uri)) for uri in lenses},
        {uri: list(_hovers(client, uri, found)) for uri, found in lenses.items()},
        {uri: _hints(client, uri) for uri in lenses},
    )


def _diagnostics(client: Client, uris: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """By URI: as they were sent, or as they are when asked for, one by one and all together."""
    if not client.capabilities.get("diagnosticProvider"):
        return {uri: sent["diagnostics"] for uri, sent in client.diagnostics.items()}
    everything = client.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
    one_by_one = {uri: client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"] for uri in uris}
    return {one["uri"]: one["items"] for one in everything} | one_by_one


def _resolved(client: Client, lens: dict[str, Any]) -> dict[str, Any]:
    return lens if "command" in lens else dict(client.ask("codeLens/resolve", lens))


def _graphs(client: Client, uri: str) -> Iterator[str]:
    for function in FUNCTIONS:
        for example in range(3):
            graph = _command(client, "nst.graph", uri, function, example)
            if graph is not None and graph["example"] == example:
                places = [(node["name"], node["range"] and _place(node)) for node in graph["nodes"]]
                facts = [graph[name] for name in ("examples", "title", "operations", "validFor", "stale")]
                yield f"{function} {example}: {facts}\n{graph['code']}{places}"


def _command(client: Client, command: str, uri: str, function: str, example: int) -> Any:
    about = {"uri": uri, "function": function, "example": example}
    return client.ask("workspace/executeCommand", {"command": command, "arguments": [about]})


def _hovers(client: Client, uri: str, lenses: list[dict[str, Any]]) -> Iterator[str]:
    for line, character in sorted(
        {(one["range"]["start"]["line"], one["range"]["start"]["character"]) for one in lenses}
    ):
        at = {"line": line, "character": character}
        found = client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
        yield f"{line}: {_TIME.sub('… ms', found['contents']['value']) if found else None}"


def _hints(client: Client, uri: str) -> list[str]:
    if not client.capabilities.get("inlayHintProvider"):
        return []
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 100_000, "character": 0}}
    found = client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": everything})
    return sorted(f"{one['position']['line']}:{one['position']['character']} {one['label']}" for one in found or [])


def _told(one: dict[str, Any]) -> str:
    related = sorted(f"{_place(other['location'])}{other['message']}" for other in one.get("relatedInformation", []))
    return f"{_place(one)}{one['severity']} {one['code']} {one['message']!r} {one.get('tags', '')} {related}"


def _place(one: dict[str, Any]) -> str:
    start, end = one["range"]["start"], one["range"]["end"]
    return f"{start['line']:>3}:{start['character']:>2}-{end['line']}:{end['character']} "


# ---- the comparison ---------------------------------------------------------------------------------


def differences(long: Answers, fresh: Answers) -> list[str]:
    """What the server that lives long says otherwise than the fresh one, line by line.

    Results of an earlier text may stand where the present one cannot be loaded, if they say so: then the rest must
    be the same, and what is drawn from the earlier text is not compared.
    """
    found: list[str] = []
    for uri in sorted({*long.diagnostics, *fresh.diagnostics}):
        now = [one for one in long.diagnostics.get(uri, []) if STALE not in one]
        then = fresh.diagnostics.get(uri, [])
        if _not_loaded(fresh, uri):
            now, then = ([one for one in some if FADED not in one] for some in (now, then))
        found += _different(uri, "diagnostic", now, then)
    for uri in sorted({*long.lenses, *fresh.lenses}):
        if _not_loaded(fresh, uri):
            continue
        if any(STALE in one for one in long.diagnostics.get(uri, [])):
            found.append(f"{uri}: diagnostics are stale, though the file loads")
        for what in ("lenses", "graphs", "hovers", "hints"):
            found += _different(uri, what, getattr(long, what).get(uri, []), getattr(fresh, what).get(uri, []))
    return found


def _not_loaded(fresh: Answers, uri: str) -> bool:
    return any(f" {code} " in one for one in fresh.diagnostics.get(uri, []) for code in NOT_LOADED)


def _different(uri: str, what: str, long: list[str], fresh: list[str]) -> Iterator[str]:
    where = uri.rpartition("/")[2]
    for one in long:
        if one not in fresh:
            yield f"{where}: {what} only in the long run:  {one[:1000]}"
    for one in fresh:
        if one not in long:
            yield f"{where}: {what} only in the fresh run: {one[:1000]}"
