"""Graphs to be shown as documents: their URIs, titles and text."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, quote, unquote, urlsplit

from tracer.worker.wire import GraphInfo, Place, Span

from .traced import Function, Outcome
from .view import View

SCHEME = "nst-graph"
LOG_SCHEME = "nst-log"
LOG_URI = f"{LOG_SCHEME}:/nst-lsp.log"


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    code: str
    line: int
    """The node's line in the graph's code, from 0; -1 where it has none."""
    span: Span | None
    """Where it comes from in the document, as that is now."""


@dataclass(frozen=True, slots=True)
class Graph:
    uri: str
    path: str
    function: str
    example: int
    examples: int
    title: str
    code: str
    operations: int
    valid_for: str
    stale: bool
    nodes: tuple[Node, ...]


def graph(view: View, function: Function, example: int | None = None) -> Graph | None:
    """The graph of one example (the one shown, unless another is asked for); None where there is none."""
    outcome = view.shown(function) if example is None else function.outcome(example)
    if outcome is None or outcome.report.graph is None:
        return None
    report, info = outcome.report, outcome.report.graph
    return Graph(
        uri=graph_uri(view.document.path, function.name, report.index),
        path=view.document.path,
        function=function.name,
        example=report.index,
        examples=len(function.outcomes),
        title=title(function, outcome),
        code=info.code,
        operations=operations(info),
        valid_for=report.valid_for,
        stale=view.stale(outcome),
        nodes=_nodes(view, outcome, info),
    )


def title(function: Function, outcome: Outcome) -> str:
    count = len(function.outcomes)
    if count < 2:
        return function.name
    return f"{function.name} · example {position(function, outcome) + 1} of {count}"


def position(function: Function, outcome: Outcome) -> int:
    return [one.report.index for one in function.outcomes].index(outcome.report.index)


def operations(info: GraphInfo) -> int:
    """How many nodes do something: inputs and constants do not."""
    return info.operations or sum(node.operation not in ("input", "constant") for node in info.nodes)


def _nodes(view: View, outcome: Outcome, info: GraphInfo) -> tuple[Node, ...]:
    return tuple(
        Node(node.name, node.code, -1 if node.line is None else node.line, _span(view, outcome, node.place))
        for node in info.nodes
    )


def _span(view: View, outcome: Outcome, place: Place | None) -> Span | None:
    if place is None or place.path != view.document.path:
        return None
    return view.places.span(place, outcome.basis)


# ---- addresses -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class About:
    """What an address of ours stands for."""

    path: str
    function: str
    example: int
    study: str | None = None
    """Which of PyTorch's own tracers has answered; None where it is our own trace."""


def graph_uri(path: str, function: str, example: int, study: str | None = None) -> str:
    """`nst-graph:/path/file.py/Layer.forward.py?example=0`: the end of the path makes editors see Python."""
    folder = "/" + path.replace("\\", "/").lstrip("/")
    name, asked = (function, "") if study is None else (f"{function}.{study}", f"&study={study}")
    return f"{SCHEME}:{quote(folder)}/{quote(name, safe='')}.py?example={example}{asked}"


def read_graph_uri(uri: str) -> About | None:
    """What such a URI stands for; None for any other."""
    parts = urlsplit(uri)
    folder, _, name = parts.path.rpartition("/")
    if parts.scheme != SCHEME or not folder or not name.endswith(".py"):
        return None
    asked = parse_qs(unquote(parts.query))
    number, study = asked.get("example", ["0"])[0], asked.get("study", [None])[0]
    path = unquote(folder)
    if len(path) > 2 and path[0] == "/" and path[2] == ":":  # a drive
        path = path[1:]
    function = unquote(name.removesuffix(".py")).removesuffix(f".{study}" if study else "")
    return About(path, function, int(number) if number.isdigit() else 0, study)
