"""What nodes and graphs cost, in a line: scalar operations, bytes read and written, the peak of live memory."""

from __future__ import annotations

from collections.abc import Sequence

from tracer.units import in_bytes, in_flop
from tracer.worker.wire import Cost, GraphCost, NodeInfo

from .markup import Markup

_LONGEST = 60
"""Expressions in sizes that are longer are left out."""


def nodes_cost(nodes: Sequence[NodeInfo], to: Markup) -> str | None:
    """`12 flop · reads 96 B · writes 32 B`, of several nodes together; None where nothing is done, or known."""
    known = [node.cost for node in nodes if node.cost is not None]
    parts = _parts(known, to)
    if not parts:
        return None
    if len(known) < len(nodes):
        parts.append(f"{len(nodes) - len(known)} of unknown cost")
    return " · ".join([*parts, f"in {len(nodes)} nodes"] if len(nodes) > 1 else parts)


def _parts(costs: Sequence[Cost], to: Markup) -> list[str]:
    operations = sum(cost.operations.number for cost in costs)
    read, written = sum(cost.read.number for cost in costs), sum(cost.written.number for cost in costs)
    parts = []
    if operations:
        words = costs[0].operations.words if len(costs) == 1 else None
        parts.append(in_flop(operations) + _in_words(words, to))
    if read:
        parts.append(f"reads {in_bytes(read)}")
    if written:
        parts.append(f"writes {in_bytes(written)}")
    return parts


def graph_cost(cost: GraphCost, to: Markup) -> str:
    """`graph: 1.2 Mflop · reads 3 MiB, writes 1 MiB · peak 2 MiB at y`, and how much of it is not known."""
    operations = in_flop(cost.operations.number) + _in_words(cost.operations.words, to)
    moved = f"reads {in_bytes(cost.read.number)}, writes {in_bytes(cost.written.number)}"
    peak = f"peak {in_bytes(cost.peak)}" + (f" at {to.code(cost.peak_at)}" if cost.peak_at else "")
    unknown = [f"{cost.unknown} of unknown cost"] if cost.unknown else []
    return " · ".join([f"graph: {operations}", moved, peak, *unknown])


def _in_words(words: str | None, to: Markup) -> str:
    return f" ({to.code(words)})" if words and len(words) <= _LONGEST else ""
