"""A folded graph as a program: lines and loops, and what stands in each hole as an expression of their variables.

A `Value` is what a statement gives, at last or (with modes) as items of lists that the loops around it fill.  A
`Carry` is a variable that brings a value from one iteration to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .columns import (
    Carried,
    Column,
    Counted,
    Fixed,
    Item,
    Loop,
    Marks,
    Path,
    Places,
    Statement,
    Varied,
    Within,
    marked,
    same_literal,
)
from .nodes import Node


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number: a constant and multiples of the loops' counters, which count from 0."""

    constant: int
    terms: tuple[tuple[Loop, int], ...] = ()

    def plus(self, loop: Loop, step: int) -> Whole:
        return Whole(self.constant, (*self.terms, (loop, step))) if step else self


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and same_literal(self.value, other.value)

    def __hash__(self) -> int:
        return hash((type(self.value), repr(self.value)))


@dataclass(frozen=True, slots=True)
class Value:
    """What a statement gives.  `modes` are for the innermost loops around it, from outside in: True for a list."""

    statement: Statement
    modes: tuple[bool, ...] = ()

    @property
    def loop(self) -> Loop:
        """The loop that fills the (outermost) list."""
        item: Item = self.statement
        for _ in self.modes:
            assert item.parent is not None
            item = item.parent
        assert isinstance(item, Loop)
        return item

    @property
    def item(self) -> Value:
        """What is appended to the list in each iteration."""
        return Value(self.statement, _stripped(self.modes[1:]))


@dataclass(slots=True, eq=False)
class Carry:
    """A variable of a loop: `before` it, and what it is set to at the end of each iteration."""

    before: Whole | Literal | Use
    after: Use = field(init=False)


@dataclass(slots=True, eq=False)
class Entry:
    """A variable of a loop that takes these values one after the other."""

    values: tuple[Whole | Literal | Use, ...]


Variable = Value | Carry | Entry | Node | Path


@dataclass(frozen=True, slots=True)
class Use:
    """A variable, or (with indices) an item of a list, or a leaf of the arguments."""

    of: Variable
    index: tuple[Whole, ...] = ()


Expression = Whole | Literal | Use


@dataclass(slots=True)
class Line:
    statement: Statement
    holes: list[Expression]


@dataclass(slots=True)
class Block:
    """A loop: how often it runs, its variables, its body."""

    loop: Loop
    count: Whole
    carries: dict[Any, Carry] = field(default_factory=dict)
    entries: dict[tuple[Expression, ...], Entry] = field(default_factory=dict)
    body: list[Line | Block] = field(default_factory=list)


