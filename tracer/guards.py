"""The conditions under which a graph holds, from the decisions a trace made."""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from .events import Decision, Entered, Event, Instruction, Iteration, Origin, Site, Sized, Source
from .flow import Flow
from .graph import Guard
from .narrow import iterable, operand, whole_pattern
from .nodes import Kind, Node
from .positions import Located, locate
from .shapes import Size
from .sizes import Sizes, inputs_in
from .steps import count_of_range, size_of
from .trees import spell
from .worker.wire import Place

_SYMBOLS = {
    operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "==", operator.ne: "!=",
    operator.is_: "is", operator.is_not: "is not",
}  # fmt: skip
_COMPARISON = 0
_LONGEST = 100
"""Conditions longer than this are given as the user wrote them."""
_TIGHT = 9
"""The binding level of an attribute's or method's owner."""
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "is": "is not", "is not": "is"}
_ARITHMETIC = {
    operator.add: ("+", 4), operator.sub: ("-", 4), operator.mul: ("*", 5), operator.truediv: ("/", 5),
    operator.floordiv: ("//", 5), operator.mod: ("%", 5), operator.pow: ("**", 7), operator.and_: ("&", 3),
    operator.or_: ("|", 1), operator.xor: ("^", 2), operator.matmul: ("@", 5),
}  # fmt: skip


def guards_of(decisions: Iterable[tuple[Guard, Instruction]]) -> tuple[Guard, ...]:
    """One guard for each condition on contents, sizes, types or arguments that was decided."""
    found: dict[Any, Guard] = {}
    for guard, _ in decisions:
        key = guard.text if guard.node is None or guard.node.function is getattr else guard.node
        found.setdefault(key, guard)
    return tuple(found.values())


def constants(events: list[Event], flow: Flow, live: set[Node]) -> list[Guard]:
    """The non-array arguments that are constants in the graph: with other values it is another graph."""
    found: dict[Any, Guard] = {}
    for event in events:
        if isinstance(event, Entered) and event.node in live:
            for source in flow.sources(event.origins):
                if source.path is not None and source.origin in (Origin.ARGUMENT, Origin.HIDDEN):
                    place = _place(event.site, partial(operand, event=event))
                    text = f"{source.label} == {source.value!r}"
                    found.setdefault(source.path, Guard(None, source.path, source.value, text, place, constant=True))
    return list(found.values())


def decided(events: list[Event], flow: Flow, sized: list[Sized]) -> Iterator[tuple[Guard, Instruction]]:
    """Every decision and loop that a graph depends on, as a guard, with the instruction that made it."""
    texts = _Texts(flow.sizes)
    for each in sized:
        array, where = each.node, each.site
        shape = Node(
            Kind.CALL, getattr, (array, "shape"), None, None, tuple, None, False, where.at.code, where.at.lasti
        )
        text = f"{texts.text(array, _TIGHT) or _measured(where)}.shape == {each.shape}"
        yield Guard(shape, None, each.shape, text, _place(where)), where.at
    for event in events:
        if isinstance(event, Decision):
            for guard in _of_decision(flow, event, texts):
                yield guard, event.site.at
        elif isinstance(event, Iteration) and event.node is not None and flow.depends_on_input(event.node):
            text = f"{texts.text(event.node, 1) or _length(event.site)} == {event.count}"
            yield Guard(event.node, None, event.count, text, _place(event.site, iterable)), event.site.at
        elif isinstance(event, Iteration):
            for guard in _of_arguments(flow.sources(event.origins), _place(event.site, iterable)):
                yield guard, event.site.at


def joined(guards: Iterable[Guard]) -> str:
    """Guards as one condition; what a loop decided many times is said once, with its count."""
    counts = Counter(g.text for g in guards if not g.constant)
    both = {t for t in counts if f"not ({t})" in counts}
    told = []
    for text, count in counts.items():
        if text in both:
            told.append(f"{text} {count} time{'' if count == 1 else 's'}")
        elif text.removeprefix("not (").removesuffix(")") not in both:
            told.append(text)
    return " and ".join(told)


def _of_decision(flow: Flow, event: Decision, texts: _Texts) -> list[Guard]:
    place = _place(event.site, whole_pattern)
    if event.node is not None and flow.depends_on_input(event.node):
        return [Guard(event.node, None, event.outcome, _condition(event, texts), place)]
    return _of_arguments(flow.sources(event.origins), place)


def _of_arguments(sources: list[Source], place: Place | None) -> list[Guard]:
    """Guards that arguments, and defaults that were not given, are as in the example."""
    made = []
    for source in sources:
        if source.origin in (Origin.ARGUMENT, Origin.HIDDEN) and source.path is not None:
            text = f"{source.label} is None" if source.value is None else f"{source.label} == {source.value!r}"
            made.append(Guard(None, source.path, source.value, text, place))
    return made


def _place(site: Site, narrowed: Callable[[Located], Located] = lambda found: found) -> Place | None:
    """Where a site is, `narrowed` to what findings about it underline."""
    found = locate(site.at)
    return narrowed(found).place if found is not None else None


def _condition(event: Decision, texts: _Texts) -> str:
    """A decided condition in terms of the inputs where it can be told so, else as it is written."""
    node = event.node
    assert node is not None
    symbol = _SYMBOLS.get(node.function)  # type: ignore[arg-type]
    if symbol is not None and node.shape in (None, ()):
        left, right = (texts.text(a) for a in node.args)
        if left and right:
            return f"{left} {symbol if event.outcome else _NEGATED[symbol]} {right}"
    told = texts.text(node)
    if told is not None:
        return told if event.outcome else f"not {texts.text(node, _TIGHT)}"
    written = _source(event.site)
    return written if event.outcome else f"not ({written})"


