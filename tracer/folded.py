"""The text of a folded graph: loops where iterations are alike, with the variables that they carry and fill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .columns import Item, Loop, Path, Statement
from .counters import Counting, counted, countings, limits
from .folding import ALIKE
from .loops import Block, Carry, Entry, Expression, Line, Literal, Program, Use, Value, Variable, Whole, made_by
from .naming import Naming
from .nodes import Kind, Node
from .spelling import Call, Printer, Row
from .steps import set_part, size_of
from .symbols import STORES
from .trees import Field
from .userloops import user_loop
from .variables import Shared

_WIDE = 100
"""A table that makes a line longer than this is broken into several."""


def folded(printer: Printer) -> Folded | None:
    """A printer of the same graph with its loops folded; None where no iterations are alike."""
    items, places = printer.items
    if not any(isinstance(item, Loop) for item in items):
        return None
    results: list[Node] = []
    for node in printer.outputs():
        results += printer.visible_operands(node) if node in printer.inlined else [node]
    return Folded(printer, Program.of(items, places, results))


class Folded(Printer):
    """Prints a program of loops.  `names` has inputs and captured arrays, `variables` all else."""

    def __init__(self, printer: Printer, program: Program) -> None:
        super().__init__(printer.graph)
        self.inlined = printer.inlined
        self.program = program
        self.variables: dict[Variable | Loop, str] = {}
        self.names = {}
        self._naming = Naming({*self.graph.signature.parameters, *self.reserved})
        self._joined = Shared(program, self._wish)
        for node in self.graph.nodes:
            if node.kind is Kind.INPUT and len(node.args[0]) == 1:
                self.names[node] = self.variables[self._joined.leader(node)] = node.args[0][0]
        for before, line in self._lines:
            for node in before:
                self.names[node] = self._name(node)
            if line is not None:
                self._name_all(line)
        for line in program.lines:
            self._name_counters(line)

    def printed_as(self, node: Node) -> Node:
        """The node of the first iteration, for those of the others."""
        base, key, *_ = self.program.places.of(node)
        if isinstance(base, Item):
            return made_by(base, key).node
        return base if isinstance(base, Node) else node

    # ---- rows ------------------------------------------------------------------------------------

    def rows(self, elide: bool) -> Iterator[Row]:
        """The function's lines but for the last."""
        for before, line in self._lines:
            for node in before:
                if node.kind is Kind.CONSTANT:
                    yield from (Row(text, self.comment(node), node=node) for text in self.constant(node, elide))
                else:
                    yield Row(self.statement(node), self.comment(node), node=node)
            if line is not None:
                yield from self._rows(line, 1)

    def _rows(self, line: Line | Block, depth: int) -> Iterator[Row]:
        if isinstance(line, Block):
            yield from self._loop(line, depth)
            return
        node = line.statement.node
        holes = iter(line.holes)
        call = Call(node.function, _arguments(node, self.inlined, holes), _keywords(node, self.inlined, holes))
        needed = not node.writes or line.statement in self._read
        text = self.step(
            call, self._variable(Value(line.statement)) if needed and node.function not in STORES else None
        )
        yield Row(text, self.comment(node, line.statement.varying), depth, node)

    def _loop(self, block: Block, depth: int) -> Iterator[Row]:
        for value in self.program.lists.get(block.loop, ()):
            yield Row(f"{self._variable(value)} = []", depth=depth)
        yield from self._set([(c, c.before) for c in block.carries.values()], depth)
        yield Row(*self._head(block, depth), depth)
        for line, item in zip(block.body, block.loop.body, strict=True):
            yield from self._rows(line, depth + 1)
            for value in self._appended.get(item, ()):
                yield Row(f"{self._variable(value)}.append({self._variable(value.item)})", depth=depth + 1)
        yield from self._set([(c, c.after) for c in block.carries.values()], depth + 1)

    def _set(self, pairs: list[tuple[Carry, Expression]], depth: int) -> Iterator[Row]:
        """Set a loop's variables, all at once: one may take what another had."""
        needed = [(carry, value) for carry, value in pairs if not self._joined.same(carry, value)]
        if needed:
            targets = ", ".join(self._variable(carry) for carry, _ in needed)
            yield Row(f"{targets} = {', '.join(self.operand(value) for _, value in needed)}", depth=depth)

    def _head(self, block: Block, depth: int) -> tuple[str, str]:
        """The line of a `for`, and its comment."""
        start, stop, step = limits(block, self._countings)
        counter = self.variables.get(block.loop)
        parts = [start, stop, Whole(step)] if step != 1 else [start, stop] if start != Whole(0) else [stop]
        numbers = f"{self.name_of(range)}({', '.join(self._whole(p, False, True) for p in parts)})"
        columns = [numbers] if counter is not None or not block.entries else []
        names = [counter or "_"] if columns else []
        for entry in block.entries.values():
            names.append(self._variable(entry))
            columns.append(_table([self.operand(value) for value in entry.values], depth + (len(columns) > 0)))
        over = columns[0] if len(columns) == 1 else f"{self.name_of(zip)}{_broken(columns, depth)}"
        count = "" if block.count.terms else f"{block.count.constant:,} "
        line = user_loop(block.loop).line
        note = f"{count}alike iterations" + (f"  line {line}" if line is not None else "")
        return f"for {', '.join(names)} in {over}:", note

    # ---- expressions -----------------------------------------------------------------------------

    def operand(self, value: Any, tight: bool = False) -> str:
        if isinstance(value, Whole):
            return self._whole(value, tight)
        if isinstance(value, Literal):
            return super().operand(value.value, tight)
        if isinstance(value, Use):
            return self._use(value)
        if isinstance(value, Call):
            return self.number(value, tight)
        if isinstance(value, Node) and value in self.program.results:
            return self.operand(self.program.results[value], tight)
        return super().operand(value, tight)

    def elements(self, values: Sequence[Any]) -> list[str]:
        """What stands in a tuple or list; where it is what a loop has put into one, that list with a star."""
        uses = [self.program.results.get(v, v) if isinstance(v, Node) else v for v in values]
        parts: list[str] = []
        at = 0
        while at < len(uses):
            first = uses[at]
            if isinstance(first, Use) and isinstance(first.of, Value) and first.index and not first.index[-1].terms:
                length = _stretch(uses, at, first, first.of)
                if length >= ALIKE:
                    start = first.index[-1].constant
                    whole = start == 0 and length == _filled_by(first.of).count
                    name = self._use(Use(first.of, first.index[:-1]))
                    parts.append(f"*{name}" if whole else f"*{name}[{start}:{start + length}]")
                    at += length
                    continue
            parts.append(self.operand(first))
            at += 1
        return parts

    def _use(self, use: Use) -> str:
        if not isinstance(use.of, Path):
            return self._variable(use.of) + "".join(f"[{self._whole(i)}]" for i in use.index)
        index = iter(use.index)
        text = str(use.of.steps[0])
        for step, kind in zip(use.of.steps[1:], use.of.types[1:], strict=True):
            inside = self._whole(next(index)) if kind is int else repr(step)
            text += f".{step}" if kind is Field else f"[{inside}]"
        return text

    def _whole(self, number: Whole, tight: bool = False, is_counted: bool = False) -> str:
        """A whole number in terms of the loops' counters: `2 * i + 1`."""
        if not is_counted:
            number = counted(number, self._countings)
        if not number.terms:
            return super().operand(number.constant, tight)
        text = ""
        for loop, factor in number.terms:
            name = self.variables[loop]
            term = name if abs(factor) == 1 else f"{abs(factor)} * {name}"
            text += (" - " if factor < 0 else " + ") + term
        if number.constant:
            text += f" {'-' if number.constant < 0 else '+'} {abs(number.constant)}"
        text = text[3:] if text.startswith(" +") else f"-{text[3:]}"
        return f"({text})" if tight and not text.isidentifier() else text

    def _variable(self, value: Variable) -> str:
        return self.variables[self._joined.leader(value)]

    # ---- names -----------------------------------------------------------------------------------

    @cached_property
    def taken(self) -> set[str]:
        return {*self.graph.signature.parameters, *self.variables.values()}

    def _name(self, value: Variable) -> str:
        leader = self._joined.leader(value)
        if leader not in self.variables:
            self.variables[leader] = self._naming.unused(self._wish(leader))
        return self.variables[leader]

    def _wish(self, value: Variable) -> str:
        if isinstance(value, Value):
            wish = self._naming.wish(value.statement.node)
            return f"{wish}_list" if value.modes else wish
        if isinstance(value, Carry):
            after = value.after.of
            return self._wish(Value(after.statement) if isinstance(after, Value) else after)
        if isinstance(value, Entry):
            uses = [v.of for v in value.values if isinstance(v, Use)]
            return self._wish(uses[0]) if uses else "item"
        assert isinstance(value, Node)
        return self._naming.wish(value)

    def _name_counters(self, line: Line | Block, around: tuple[str, ...] = ()) -> None:
        """Give names to the loops' counters; loops that are not in each other may use the same one."""
        if isinstance(line, Block):
            wishes = dict.fromkeys([user_loop(line.loop).counter or "i", *"ijklmn"])
            free = (w for w in wishes if w not in around and w not in self._naming.used)
            counter = next(free, None) or self._naming.unused("i")
            if line.loop in self._countings:
                self.variables[line.loop] = counter
            for inner in line.body:
                self._name_counters(inner, (*around, counter))

    def _name_all(self, line: Line | Block) -> None:
        """Give names to the variables of a line or loop, in the order of the text."""
        if isinstance(line, Line):
            if not line.statement.node.writes or line.statement in self._read:
                self._name(Value(line.statement))
            return
        for variable in (*self.program.lists.get(line.loop, ()), *line.carries.values()):
            self._name(variable)
        for entry in line.entries.values():
            element = user_loop(line.loop).element
            self.variables[entry] = self._naming.unused(element) if element else self._name(entry)
        for inner in line.body:
            self._name_all(inner)

    # ---- what there is ---------------------------------------------------------------------------

    @cached_property
    def _countings(self) -> Mapping[Loop, Counting]:
        return countings(self.program.expressions())

    @cached_property
    def _read(self) -> set[Statement]:
        """The statements whose results are read anywhere."""
        read = {u.of.statement for u in self.program.expressions() if isinstance(u, Use) and isinstance(u.of, Value)}
        return read | {value.statement for values in self.program.lists.values() for value in values}

    @cached_property
    def _appended(self) -> dict[Item, list[Value]]:
        """The lists to fill after each item of a loop's body."""
        found: dict[Item, list[Value]] = {}
        for loop, values in self.program.lists.items():
            for value in values:
                item: Item = value.statement
                while item.parent is not loop:
                    assert item.parent is not None
                    item = item.parent
                found.setdefault(item, []).append(value)
        return found

    @cached_property
    def _lines(self) -> list[tuple[list[Node], Line | Block | None]]:
        """Each line or loop with the inputs and captured arrays that are named before it."""
        named = {u.of for u in self.program.expressions() if isinstance(u, Use) and isinstance(u.of, Node)}
        lines = self.program.lines
        firsts = {_first(line): at for at, line in enumerate(lines)}
        before: list[list[Node]] = [[] for _ in range(len(lines) + 1)]
        at = -1
        for node in self.graph.nodes:
            at = firsts.get(node, at)
            if node in named and not (node.kind is Kind.INPUT and len(node.args[0]) == 1):
                # A loop reads what it needs from outside again and again: it is named before the loop.
                before[at if at >= 0 and isinstance(lines[at], Block) else at + 1].append(node)
        return list(zip(before, [*lines, None], strict=True))


