"""A picture in the forms of other tools: DOT, Mermaid, Model Explorer's JSON.

Our own graphs come in these forms from the tracer; of what PyTorch's tracers say there is the picture alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..analysis.picture import Group, Node, Picture

_RETURN = "return"
_COLOURS = {"input": "AliceBlue", "constant": "PowderBlue"}


def dot(drawn: Picture) -> str:
    """Graphviz' DOT."""
    rows = ["digraph {", "    rankdir=TB;", '    node [shape=box, style="filled,rounded", fontname="Helvetica"];']
    numbers = _numbers(drawn)
    for depth, entry in _walked(drawn):
        margin = "    " * (depth + 1)
        if entry is None:
            rows.append(f"{margin}}}")
        elif isinstance(entry, Group):
            rows += [f"{margin}subgraph cluster_{len(rows)} {{", f"{margin}    label={_quoted(entry.label)};"]
        else:
            colour = _COLOURS.get(entry.info.operation, "White")
            rows.append(f"{margin}{numbers[entry.info.name]} [label={_quoted(_label(entry))}, fillcolor={colour}];")
    rows.append(f"    {_RETURN} [fillcolor=Wheat];")
    return "\n".join([*rows, *(f"    {tail} -> {head};" for tail, head in _edges(drawn, numbers)), "}"]) + "\n"


def mermaid(drawn: Picture) -> str:
    """A Mermaid flow chart."""
    rows, numbers = ["flowchart TD"], _numbers(drawn)
    for depth, entry in _walked(drawn):
        margin = "    " * (depth + 1)
        if entry is None:
            rows.append(f"{margin}end")
        elif isinstance(entry, Group):
            rows.append(f'{margin}subgraph g{len(rows)}["{_entities(entry.label)}"]')
        else:
            opening, closing = ('(["', '"])') if entry.info.operation == "input" else ('["', '"]')
            rows.append(f"{margin}{numbers[entry.info.name]}{opening}{_entities(_label(entry))}{closing}")
    rows.append(f'    {_RETURN}(["return"])')
    return "\n".join([*rows, *(f"    {tail} --> {head}" for tail, head in _edges(drawn, numbers))]) + "\n"


def model_explorer(drawn: Picture) -> str:
    """JSON for Google's Model Explorer."""
    names = [group.label.replace("/", "∕") for group in drawn.groups]

    def namespace(number: int | None) -> str:
        if number is None:
            return ""
        above = namespace(drawn.groups[number].parent)
        return f"{above}/{names[number]}" if above else names[number]

    nodes: list[dict[str, Any]] = [
        {
            "id": node.info.name,
            "label": node.info.operation,
            "namespace": namespace(node.info.group),
            "incomingEdges": [{"sourceNodeId": name} for name in node.info.inputs],
            "attrs": [{"key": key, "value": value} for key, value in _attributes(node).items()],
        }
        for node in drawn.nodes
    ]
    ends = [{"sourceNodeId": name} for name in drawn.outputs]
    nodes.append({"id": "/return", "label": "return", "namespace": "", "incomingEdges": ends})
    return json.dumps({"label": drawn.function, "graphs": [{"id": drawn.title, "nodes": nodes}]}, ensure_ascii=False)


FORMS: Mapping[str, Callable[[Picture], str]] = {"dot": dot, "mermaid": mermaid, "model-explorer": model_explorer}


def _attributes(node: Node) -> dict[str, str]:
    told = {"code": node.info.code, "shape": node.info.shape}
    return told | ({"backward": "yes"} if node.backward else {}) | ({"saved": "yes"} if node.saved else {})


def _label(node: Node) -> str:
    saved = "\nsaved for the backward" if node.saved else ""
    return f"{node.info.name}: {node.info.operation}\n{node.info.shape}{saved}"


def _numbers(drawn: Picture) -> dict[str, str]:
    return {node.info.name: f"n{number}" for number, node in enumerate(drawn.nodes)}


def _edges(drawn: Picture, numbers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for node in drawn.nodes:
        yield from ((numbers[name], numbers[node.info.name]) for name in node.info.inputs if name in numbers)
    yield from ((numbers[name], _RETURN) for name in drawn.outputs if name in numbers)


def _walked(drawn: Picture) -> Iterator[tuple[int, Group | Node | None]]:
    """Groups and nodes, each group before what is in it and None behind that, with how deep they lie."""
    inside: dict[int | None, list[Group | Node]] = {}
    number = {id(group): index for index, group in enumerate(drawn.groups)}
    for group in drawn.groups:
        inside.setdefault(group.parent, []).append(group)
    for node in drawn.nodes:
        inside.setdefault(node.info.group, []).append(node)

    def walk(around: int | None, depth: int) -> Iterator[tuple[int, Group | Node | None]]:
        for entry in inside.get(around, ()):
            yield depth, entry
            if isinstance(entry, Group):
                yield from walk(number[id(entry)], depth + 1)
                yield depth, None

    return walk(None, 0)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _entities(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace("\n", "<br>")
