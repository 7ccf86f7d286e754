"""A graph as Python text that can be executed and gives the same results, one node a line.

Sizes and other pure numbers stand inside the expressions that use them.  A comment gives each line's dtype
and shape on the example and the source line it came from.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import libraries
from .folded import folded as fold_loops
from .graph import Graph
from .nodes import Kind, Node
from .spelling import Printer, Row, describe
from .trees import Leaf, children, is_record, is_structure


def code(graph: Graph, printer: Printer | None = None, *, elide: bool = False, folded: bool = True) -> str:
    """The graph as a module's text: imports and one function of the graph's name and parameters."""
    return printed(graph, printer, elide=elide, folded=folded).text


def readable(graph: Graph) -> str:
    """The folded text, below the conditions under which the graph holds."""
    guards = [f"# holds for {g.text}" + (f"  line {g.line}" if g.line else "") for g in graph.guards]
    return "\n".join([*dict.fromkeys(guards), code(graph, elide=True)])


@dataclass(frozen=True, slots=True)
class Printed:
    text: str
    printer: Printer
    _lines: dict[Node, int]

    def line(self, node: Node) -> int | None:
        """The line that a node stands in, from 0; None for one that has no line of its own."""
        return self._lines.get(self.printer.printed_as(node))


def printed(graph: Graph, printer: Printer | None = None, *, elide: bool = False, folded: bool = True) -> Printed:
    """The text of `code`, and which nodes stand where."""
    printer = printer or Printer(graph)
    loops = fold_loops(printer) if folded else None
    rows = list(loops.rows(elide)) if loops else []
    if loops and len(rows) < len(graph.nodes) - len(printer.inlined) - len(graph.inputs):
        printer = loops
    else:
        rows = list(_rows(printer, elide))
    rows.append(Row(f"return {_output(printer, graph.output)}"))
    body = _body(rows)
    head = f"def {graph.name if graph.name.isidentifier() else 'graph'}({_parameters(printer, graph)}):"
    callbacks = [f"{name} = {printer.making(value)}" for name, value in list(printer.functions.items())]
    imports = [
        f"import {n}" if n == alias else f"import {n} as {alias}" for n, alias in sorted(printer.aliases.items())
    ]
    before = [*imports, *callbacks]
    top = [*before, *([""] if before else []), head]
    lines: dict[Node, int] = {}
    number = len("\n".join(top).splitlines())
    for row in rows:
        if row.node is not None:
            lines[row.node] = number
        number += 1 + row.text.count("\n")
    return Printed("\n".join([*top, *body]) + "\n", printer, lines)


def _body(rows: list[Row]) -> list[str]:
    """The lines of a function, their comments below each other."""
    texts = ["    " * row.depth + row.text for row in rows]
    widths = [len(text) - text.rfind("\n") - 1 for text in texts]
    width = min(max(widths), 64)
    return [
        f"{text}{' ' * (width - mine)}  # {row.comment}" if row.comment else text
        for text, mine, row in zip(texts, widths, rows, strict=True)
    ]


def _rows(printer: Printer, elide: bool) -> Iterator[Row]:
    """The lines of a graph as it is, but for the last."""
    seen: set[str] = set()
    for node in printer.graph.nodes:
        if node in printer.inlined or (node.kind is Kind.INPUT and len(node.args[0]) == 1):
            continue
        if node.kind is not Kind.CONSTANT:
            yield Row(printer.statement(node), printer.comment(node), node=node)
        elif printer.names[node] not in seen:
            seen.add(printer.names[node])
            *memory, text = printer.constant(node, elide) or [""]
            yield from (Row(line) for line in memory)
            if text:
                yield Row(text, printer.comment(node), node=node)


def line_of(printer: Printer, node: Node) -> str:
    """One node's line for people: captured arrays are not spelled out."""
    if node.kind is Kind.CONSTANT:
        return f"{printer.names[node]} = {printer.array(node.args[0], elide=True)}"
    return printer.statement(node)


def _parameters(printer: Printer, graph: Graph) -> str:
    """The function's parameters, with their defaults where these are literals."""
    parts, star = list(graph.given), False
    parameters = list(graph.signature.parameters.values())
    for i, p in enumerate(parameters):
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        prefix = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        star |= p.kind is p.VAR_POSITIONAL
        default = (
            f"={printer.literal(p.default) if _is_literal(p.default) else 'None'}" if p.default is not p.empty else ""
        )
        parts.append(f"{prefix}{p.name}{default}")
        if p.kind is p.POSITIONAL_ONLY and (
            i + 1 == len(parameters) or parameters[i + 1].kind is not p.POSITIONAL_ONLY
        ):
            parts.append("/")
    return ", ".join(parts)


def _is_literal(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, complex, str, np.generic))


def _output(printer: Printer, tree: Any) -> str:
    if isinstance(tree, Leaf):
        return printer.operand(tree.value) if isinstance(tree.value, Node) else _returned(printer, tree.value)
    if type(tree) is list or type(tree) is tuple:
        items = _elements(printer, tree)
        if type(tree) is list:
            return f"[{', '.join(items)}]"
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    parts = [(step, _output(printer, child)) for step, child in children(tree)]
    if isinstance(tree, dict):
        pairs = "{" + ", ".join(f"{printer.literal(k)}: {v}" for k, v in parts) + "}"
        return pairs if type(tree) is dict else _of_class(printer, tree, pairs)
    if type(tree) is deque:
        return f"{printer.name_of(deque)}([{', '.join(v for _, v in parts)}], {tree.maxlen!r})"
    if is_record(tree):
        return f"{printer.name_of(type(tree))}({', '.join(f'{k}={v}' for k, v in parts)})"
    inside = ", ".join(v for _, v in parts)
    return f"{printer.name_of(type(tree))}({f'({inside},)' if is_structure(type(tree)) else inside})"


def _of_class(printer: Printer, tree: dict[Any, Any], items: str) -> str:
    """A dictionary of another class."""
    name = printer.name_of(type(tree))
    if not isinstance(tree, defaultdict):
        return f"{name}({items})"
    made = tree.default_factory
    return f"{name}({'None' if made is None else printer.name_of(made)}, {items})"


def _elements(printer: Printer, tree: Sequence[Any]) -> list[str]:
    if all(isinstance(item, Leaf) and isinstance(item.value, Node) for item in tree):
        return printer.elements([item.value for item in tree])
    return [_output(printer, item) for item in tree]


def _returned(printer: Printer, value: Any) -> str:
    return printer.array(value) if libraries.is_array(value) else printer.literal(value)


__all__ = ["Printed", "Printer", "code", "describe", "line_of", "printed", "readable"]