def _first(line: Line | Block) -> Node:
    while isinstance(line, Block):
        line = line.body[0]
    return line.statement.node


def _stretch(uses: Sequence[Any], at: int, first: Use, value: Value) -> int:
    """How many from `at` on are the items of one list, one after the other; the last can have the value's name."""
    prefix, start, count = first.index[:-1], first.index[-1].constant, _filled_by(value).count
    length = 1
    while at + length < len(uses):
        item = Use(value, (*prefix, Whole(start + length)))
        last = start + length + 1 == count and uses[at + length] == Use(_closing(value), prefix)
        if not last and uses[at + length] != item:
            break
        length += 1
    return length


def _filled_by(value: Value) -> Loop:
    """The loop that fills the innermost list of a value."""
    return Value(value.statement, value.modes[_last_list(value) :]).loop


def _closing(value: Value) -> Value:
    """The value that the innermost list's last item is."""
    last = _last_list(value)
    modes = (*value.modes[:last], False, *value.modes[last + 1 :])
    return Value(value.statement, modes[modes.index(True) :] if True in modes else ())


def _last_list(value: Value) -> int:
    return max(i for i, listed in enumerate(value.modes) if listed)


def _table(texts: list[str], depth: int) -> str:
    """A tuple of these texts, in lines that are not too long."""
    plain = f"({', '.join(texts)})"
    if len(plain) <= _WIDE:
        return plain
    margin = "    " * (depth + 1)
    lines = [margin]
    for text in texts:
        if len(lines[-1]) + len(text) > _WIDE and lines[-1] != margin:
            lines.append(margin)
        lines[-1] += f"{text}, "
    return "(\n" + "\n".join(line.rstrip() for line in lines) + "\n" + "    " * depth + ")"


