"""Graph code to be read rather than run: of a captured array with many elements, its type and a few of them."""

from __future__ import annotations

from tracer.worker.wire import GraphInfo, NodeInfo

_LONGEST = 120
"""Characters of a captured array that are read."""


def readable(graph: GraphInfo) -> str:
    """The graph's code; what is left out stands as `...`, as in code that was too long to be sent."""
    lines = graph.code.split("\n")
    for node in graph.nodes:
        if node.line is not None and _is_long(node) and lines[node.line].lstrip().startswith(node.code):
            indent = lines[node.line].partition(node.code)[0]
            lines[node.line] = f"{indent}{line(node)}"
    return "\n".join(lines)


def line(node: NodeInfo) -> str:
    """A node's line of code."""
    if not _is_long(node):
        return node.code
    return f"{node.name} = ...  # {node.shape}" + (f": {node.values}" if node.values else "")


def _is_long(node: NodeInfo) -> bool:
    return node.operation == "constant" and len(node.code) > _LONGEST
