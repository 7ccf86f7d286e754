"""A graph in the forms other tools read: DOT, Mermaid, JSON, Model Explorer's JSON; tables are in `tables`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, count
from types import MappingProxyType
from typing import Any

from .drawing import Drawing, Group, drawing, ends_of, shown, walked
from .graph import Graph
from .groups import Groups, groups_of
from .nodes import Kind, Node
from .printing import Printer, code, line_of
from .tables import table
from .worker.wire import Cost, Primitive

NOTHING_KNOWN: Mapping[Node, tuple[Primitive, ...]] = MappingProxyType({})


def dot(graph: Graph) -> str:
    """Graphviz DOT, with record labels in the form of torch.fx's drawer, which Netron reads."""
    picture = drawing(graph)
    rows = [
        "digraph {",
        "    rankdir=TB;",
        '    node [shape=record, style="filled,rounded", fontname="Helvetica", fontsize=10];',
        *_dot_rows(picture),
        '    "output" [label="{output}", shape=record, fillcolor="Wheat"];',
    ]
    names = {node: _id(name) for node, name in picture.names.items()}
    rows += [f"    {names[a]} -> {names[b]};" for a, b in picture.edges]
    rows += [f'    {names[n]} -> "output";' for n in picture.ends]
    return "\n".join([*rows, "}"]) + "\n"


_COLOURS = {Kind.INPUT: "AliceBlue", Kind.CONSTANT: "PowderBlue", Kind.CALL: "White"}


def _dot_rows(picture: Drawing) -> Iterator[str]:
    printer, numbers = picture.printer, count()
    for depth, entry in walked(picture.entries):
        margin = "    " * (depth + 1)
        if entry is None:
            yield f"{margin}}}"
        elif isinstance(entry, Group):
            yield f"{margin}subgraph cluster_{next(numbers)} {{"
            yield f'{margin}    label={_text(entry.label)}; fontname="Helvetica"; fontsize=10;'
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
    rows = ["flowchart TD", *_mermaid_rows(picture, number)]
    rows += [f"    {number[a]} --> {number[b]}" for a, b in picture.edges]
    rows.append('    output(["output"])')
    rows += [f"    {number[n]} --> output" for n in picture.ends]
    return "\n".join(rows) + "\n"


def _mermaid_rows(picture: Drawing, number: dict[Node, str]) -> Iterator[str]:
    groups = count()
    for depth, entry in walked(picture.entries):
        margin = "    " * (depth + 1)
        if entry is None:
            yield f"{margin}end"
        elif isinstance(entry, Group):
            yield f'{margin}subgraph g{next(groups)}["{_mermaid_text(entry.label)}"]'
        else:
            number[entry] = f"n{len(number)}"
            what = f"{picture.names[entry]}: {_target(picture.printer, entry)}"
            text = f"{_mermaid_text(what)}<br>{_mermaid_text(picture.printer.description(entry))}"
            opening, closing = ('(["', '"])') if entry.kind is Kind.INPUT else ('["', '"]')
            yield f"{margin}{number[entry]}{opening}{text}{closing}"


def _mermaid_text(text: str) -> str:
    """A label's text: what Mermaid or HTML would read as more than that, by its number."""
    return "".join(f"#{ord(c)};" if c in '"#<>[]\\`' else c for c in text)


def to_json(graph: Graph, becomes: Mapping[Node, tuple[Primitive, ...]] = NOTHING_KNOWN) -> str:
    """Our own JSON, version 1: all nodes in program order, one a line; the same for the same graph.

    `becomes` are the operations of the library's own that nodes become (`lowering`), where an example tells.
    """
    printer = Printer(graph)
    lines = shown(printer)
    groups = groups_of(printer, lines)
    nodes = (
        {
            "name": printer.names[n], "kind": n.kind.value, "target": _target(printer, n), "code": line_of(printer, n),
            "inputs": printer.called(printer.dependencies.of(n)),
            "shape": list(n.shape) if n.shape is not None else None, "dtype": printer.dtype(n),
            "line": printer.source_line(n), "cost": _cost(graph.costs.of(n)),
            "group": groups.of.get(n),
            **({"becomes": [_primitive(one) for one in becomes[n]]} if becomes.get(n) else {}),
        }
        for n in lines
    )  # fmt: skip
    inside = (
        {
            "kind": g.kind.value, "label": g.label, "parent": g.parent,
            "line": g.place.span.line if g.place is not None else None,
            **({"path": g.path} if g.path else {}),
        }
        for g in groups.listed
    )  # fmt: skip
    outputs = printer.called(ends_of(printer))
    total = graph.cost
    return _lined({
        "schema": 1,
        "name": graph.name,
        "nodes": nodes,
        "groups": inside,
        "outputs": outputs,
        "guards": [g.text for g in graph.guards],
        "cost": {
            "read": total.read.number, "written": total.written.number, "operations": total.operations.number,
            "peak": total.peak, "peak_at": total.peak_at, "unknown": total.unknown,
        },
    })  # fmt: skip


