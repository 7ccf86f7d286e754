"""A graph as tables: a row for each node, and one for each line of the source, with what they cost."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from .costs.nodes import Work
from .drawing import shown
from .graph import Graph
from .nodes import Kind, Node
from .positions import FILES
from .printing import Printer
from .units import in_bytes, in_flop
from .worker.wire import Cost, GraphCost

_WORDS = 60
"""Longer expressions in sizes have no place in a column."""
_TOTAL = 120
"""And longer ones than this in no line of their own."""
_TEXT = 60
"""Longer lines of the source are cut."""


def table(graph: Graph) -> str:
    """The nodes in program order, what all of it costs, and the lines of the source that it comes from."""
    printer = Printer(graph)
    parts = [_aligned(_node_rows(graph, printer), "lllllrrrr"), summary(graph.cost)]
    lines = _line_rows(graph, printer)
    return "\n\n".join([*parts, _aligned(lines, "rlrrrl")] if len(lines) > 1 else parts) + "\n"


def summary(cost: GraphCost) -> str:
    """`1.08 kflop · reads 3.84 KiB · writes 2.43 KiB · peak 1.8 KiB at s_1`, and the same in the inputs' sizes."""
    operations, read, written = cost.operations, cost.read, cost.written
    text = f"{in_flop(operations.number)} · reads {in_bytes(read.number)} · writes {in_bytes(written.number)}"
    text += f" · peak {in_bytes(cost.peak)}" + (f" at {cost.peak_at}" if cost.peak_at else "")
    if cost.unknown:
        text += f" · {cost.unknown} of unknown cost, not counted"
    named = (("flop", operations.words), ("read", read.words), ("written", written.words))
    return "\n".join([text, *(f"{name:<7} = {words}" for name, words in named if words and len(words) <= _TOTAL)])


# ---- rows ------------------------------------------------------------------------------------------

Row = tuple[str, ...]


def _node_rows(graph: Graph, printer: Printer) -> list[Row]:
    rows: list[Row] = [("name", "operation", "result", "inputs", "line", "read", "written", "flop", "live")]
    for node in shown(printer):
        inputs = ", ".join(printer.called(printer.dependencies.of(node)))
        operation = node.kind.value if node.kind is not Kind.CALL else printer.operation(node)
        row = (printer.names[node], operation, printer.description(node), inputs, str(printer.source_line(node) or ""))
        rows.append((*row, *_cost_cells(graph.costs.of(node)), in_bytes(graph.costs.live[node])))
    return rows


def _cost_cells(cost: Cost | None) -> Row:
    if cost is None:
        return ("?", "?", "?")
    return _cells(cost.read.number, cost.written.number, cost.operations.number)


def _cells(read: int, written: int, operations: int) -> Row:
    return (in_bytes(read) if read else "", in_bytes(written) if written else "", _number(operations))


def _number(operations: int) -> str:
    """Scalar operations below a heading that says what they are."""
    return in_flop(operations).removesuffix("flop").rstrip() if operations else ""


def _line_rows(graph: Graph, printer: Printer) -> list[Row]:
    """The lines of the source, those of each file in order, with the sums of their nodes."""
    by_line: dict[str, dict[int, list[Node]]] = {}
    for node in graph.nodes:
        line = printer.source_line(node) if node.kind is Kind.CALL else None
        if line is not None and node.code is not None:
            by_line.setdefault(node.code.co_filename, {}).setdefault(line, []).append(node)
    rows: list[Row] = [("line", "source", "read", "written", "flop", "in sizes")]
    for path, lines in by_line.items():
        for line in sorted(lines):
            where = f"{PurePath(path).name}:{line}" if len(by_line) > 1 else str(line)
            rows.append((where, _source(path, line), *_line_cells(graph, lines[line])))
    return rows if any(row[5] for row in rows[1:]) else [row[:5] for row in rows]


def _line_cells(graph: Graph, nodes: Sequence[Node]) -> Row:
    work: Work = graph.costs.together(nodes)
    cells = _cells(work.read.number, work.written.number, work.operations.number)
    words = work.operations.words or ""
    words = words if len(words) <= _WORDS else ""
    if graph.costs.unknown(nodes):
        return (*(f"{cell} + ?".lstrip(" +") for cell in cells), words)
    return (*cells, words)


def _source(path: str, line: int) -> str:
    lines = FILES[path].lines if path in FILES else linecache.getlines(path)
    text = lines[line - 1].strip() if line <= len(lines) else ""
    return text if len(text) <= _TEXT else text[: _TEXT - 1] + "…"


def _aligned(rows: Sequence[Row], sides: Iterable[str]) -> str:
    """Rows below each other, a rule below the first; `sides` says of each column whether it stands left or right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    texts = [[*rows[0]], ["-" * width for width in widths], *rows[1:]]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(row, widths, sides, strict=False)
        ).rstrip()
        for row in texts
    )