def _broken(columns: list[str], depth: int) -> str:
    """Arguments of a call, each on a line of its own where together they are too long for one."""
    plain = f"({', '.join(columns)})"
    if len(plain) <= _WIDE and "\n" not in plain:
        return plain
    margin = "\n" + "    " * (depth + 1)
    return "(" + "".join(f"{margin}{column}," for column in columns) + "\n" + "    " * depth + ")"


# ---- arguments, as `folding` took them apart -------------------------------------------------------


def _arguments(node: Node, inlined: set[Node], holes: Iterator[Expression]) -> list[Any]:
    """The arguments of a node with expressions in their holes."""
    function, args = node.function, node.args
    if function is getattr or function is set_part or function is size_of:
        first = _filled(args[0], inlined, holes)
        return [first, args[1], *[_filled(a, inlined, holes) for a in args[2:]]]
    return [_filled(a, inlined, holes) for a in args]


def _keywords(node: Node, inlined: set[Node], holes: Iterator[Expression]) -> dict[str, Any]:
    return {name: _filled(a, inlined, holes) for name, a in (node.kwargs or {}).items()}


def _filled(value: Any, inlined: set[Node], holes: Iterator[Expression]) -> Any:
    kind = type(value)
    if kind is Node:
        if value in inlined:
            return Call(value.function, _arguments(value, inlined, holes), None)
        return next(holes)
    if kind in (int, float, complex, str) or isinstance(value, np.generic):
        return next(holes)
    if kind is tuple or kind is list:
        return kind(_filled(v, inlined, holes) for v in value)
    if kind is slice:
        return slice(*[_filled(v, inlined, holes) for v in (value.start, value.stop, value.step)])
    if kind is dict:
        return {k: _filled(v, inlined, holes) for k, v in value.items()}
    return value
