"""A graph in the forms other tools read: DOT, Mermaid, JSON, Model Explorer's JSON; tables are in `tables`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count
from typing import Any

from .drawing import Drawing, Group, drawing, shown
from .graph import Graph
from .nodes import Kind, Node
from .printing import Printer, code, line_of
from .tables import table
from .worker.wire import Cost


def dot(graph: Graph) -> str:
    """Graphviz DOT, with record labels in the form of torch.fx's drawer, which Netron reads."""
    picture = drawing(graph)
    rows = [
        "digraph {",
        "    rankdir=TB;",
        '    node [shape=record, style="filled,rounded", fontname="Helvetica", fontsize=10];',
        *_dot_rows(picture, picture.entries, "    ", count()),
        '    "output" [label="{output}", shape=record, fillcolor="Wheat"];',
    ]
    names = {node: _id(name) for node, name in picture.names.items()}
    rows += [f"    {names[a]} -> {names[b]};" for a, b in picture.edges]
    rows += [f'    {names[n]} -> "output";' for n in picture.ends]
    return "\n".join([*rows, "}"]) + "\n"


_COLOURS = {Kind.INPUT: "AliceBlue", Kind.CONSTANT: "PowderBlue", Kind.CALL: "White"}


def _dot_rows(picture: Drawing, entries: list[Node | Group], margin: str, numbers: Iterator[int]) -> Iterator[str]:
    printer = picture.printer
    for entry in entries:
        if isinstance(entry, Group):
            yield f"{margin}subgraph cluster_{next(numbers)} {{"
            yield f'{margin}    label="{entry.label}"; fontname="Helvetica"; fontsize=10;'
            yield from _dot_rows(picture, entry.entries, margin + "    ", numbers)
            yield f"{margin}}}"
        else:
            name = picture.names[entry]
            target = f"target={_target(printer, entry)}"
            fields = [f"name={name}", f"op_code={_op_code(entry)}", target, printer.description(entry)]
            label = "{" + "|".join(_record(f) for f in fields) + "}"
            yield f'{margin}{_id(name)} [label="{label}", fillcolor={_COLOURS[entry.kind]}];'


def mermaid(graph: Graph) -> str:
    """A Mermaid flow chart."""
    picture = drawing(graph)
    number: dict[Node, str] = {}
    rows = ["flowchart TD", *_mermaid_rows(picture, picture.entries, "    ", number, count())]
    rows += [f"    {number[a]} --> {number[b]}" for a, b in picture.edges]
    rows.append('    output(["output"])')
    rows += [f"    {number[n]} --> output" for n in picture.ends]
    return "\n".join(rows) + "\n"


def _mermaid_rows(
    picture: Drawing, entries: list[Node | Group], margin: str, number: dict[Node, str], groups: Iterator[int]
) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, Group):
            yield f'{margin}subgraph g{next(groups)}["{entry.label}"]'
            yield from _mermaid_rows(picture, entry.entries, margin + "    ", number, groups)
            yield f"{margin}end"
        else:
            number[entry] = f"n{len(number)}"
            text = f"{picture.names[entry]}: {_target(picture.printer, entry)}<br>{picture.printer.description(entry)}"
            text = text.replace('"', "'").replace("[", "#91;").replace("]", "#93;")
            opening, closing = ('(["', '"])') if entry.kind is Kind.INPUT else ('["', '"]')
            yield f"{margin}{number[entry]}{opening}{text}{closing}"


def to_json(graph: Graph) -> str:
    """Our own JSON, version 1: all nodes in program order, one a line; the same for the same graph."""
    printer = Printer(graph)
    nodes = (
        {
            "name": printer.names[n], "kind": n.kind.value, "target": _target(printer, n), "code": line_of(printer, n),
            "inputs": list(dict.fromkeys(printer.names[o] for o in printer.visible_operands(n))),
            "shape": list(n.shape) if n.shape is not None else None, "dtype": printer.dtype(n),
            "line": printer.source_line(n), "cost": _cost(graph.costs.of(n)),
        }
        for n in shown(printer)
    )  # fmt: skip
    outputs = [printer.names[n] for n in printer.outputs() if n not in printer.inlined]
    total = graph.cost
    return _lined({"schema": 1, "name": graph.name}, "nodes", nodes, {
        "outputs": outputs,
        "guards": [g.text for g in graph.guards],
        "cost": {
            "read": total.read.number, "written": total.written.number, "operations": total.operations.number,
            "peak": total.peak, "peak_at": total.peak_at, "unknown": total.unknown,
        },
    })  # fmt: skip


