"""A graph in the forms other tools read: DOT, Mermaid, JSON, Model Explorer's JSON, a table."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .events import Instruction
from .graph import Graph
from .nodes import Kind, Node
from .positions import locate
from .printing import Printer, code, describe, line_of


def dot(graph: Graph) -> str:
    """Graphviz DOT, with record labels in the form of torch.fx's drawer, which Netron reads."""
    printer = Printer(graph)
    rows = [
        "digraph {",
        "    rankdir=TB;",
        '    node [shape=record, style="filled,rounded", fontname="Helvetica", fontsize=10];',
    ]
    colour = {Kind.INPUT: "AliceBlue", Kind.CONSTANT: "PowderBlue", Kind.CALL: "White"}
    for node in _shown(printer):
        name = printer.names[node]
        fields = [f"name={name}", f"op_code={_op_code(node)}", f"target={_target(printer, node)}", describe(node)]
        label = "{" + "|".join(_record(f) for f in fields) + "}"
        rows.append(f'    {_id(name)} [label="{label}", fillcolor={colour[node.kind]}];')
    rows.append('    "output" [label="{output}", shape=record, fillcolor="Wheat"];')
    edges = [(printer.names[o], printer.names[n]) for n in _shown(printer) for o in printer.visible_operands(n)]
    rows += [f"    {_id(a)} -> {_id(b)};" for a, b in dict.fromkeys(edges)]
    rows += [
        f'    {_id(printer.names[n])} -> "output";'
        for n in dict.fromkeys(printer.outputs())
        if n not in printer.inlined
    ]
    return "\n".join([*rows, "}"]) + "\n"


def mermaid(graph: Graph) -> str:
    """A Mermaid flow chart."""
    printer = Printer(graph)
    number = {printer.names[n]: f"n{i}" for i, n in enumerate(_shown(printer))}
    rows = ["flowchart TD"]
    for node in _shown(printer):
        name = printer.names[node]
        text = (
            f"{name}: {_target(printer, node)}<br>{describe(node)}".replace('"', "'")
            .replace("[", "#91;")
            .replace("]", "#93;")
        )
        opening, closing = ('(["', '"])') if node.kind is Kind.INPUT else ('["', '"]')
        rows.append(f"    {number[name]}{opening}{text}{closing}")
    edges = [(printer.names[o], printer.names[n]) for n in _shown(printer) for o in printer.visible_operands(n)]
    rows += [f"    {number[a]} --> {number[b]}" for a, b in dict.fromkeys(edges)]
    rows.append('    output(["output"])')
    rows += [
        f"    {number[printer.names[n]]} --> output"
        for n in dict.fromkeys(printer.outputs())
        if n not in printer.inlined
    ]
    return "\n".join(rows) + "\n"


def to_json(graph: Graph) -> str:
    """Our own JSON, version 1: nodes in program order, the same for the same graph."""
    printer = Printer(graph)
    nodes = [
        {
            "name": printer.names[n], "kind": n.kind.value, "target": _target(printer, n), "code": line_of(printer, n),
            "inputs": list(dict.fromkeys(printer.names[o] for o in printer.visible_operands(n))),
            "shape": list(n.shape) if n.shape is not None else None, "dtype": _dtype(n), "line": _line(n),
        }
        for n in _shown(printer)
    ]  # fmt: skip
    outputs = [printer.names[n] for n in printer.outputs() if n not in printer.inlined]
    data = {
        "schema": 1,
        "name": graph.name,
        "nodes": nodes,
        "outputs": outputs,
        "guards": [g.text for g in graph.guards],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def model_explorer(graph: Graph) -> str:
    """A GraphCollection as Model Explorer reads it, with the source line among the attributes."""
    printer = Printer(graph)
    nodes: list[dict[str, Any]] = []
    for node in _shown(printer):
        name = printer.names[node]
        edges = [
            {"sourceNodeId": printer.names[o], "sourceNodeOutputId": "0", "targetNodeInputId": str(i)}
            for i, o in enumerate(printer.visible_operands(node))
        ]
        attrs = [{"key": "code", "value": line_of(printer, node)}]
        if (line := _line(node)) is not None:
            attrs.append({"key": "source", "value": f"line {line}"})
        outputs = [{"id": "0", "attrs": [{"key": "shape", "value": describe(node)}]}]
        nodes.append(
            {
                "id": name,
                "label": _target(printer, node),
                "namespace": "",
                "incomingEdges": edges,
                "attrs": attrs,
                "outputsMetadata": outputs,
            }
        )
    ends = [n for n in dict.fromkeys(printer.outputs()) if n not in printer.inlined]
    edges = [
        {"sourceNodeId": printer.names[n], "sourceNodeOutputId": "0", "targetNodeInputId": str(i)}
        for i, n in enumerate(ends)
    ]
    nodes.append({"id": "output", "label": "output", "namespace": "", "incomingEdges": edges})
    return (
        json.dumps({"label": graph.name, "graphs": [{"id": graph.name, "nodes": nodes}]}, indent=1, ensure_ascii=False)
        + "\n"
    )


def table(graph: Graph) -> str:
    """One row a node: name, operation, dtype and shape, source line."""
    printer = Printer(graph)
    rows = [("name", "operation", "result", "inputs", "line")]
    for n in _shown(printer):
        inputs = ", ".join(dict.fromkeys(printer.names[o] for o in printer.visible_operands(n)))
        rows.append((printer.names[n], _target(printer, n), describe(n), inputs, str(_line(n) or "")))
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows]
    return "\n".join([text[0], "  ".join("-" * w for w in widths), *text[1:]]) + "\n"


RENDERINGS: dict[str, Callable[[Graph], str]] = {
    "code": code, "dot": dot, "mermaid": mermaid, "json": to_json, "model-explorer": model_explorer, "table": table,
}  # fmt: skip


def _shown(printer: Printer) -> list[Node]:
    seen: set[str] = set()
    shown = []
    for node in printer.graph.nodes:
        if node not in printer.inlined and printer.names[node] not in seen:
            seen.add(printer.names[node])
            shown.append(node)
    return shown


def _target(printer: Printer, node: Node) -> str:
    return node.kind.value if node.kind is not Kind.CALL else printer.operation(node)


def _op_code(node: Node) -> str:
    return {Kind.INPUT: "placeholder", Kind.CONSTANT: "get_attr", Kind.CALL: "call_function"}[node.kind]


def _dtype(node: Node) -> str:
    return str(node.dtype) if node.shape is not None else getattr(node.dtype, "__name__", str(node.dtype))


def _line(node: Node) -> int | None:
    at = locate(Instruction(node.code, node.lasti)) if node.code is not None else None
    return at.where[0] if at else None


def _id(name: str) -> str:
    return '"' + name.replace('"', r"\"") + '"'


def _record(text: str) -> str:
    return "".join(f"\\{c}" if c in '{}|<>"' else c for c in text) + r"\l"
