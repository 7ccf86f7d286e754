"""The conditions under which a graph holds, from the decisions a trace made."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .events import Decision, Instruction, Iteration, Origin, Site
from .graph import Guard, Kind, Node
from .naming import size_source
from .positions import locate
from .trees import spell
from .values import count_of_range, size_of

if TYPE_CHECKING:
    from .tracing import Capture

_SYMBOLS = {
    operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "==", operator.ne: "!=",
}  # fmt: skip
_TIGHT = 9
"""The binding level of an attribute's or method's owner."""
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_ARITHMETIC = {
    operator.add: ("+", 4), operator.sub: ("-", 4), operator.mul: ("*", 5), operator.truediv: ("/", 5),
    operator.floordiv: ("//", 5), operator.mod: ("%", 5), operator.pow: ("**", 7), operator.and_: ("&", 3),
    operator.or_: ("|", 1), operator.xor: ("^", 2), operator.matmul: ("@", 5),
}  # fmt: skip


def guards_of(captured: Capture) -> tuple[Guard, ...]:
    """One guard for each condition on contents, sizes, types or arguments that was decided."""
    found: dict[tuple[str, Any], Guard] = {}
    for guard, _ in decided(captured):
        found.setdefault((guard.text, guard.node is None), guard)
    return tuple(found.values())


def decided(captured: Capture) -> Iterator[tuple[Guard, Instruction]]:
    """Every decision and loop that a graph depends on, as a guard, with the instruction that made it."""
    for event in captured.events:
        if isinstance(event, Decision):
            for guard in _of_decision(captured, event):
                yield guard, event.site.at
        elif isinstance(event, Iteration) and event.node is not None and captured.flow.depends_on_input(event.node):
            text = f"{_text(event.node) or _source(event.site)} == {event.count}"
            yield _guard(event.node, event.count, text, event.site), event.site.at


def joined(guards: Iterable[Guard]) -> str:
    """Guards as one condition."""
    return " and ".join(g.text for g in guards)


def _of_decision(captured: Capture, event: Decision) -> list[Guard]:
    sources = captured.flow.sources(event.origins)
    if event.node is not None and captured.flow.depends_on_input(event.node):
        return [_guard(event.node, event.outcome, _condition(event), event.site)]
    made = []
    for source in sources:
        if source.origin is Origin.ARGUMENT and source.path is not None:
            line, file = _where(event.site)
            text = f"{source.label} is None" if source.value is None else f"{source.label} == {source.value!r}"
            made.append(Guard(None, source.path, source.value, text, line, file))
    return made


def _guard(node: Node, expected: Any, text: str, site: Site) -> Guard:
    line, file = _where(site)
    return Guard(node, None, expected, text, line, file)


def _where(site: Site) -> tuple[int | None, str | None]:
    found = locate(site.at)
    return (found.where[0], found.file.path) if found else (None, None)


def _condition(event: Decision) -> str:
    """A decided condition in terms of the inputs where it can be told so, else as it is written."""
    node = event.node
    assert node is not None
    symbol = _SYMBOLS.get(node.function)  # type: ignore[arg-type]
    if symbol is not None and node.shape in (None, ()):
        left, right = (_text(a) for a in node.args)
        if left and right:
            return f"{left} {symbol if event.outcome else _NEGATED[symbol]} {right}"
    told = _text(node) or _source(event.site)
    return told if event.outcome else f"not {_parenthesised(told)}"


def _parenthesised(text: str) -> str:
    return (
        text
        if text.replace(".", "").replace("_", "").replace("[", "").replace("]", "").isalnum()
        or (text.endswith(")") and text.count("(") == 1)
        else f"({text})"
    )


def _source(site: Site) -> str:
    found = locate(site.at)
    return " ".join(found.text.split()) if found else "a condition"


def _text(value: Any, level: int = 0) -> str | None:
    """An expression over inputs, or None where an intermediate array is in it that has no short name."""
    if not isinstance(value, Node):
        return _literal(value)
    if value.kind is Kind.INPUT:
        return spell(value.args[0])
    if value.kind is not Kind.CALL or value.function is None or value.kwargs:
        return None
    return _call_text(value, level)


def _literal(value: Any) -> str:
    """A literal as a user writes it."""
    if isinstance(value, np.dtype):
        return f"np.{value.name}"
    if isinstance(value, type):
        return f"np.{value.__name__}" if issubclass(value, np.generic) else value.__name__
    return repr(value.item()) if isinstance(value, np.generic) else repr(value)


def _call_text(node: Node, level: int) -> str | None:
    args = node.args
    if node.function is size_of:
        array = size_source(args[0], args[1])
        base = _text(array[0]) if array else None
        return f"{base}.shape[{array[1]}]" if array and base else None
    if node.function is getattr:
        base = _text(args[0], _TIGHT)
        return f"{base}.{args[1]}" if base else None
    if node.function is count_of_range and len(args) == 1:
        return _text(args[0], level)
    parts = [_text(a) for a in args]
    if any(p is None for p in parts):
        return None
    if node.function is count_of_range:
        return f"len(range({', '.join(str(p) for p in parts)}))"
    symbol = _ARITHMETIC.get(node.function)  # type: ignore[arg-type]
    if symbol is not None and len(args) == 2:
        left, right = _text(args[0], symbol[1]), _text(args[1], symbol[1] + 1)
        told = f"{left} {symbol[0]} {right}"
        return f"({told})" if symbol[1] < level else told
    compared = _SYMBOLS.get(node.function)  # type: ignore[arg-type]
    if compared is not None:
        return f"{parts[0]} {compared} {parts[1]}" if level == 0 else f"({parts[0]} {compared} {parts[1]})"
    name = getattr(node.function, "__name__", "")
    owner = getattr(node.function, "__objclass__", None)
    if owner is not None and parts:
        return f"{_text(args[0], _TIGHT)}.{name}({', '.join(str(p) for p in parts[1:])})"
    return (
        f"{name}({', '.join(str(p) for p in parts)})"
        if node.function in (len, int, float, abs, max, min, round)
        else None
    )