def _cost(cost: Cost | None) -> dict[str, int] | None:
    """What a node costs, in numbers: bytes, and operations; None where that is not known."""
    if cost is None:
        return None
    read, written, operations = (amount.number for amount in (cost.read, cost.written, cost.operations))
    return {"read": read, "written": written, "operations": operations, "live": cost.live}


def _lined(before: dict[str, Any], name: str, rows: Iterable[dict[str, Any]], after: dict[str, Any]) -> str:
    """A JSON object whose long list has an item a line: it is quick to write, and lines can be compared."""
    head = [f" {_json(key)}: {_json(value)}" for key, value in before.items()]
    tail = [f" {_json(key)}: {_json(value)}" for key, value in after.items()]
    items = ",\n".join("  " + _json(row) for row in rows)
    listed = f" {_json(name)}: [\n{items}\n ]" if items else f" {_json(name)}: []"
    return "{\n" + ",\n".join([*head, listed, *tail]) + "\n}\n"


_json = json.JSONEncoder(ensure_ascii=False).encode


def model_explorer(graph: Graph) -> str:
    """A GraphCollection as Model Explorer reads it, with the source line among the attributes."""
    printer = Printer(graph)
    ends = [n for n in dict.fromkeys(printer.outputs()) if n not in printer.inlined]
    output = {"id": "output", "label": "output", "namespace": "", "incomingEdges": _edges(printer, ends)}
    nodes = chain((_explored(printer, node) for node in shown(printer)), [output])
    text = _lined({"id": graph.name}, "nodes", nodes, {})
    return f'{{"label": {_json(graph.name)}, "graphs": [{text.rstrip()}]}}\n'


def _explored(printer: Printer, node: Node) -> dict[str, Any]:
    attrs = [{"key": "code", "value": line_of(printer, node)}]
    if (line := printer.source_line(node)) is not None:
        attrs.append({"key": "source", "value": f"line {line}"})
    return {
        "id": printer.names[node],
        "label": _target(printer, node),
        "namespace": "",
        "incomingEdges": _edges(printer, printer.visible_operands(node)),
        "attrs": attrs,
        "outputsMetadata": [{"id": "0", "attrs": [{"key": "shape", "value": printer.description(node)}]}],
    }


def _edges(printer: Printer, sources: Iterable[Node]) -> list[dict[str, str]]:
    return [
        {"sourceNodeId": printer.names[n], "sourceNodeOutputId": "0", "targetNodeInputId": str(i)}
        for i, n in enumerate(sources)
    ]


def unfolded(graph: Graph) -> str:
    """The code with every iteration, for people: large captured arrays are left out, as in the folded text."""
    return code(graph, elide=True, folded=False)


RENDERINGS: dict[str, Callable[[Graph], str]] = {
    "code": code, "unfolded": unfolded, "dot": dot, "mermaid": mermaid, "json": to_json,
    "model-explorer": model_explorer, "table": table,
}  # fmt: skip


def _target(printer: Printer, node: Node) -> str:
    return node.kind.value if node.kind is not Kind.CALL else printer.operation(node)


def _op_code(node: Node) -> str:
    return {Kind.INPUT: "placeholder", Kind.CONSTANT: "get_attr", Kind.CALL: "call_function"}[node.kind]


def _id(name: str) -> str:
    return '"' + name.replace('"', r"\"") + '"'


def _record(text: str) -> str:
    return "".join(f"\\{c}" if c in '{}|<>"' else c for c in text) + r"\l"