def _primitive(one: Primitive) -> dict[str, Any]:
    return {"name": one.name, "operation": one.operation, "code": one.code, "inputs": one.inputs, "shape": one.shape}


def _cost(cost: Cost | None) -> dict[str, int] | None:
    """What a node costs, in numbers: bytes, and operations; None where that is not known."""
    if cost is None:
        return None
    read, written, operations = (amount.number for amount in (cost.read, cost.written, cost.operations))
    return {"read": read, "written": written, "operations": operations, "live": cost.live}


def _lined(fields: dict[str, Any]) -> str:
    """A JSON object whose long lists (iterators) have an item a line: quick to write, and lines can be compared."""
    return "{\n" + ",\n".join(f" {_json(name)}: {_listed(value)}" for name, value in fields.items()) + "\n}\n"


def _listed(value: Any) -> str:
    if not isinstance(value, Iterator):
        return _json(value)
    items = ",\n".join("  " + _json(row) for row in value)
    return f"[\n{items}\n ]" if items else "[]"


_json = json.JSONEncoder(ensure_ascii=False).encode


def model_explorer(graph: Graph) -> str:
    """A GraphCollection as Model Explorer reads it: groups are namespaces, source lines are among the attributes."""
    printer = Printer(graph)
    lines = shown(printer)
    groups = groups_of(printer, lines)
    spaces = _namespaces(groups)
    ends = ends_of(printer)
    output = {"id": "output", "label": "output", "namespace": "", "incomingEdges": _edges(printer, ends)}
    inside = ("" if (group := groups.of.get(node)) is None else spaces[group] for node in lines)
    nodes = chain((_explored(printer, *each) for each in zip(lines, inside, strict=True)), [output])
    told = {
        space: {"kind": g.kind.value} | ({"source": f"line {g.place.span.line}"} if g.place is not None else {})
        for space, g in zip(spaces, groups.listed, strict=True)
    }
    text = _lined({"id": graph.name, "nodes": nodes, "groupNodeAttributes": told})
    return f'{{"label": {_json(graph.name)}, "graphs": [{text.rstrip()}]}}\n'


def _namespaces(groups: Groups) -> list[str]:
    """A path of labels for each group; groups of one label in one group are numbered."""
    taken: Counter[str] = Counter()
    spaces: list[str] = []
    for group in groups.listed:
        label = group.label.replace("/", "\N{DIVISION SLASH}")
        path = label if group.parent is None else f"{spaces[group.parent]}/{label}"
        taken[path] += 1
        spaces.append(path if taken[path] == 1 else f"{path} ({taken[path]})")
    return spaces


def _explored(printer: Printer, node: Node, namespace: str) -> dict[str, Any]:
    attrs = [{"key": "code", "value": line_of(printer, node)}]
    if (line := printer.source_line(node)) is not None:
        attrs.append({"key": "source", "value": f"line {line}"})
    return {
        "id": printer.names[node],
        "label": _target(printer, node),
        "namespace": namespace,
        "incomingEdges": _edges(printer, printer.dependencies.of(node)),
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
    "code": code, "unfolded": unfolded, "dot": dot, "mermaid": mermaid,
    "model-explorer": model_explorer, "table": table,
}  # fmt: skip


def _target(printer: Printer, node: Node) -> str:
    return node.kind.value if node.kind is not Kind.CALL else printer.operation(node)


def _op_code(node: Node) -> str:
    return {Kind.INPUT: "placeholder", Kind.CONSTANT: "get_attr", Kind.CALL: "call_function"}[node.kind]


def _id(name: str) -> str:
    return '"' + name.replace('"', r"\"") + '"'


def _text(label: str) -> str:
    """A label as it is: in labels, a backslash begins an escape of Graphviz' own."""
    return _id(label.replace("\\", r"\\"))


def _record(text: str) -> str:
    return "".join(f"\\{c}" if c in '{}|<>"\\' else c for c in text) + r"\l"
