"""Traces a function in the process of its test, and gives the graph's text.

This is the one module of `nst_lsp` that loads the tracer, and with it NumPy: it runs among the user's own code, where
both are at home.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def graph_text(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """The graph of a call, as it is kept.  Raises what the function raises."""
    from tracer.snapshots import snapshot
    from tracer.tracing import trace_call

    found = trace_call(fn, args, dict(kwargs), "symbolic")
    if found.error is not None:
        raise found.error
    return snapshot(found.graph)
