"""Non-strict tracing of NumPy code: run a function once, keep the graph, tell what the graph lost.

The public names load lazily, so that `tracer.rules` and `tracer.worker.wire` can be used by a process
that must not import NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .graph import Graph, GuardError
    from .loader import load_module
    from .marks import example, nonstrict_trace
    from .nodes import Node
    from .specs import spec
    from .tracing import Trace, make_graph, trace

_HOME = {
    "trace": "tracing", "make_graph": "tracing", "Trace": "tracing",
    "Graph": "graph", "GuardError": "graph", "Node": "nodes",
    "example": "marks", "spec": "specs", "nonstrict_trace": "marks", "load_module": "loader",
}  # fmt: skip

__all__ = [
    "Graph", "GuardError", "Node", "Trace", "example", "load_module", "make_graph", "nonstrict_trace", "spec", "trace",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)