@dataclass
class Program:
    """The lines of a folded graph, and the lists that its loops have to fill."""

    places: Places
    lines: list[Line | Block] = field(default_factory=list)
    lists: dict[Loop, list[Value]] = field(default_factory=dict)
    results: dict[Node, Expression] = field(default_factory=dict)
    _listed: set[Value] = field(default_factory=set)
    _blocks: dict[Loop, Block] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Iterable[Item], places: Places, results: Iterable[Node]) -> Program:
        made = cls(places)
        for item in items:
            marks = item.marks or (None,) * len(item.holes)
            holes = [made.expression(hole, mark) for hole, mark in zip(item.holes, marks, strict=True)]
            made.lines.append(made._line(item, holes))
        made.results = {node: made.expression(node) for node in results}
        return made

    def expression(self, value: Any, mark: Marks = None) -> Expression:
        """A value or literal as it is written outside of all loops."""
        if type(value) is not Node:
            return Whole(value) if type(value) is int else Literal(value)
        base, key, index, counts = self.places.of(value)
        if isinstance(base, Node):
            return Use(base)
        if isinstance(base, Path):
            return Use(base, tuple(Whole(i) for i in index)) if mark else Use(value)
        marks = (marked(mark, at, len(index)) for at in range(len(index)))
        modes = tuple(i + 1 != n if m is None else m for i, n, m in zip(index, counts, marks, strict=True))
        numbers = [Whole(i) for i, listed in zip(index, modes, strict=True) if listed]
        return self._use(base, key, modes, numbers, mark)

    def _use(
        self, base: Item, key: tuple[int, ...], modes: tuple[bool, ...], index: Iterable[Whole], mark: Marks = None
    ) -> Use:
        """A value that a statement gives; a list is filled for it, unless a variable of its loop has it still."""
        use = Use(Value(made_by(base, key), _stripped(modes)), tuple(index))
        if not (mark and any(mark)) and (carry := self._left_over(use)) is not None:
            return Use(carry)
        assert isinstance(use.of, Value)
        self._fill(use.of)
        return use

    def _left_over(self, use: Use) -> Carry | None:
        """The variable that a loop leaves behind with the value of one of its last iterations."""
        value = use.of
        if not isinstance(value, Value) or value.modes.count(True) != 1 or use.index[0].terms:
            return None
        block = self._blocks.get(value.loop)
        if block is None or block.count.terms:
            return None
        lag = block.count.constant - use.index[0].constant
        return next((c for c in block.carries.values() if _source(c, block) == (Use(value.item), lag)), None)

    def _fill(self, value: Value) -> None:
        while value.modes and value not in self._listed:
            self._listed.add(value)
            self.lists.setdefault(value.loop, []).append(value)
            value = value.item

    def _line(self, item: Item, holes: list[Expression]) -> Line | Block:
        if isinstance(item, Statement):
            return Line(item, [self._named(hole) for hole in holes])
        assert isinstance(item, Loop)
        count = holes[0]
        assert isinstance(count, Whole)
        block = Block(item, count)
        lasting: list[tuple[Carry, Carried]] = []
        for inner, columns in zip(item.body, item.columns, strict=True):
            marks = inner.marks or (None,) * len(columns)
            inside = [
                self._inside(block, column, holes, at, mark, lasting)
                for (column, at), mark in zip(columns, marks, strict=True)
            ]
            block.body.append(self._line(inner, inside))
        for carry, carried in lasting:
            modes = tuple(at is not None for at in carried.index)
            fixed = [Whole(at) for at in carried.index if at is not None]
            carry.after = self._use(item.body[carried.offset], carried.key, modes, fixed)
        self._blocks[item] = block
        return block

    def _inside(
        self,
        block: Block,
        column: Column,
        holes: list[Expression],
        at: int,
        mark: Marks,
        lasting: list[tuple[Carry, Carried]],
    ) -> Expression:
        """What stands in a hole of a loop's body."""
        loop = block.loop
        if isinstance(column, Counted):
            outside = holes[at]
            return outside.plus(loop, column.step) if isinstance(outside, Whole) else outside
        if isinstance(column, Fixed):
            outside = holes[at]
            assert isinstance(outside, Use)
            if not outside.index:
                return outside
            steps = [step for step in column.steps if step is not None]
            steps = [0] * (len(outside.index) - len(steps)) + steps
            return Use(outside.of, tuple(i.plus(loop, s) for i, s in zip(outside.index, steps, strict=True)))
        if isinstance(column, Within):
            modes = tuple(step is not None for step in column.steps)
            index: list[Whole] = []
            for step in column.steps:
                if step is not None:
                    start = holes[at + len(index)]
                    assert isinstance(start, Whole)
                    index.append(start.plus(loop, step))
            return self._use(loop.body[column.offset], column.key, modes, index, mark)
        if isinstance(column, Carried):
            return Use(self._carry(block, column, tuple(holes[at : at + column.lag]), lasting))
        assert isinstance(column, Varied)
        values = tuple(self._named(value) for value in holes[at : at + loop.count])
        return Use(block.entries.setdefault(values, Entry(values)))

    def _carry(
        self, block: Block, column: Carried, before: tuple[Expression, ...], lasting: list[tuple[Carry, Carried]]
    ) -> Carry:
        """The variable that has a value of the iteration `lag` before; the first in `before` is the oldest.

        What a value of the iteration just before is called is known when the body is done: `lasting`.
        """
        key = (column.offset, column.key, column.index, before)
        if key not in block.carries:
            carry = block.carries[key] = Carry(self._named(before[0]))
            if len(before) > 1:
                carry.after = Use(self._carry(block, column, before[1:], lasting))
            else:
                lasting.append((carry, column))
        return block.carries[key]

    def _named(self, use: Expression) -> Expression:
        """A leaf of the arguments by its name, where the indices do not change."""
        if isinstance(use, Use) and isinstance(use.of, Path) and not any(i.terms for i in use.index):
            return Use(self.places.nodes[use.of, tuple(i.constant for i in use.index)])
        return use

    def expressions(self) -> Iterator[Expression]:
        """All that stand in the program, in the order of its text."""
        yield from _expressions(self.lines)
        yield from self.results.values()


def _source(carry: Carry, block: Block) -> tuple[Use, int]:
    """What a loop's variable has after the loop, and of which of the last iterations."""
    mine = set(block.carries.values())
    lag = 1
    while isinstance(carry.after.of, Carry) and carry.after.of in mine:
        carry = carry.after.of
        lag += 1
    return carry.after, lag


def made_by(item: Item, key: tuple[int, ...]) -> Statement:
    """The statement to which a key leads through the bodies of loops."""
    for offset in key:
        assert isinstance(item, Loop)
        item = item.body[offset]
    assert isinstance(item, Statement)
    return item


def _expressions(lines: Iterable[Line | Block]) -> Iterator[Expression]:
    for line in lines:
        if isinstance(line, Line):
            yield from line.holes
        else:
            yield line.count
            for carry in line.carries.values():
                yield carry.before
                yield carry.after
            for entry in line.entries.values():
                yield from entry.values
            yield from _expressions(line.body)


def _stripped(modes: tuple[bool, ...]) -> tuple[bool, ...]:
    """Where the outer loops are over, their last iteration is what the variables show."""
    return modes[modes.index(True) :] if True in modes else ()
