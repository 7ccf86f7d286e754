"""Which operations of an array library's own the nodes of a graph become: PyTorch's `linear` becomes `t` and `addmm`.

They are seen as the graph runs on its example, so they are those of the example's sizes, dtypes and conditions.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from . import libraries
from .copies import copy_tree
from .graph import Graph
from .nodes import Kind, Node, evaluate, fill
from .printing import line_of
from .randomness import steady
from .spelling import Printer
from .trees import rebuild
from .worker.wire import Primitive

Becomes = Mapping[Node, tuple[Primitive, ...]]


def becomes(graph: Graph, printer: Printer, example: Mapping[str, Any], seconds: float = math.inf) -> Becomes:
    """What each operation of a graph becomes; nothing where the run takes longer than so many seconds.

    Of a graph that does not run to its end, it is told as far as it runs.
    """
    until = time.monotonic() + seconds
    found, _ = _run(graph, printer, example, until)
    return found if time.monotonic() <= until else {}


def text(graph: Graph, example: Mapping[str, Any]) -> str:
    """The operations of the library's own as a function of the graph's inputs, below the calls that they came from."""
    library = libraries.current()
    if library is None:
        return "# no operation of this graph is PyTorch's\n"
    if graph.inputs and not example:
        return "# these operations are seen as the graph runs on its example, which has no contents\n"
    printer = Printer(graph)
    found, result = _run(graph, printer, example)
    given = dict.fromkeys(printer.names[node] for node in graph.nodes if node.kind is not Kind.CALL)
    name = graph.name if graph.name.isidentifier() else "graph"
    rows = [f"import {library.name}\n", f"def {name}({', '.join(given)}):"]
    for node, became in found.items():
        if became:
            line = printer.source_line(node)
            rows.append(f"    # {line_of(printer, node)}" + (f"  line {line}" if line is not None else ""))
        rows += (f"    {one.code}" + (f"  # {one.shape}" if one.shape else "") for one in became)
    rows.append("    # the run on the example ends here\n    ..." if result is None else f"    return {result}")
    return "\n".join(rows) + "\n"


def _run(
    graph: Graph, printer: Printer, example: Mapping[str, Any], until: float = math.inf
) -> tuple[Becomes, str | None]:
    """What each operation becomes on the example, and the result in these terms; None where the run ends before."""
    library = libraries.current()
    found: dict[Node, tuple[Primitive, ...]] = {}
    if library is None:
        return found, None
    lowering = library.lowering([printer.names[node] for node in graph.nodes if node.kind is not Kind.CALL])
    values: dict[Node, Any] = {}
    copies: dict[Any, Any] = {}
    bound = {**graph.brought(), **copy_tree(dict(example))}
    with steady():
        for node in graph.nodes:
            if time.monotonic() > until:
                return found, None
            evaluated = partial(evaluate, node, values, bound, copies)
            try:
                if node.kind is Kind.CALL:
                    values[node], found[node] = lowering.run(evaluated)
                else:
                    values[node] = evaluated()
            except Exception:  # noqa: BLE001  # whatever the user's operations raise for it
                return found, None
            if node.kind is not Kind.CALL:
                lowering.call(values[node], printer.names[node])
    return found, lowering.argument(rebuild(graph.output, lambda leaf: fill(leaf.value, values.__getitem__)))
