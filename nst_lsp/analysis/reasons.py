"""How a change of a graph is told: one line for each reason, and a few words for all of a kind."""

from __future__ import annotations

from dataclasses import dataclass

from tracer.worker.wire import NodeInfo, Place


@dataclass(frozen=True, slots=True)
class Reason:
    text: str
    """What changed, in a line; code stands between backticks."""
    place: Place | None = None
    """Where it is in the text of the newer graph; of what went away, what stands in its stead."""
    earlier: Place | None = None
    """Where it was in the text of the older graph, of what went away."""


@dataclass(frozen=True, slots=True)
class Part:
    """All changes of one kind."""

    summary: str
    """`2 operations added`."""
    reasons: tuple[Reason, ...]


def part(count: int, what: str, how: str, reasons: list[Reason], only: str = "") -> list[Part]:
    """`2 operations added`, or `1 operation added: …` where there is one and `only` says which; nothing for none."""
    if not count:
        return []
    summary = f"{counted(count, what)} {how}" + (f": {only}" if count == 1 and only else "")
    return [Part(summary, tuple(reasons))]


def counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def expression(node: NodeInfo) -> str:
    """What a node does, as code without the name of its result."""
    return short(node.code.removeprefix(f"{node.name} = "))


def short(text: str, limit: int = 60) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def became(before: str, after: str) -> str:
    return f"`{before}` → `{after}`"