def _source(site: Site) -> str:
    found = locate(site.at)
    return " ".join(found.text.split()) if found else "a condition"


def _measured(where: Site) -> str:
    """The array whose size is read at a place: what `.shape`, `.size` or `len` is asked of."""
    found = locate(where.at)
    node = found.node if found else None
    if found is not None and isinstance(node, ast.Attribute):
        found = found.at(node.value)
    elif found is not None and isinstance(node, ast.Call) and len(node.args) == 1:
        found = found.at(node.args[0])
    text = " ".join(found.text.split()) if found else "an array"
    plain = found is not None and isinstance(found.node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
    return text if plain else f"({text})"


def _length(where: Site) -> str:
    """The number of iterations of the iterable at a place, as Python."""
    found = locate(where.at)
    node = found.node if found else None
    if found is None or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
        return f"len({_source(where)})"
    if node.func.id in ("enumerate", "reversed", "list", "tuple", "iter"):
        return f"len({' '.join(found.at(node.args[0]).text.split())})"
    return f"len({_source(where)})" if node.func.id == "range" else f"len(list({_source(where)}))"


class _Texts:
    """Nodes as expressions over the inputs; each node is spelled once, and long ones are given up."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._known: dict[Node, tuple[str, int] | None] = {}

    def text(self, value: Any, level: int = 0) -> str | None:
        """A value's text, in parentheses where it binds less than `level`; None where it has no short one."""
        if type(value) is tuple:
            return self._tuple(value)
        if not isinstance(value, Node):
            return _literal(value)
        if value not in self._known:
            self._learn(value)
        known = self._known[value]
        if known is None:
            return None
        return f"({known[0]})" if known[1] < level else known[0]

    def _learn(self, node: Node) -> None:
        """Spell a node after its operands; by a stack, since chains of operations may be long."""
        stack = [node]
        while stack:
            unknown = [o for o in stack[-1].operands() if o not in self._known]
            if unknown:
                stack += unknown
                continue
            last = stack.pop()
            told = self._spelled(last)
            self._known[last] = told if told is not None and len(told[0]) <= _LONGEST else None

    def _spelled(self, node: Node) -> tuple[str, int] | None:
        """A node's text and how tightly it binds."""
        if node.kind is Kind.INPUT:
            return spell(node.args[0]), _TIGHT
        if node.kind is not Kind.CALL or node.kwargs:
            return None
        function: Any = node.function
        args = node.args
        if function is size_of:
            return _size_text(self._sizes.told(node))
        if function is getattr:
            owner = self.text(args[0], _TIGHT)
            return (f"{owner}.{args[1]}", _TIGHT) if owner else None
        if function is count_of_range and len(args) == 1:
            inner = self.text(args[0])
            return (
                (inner, 0 if isinstance(args[0], Node) and args[0].function in _ARITHMETIC else _TIGHT)
                if inner
                else None
            )
        if function in _ARITHMETIC and len(args) == 2:
            symbol, binds = _ARITHMETIC[function]
            return self._joined(args, symbol, binds)
        if function in _SYMBOLS:
            return self._joined(args, _SYMBOLS[function], _COMPARISON)
        return self._call(function, args)

    def _tuple(self, parts: tuple[Any, ...]) -> str | None:
        """A tuple; `x.shape` where it is all the sizes of one array."""
        if parts and all(_is_size(p, parts[0], i) for i, p in enumerate(parts)):
            array = parts[0].args[0]
            owner = self.text(array, _TIGHT)
            if owner and len(array.shape) == len(parts):
                return f"{owner}.shape"
        texts = [self.text(p) for p in parts]
        inside = ", ".join(str(t) for t in texts)
        return None if None in texts else f"({inside},)" if len(parts) == 1 else f"({inside})"

    def _joined(self, args: tuple[Any, ...], symbol: str, binds: int) -> tuple[str, int] | None:
        left, right = self.text(args[0], binds), self.text(args[1], binds + 1)
        return (f"{left} {symbol} {right}", binds) if left and right else None

    def _call(self, function: Any, args: tuple[Any, ...]) -> tuple[str, int] | None:
        parts = [self.text(a) for a in args]
        if any(p is None for p in parts) or not parts:
            return None
        if function is count_of_range:
            return f"len(range({', '.join(map(str, parts))}))", _TIGHT
        if getattr(function, "__objclass__", None) is not None:
            return f"{self.text(args[0], _TIGHT)}.{function.__name__}({', '.join(map(str, parts[1:]))})", _TIGHT
        if function in (len, int, float, abs, max, min, round, bool, any, all):
            return f"{function.__name__}({', '.join(map(str, parts))})", _TIGHT
        return None


def _size_text(size: Any) -> tuple[str, int] | None:
    """A size in terms of the inputs' sizes, and how tightly its text binds; None where it is not known."""
    if not isinstance(size, (int, Size)) or None in inputs_in(size):
        return None
    text = str(size)
    single = not isinstance(size, Size) or text in inputs_in(size)
    return text, _TIGHT if single else 5 if "//" in text or "%" in text else 4


def _is_size(part: Any, first: Any, axis: int) -> bool:
    """Whether `part` is the size of `axis` of the array that `first` is a size of."""
    sizes = isinstance(part, Node) and isinstance(first, Node) and part.function is size_of
    return sizes and part.args == (first.args[0], axis)


def _literal(value: Any) -> str:
    """A literal as a user writes it."""
    if isinstance(value, np.dtype):
        return f"np.{value.name}"
    if isinstance(value, type):
        return f"np.{value.__name__}" if issubclass(value, np.generic) else value.__name__
    return repr(value.item()) if isinstance(value, np.generic) else repr(value)
