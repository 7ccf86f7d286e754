"""Which values of a folded graph can share a variable, so that a loop reads `x = x + 1` and copies nothing.

Every value has a stretch of the text in which its variable must not be set by another: from where it is made to
where it is last read, and to the end of every loop that reads it again and again without making it.  The variable that
a loop carries can be that of the value it is set to, and that of the value before the loop, where no stretches
overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from .loops import Block, Carry, Expression, Line, Program, Use, Value, Variable
from .nodes import Kind, Node


@dataclass(slots=True)
class _Stretch:
    start: int
    end: int


@dataclass
class Shared:
    """What shares a variable: each value's leader is the same for all that do."""

    program: Program
    wish: Callable[[Variable], str]
    """What a value would be called; only the value before a loop that has the same name is made one with it."""
    _leaders: dict[Variable, Variable] = field(default_factory=dict)
    _stretches: dict[Variable, list[_Stretch]] = field(default_factory=dict)
    _set: dict[Carry, _Stretch] = field(default_factory=dict)
    """Where a loop sets its variables, at its end."""
    _loops: list[tuple[int, list[_Stretch]]] = field(default_factory=list)
    _now: int = 0

    def __post_init__(self) -> None:
        blocks = list(_blocks(self.program.lines))
        for carry in (c for b in blocks for c in b.carries.values()):
            for use in (Use(carry), carry.before, carry.after):
                if isinstance(use, Use) and _can_share(use):
                    self._stretches.setdefault(use.of, [_Stretch(0, 1)])
        if self._stretches:
            self._walk(self.program.lines)
            self._now += 2
            self._reads(self.program.results.values())
        for block in blocks:
            for carry in block.carries.values():
                if _can_share(carry.after):
                    self._join(carry, carry.after, of_loop=True)
        for block in blocks:
            for carry in block.carries.values():
                before = carry.before
                if not isinstance(before, Use) or not _can_share(before):
                    continue
                if self.wish(before.of) == self.wish(self.leader(carry)):
                    self._join(carry, before, of_loop=False)

    def leader(self, value: Variable) -> Variable:
        while value in self._leaders:
            value = self._leaders[value]
        return value

    def same(self, carry: Carry, other: Expression) -> bool:
        """Whether a loop's variable has a value already, without being set."""
        return isinstance(other, Use) and not other.index and self.leader(carry) == self.leader(other.of)

    # ---- stretches -------------------------------------------------------------------------------

    def _walk(self, lines: Iterable[Line | Block]) -> None:
        for line in lines:
            self._now += 2
            if isinstance(line, Line):
                self._reads(line.holes)
                self._makes(Value(line.statement))
            else:
                self._loop(line)

    def _loop(self, block: Block) -> None:
        header = self._now
        self._reads(c.before for c in block.carries.values())
        for carry in block.carries.values():
            self._makes(carry)
        # The tables stand in the `for` itself, after the variables are set.
        self._now += 1
        self._reads(v for e in block.entries.values() for v in e.values)
        self._now += 1
        extended: list[_Stretch] = []
        self._loops.append((header, extended))
        self._walk(block.body)
        # What is appended to a list is read after the item that makes it: at the end at the latest.
        self._now += 2
        self._reads(Use(v.item) for v in self.program.lists.get(block.loop, ()))
        self._reads(c.after for c in block.carries.values())
        self._loops.pop()
        for stretch in extended:
            stretch.end = max(stretch.end, self._now)
        for carry in block.carries.values():
            self._set[carry] = _Stretch(self._now, self._now + 1)
            self._stretches[carry].append(self._set[carry])

    def _makes(self, value: Variable) -> None:
        if value in self._stretches:
            stretch = self._stretches[value][0]
            stretch.start, stretch.end = self._now, self._now + 1

    def _reads(self, expressions: Iterable[Expression]) -> None:
        for use in expressions:
            if isinstance(use, Use) and use.of in self._stretches:
                # Read after its loop, it has what it was set to at the end.
                is_over = isinstance(use.of, Carry) and use.of in self._set
                stretch = self._set[use.of] if is_over else self._stretches[use.of][0]  # type: ignore[index]
                stretch.end = max(stretch.end, self._now)
                for header, extended in self._loops:
                    if stretch.start < header:
                        extended.append(stretch)
                        break

    # ---- joining ---------------------------------------------------------------------------------

    def _join(self, carry: Carry, other: Use, *, of_loop: bool) -> None:
        """Let a loop's variable be that of another value, if they never need it at the same time."""
        a, b = self.leader(carry), self.leader(other.of)
        if a == b or (isinstance(a, Node) and isinstance(b, Node)):
            return
        mine = [s for s in self._stretches[a] if not of_loop or s is not self._set[carry]]
        its = self._stretches[b]
        if any(x.start < y.end and y.start < x.end for x in mine for y in its):
            return
        first, second = (a, b) if isinstance(a, Node) else (b, a)
        self._leaders[second] = first
        self._stretches[first] = [*mine, *its]


def _can_share(use: Use) -> bool:
    if isinstance(use.of, Node):
        return use.of.kind is Kind.INPUT
    return isinstance(use.of, Carry) or (isinstance(use.of, Value) and not use.of.modes)


def _blocks(lines: Iterable[Line | Block]) -> Iterator[Block]:
    """The loops, inner ones first."""
    for line in lines:
        if isinstance(line, Block):
            yield from _blocks(line.body)
            yield line
