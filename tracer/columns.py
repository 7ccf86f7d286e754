"""How what stands in one hole of a loop's body changes from iteration to iteration.

A *column* is a hole's values over the iterations of a loop.  `Track` looks at them one by one and says whether
they still follow one of the rules that can be written in a loop: a literal that stays or counts up (`Counted`), the
same value from before the loop (`Fixed`), a value of the same iteration (`Within`), a value of an earlier iteration
(`Carried`), or a table of anything from before the loop (`Varied`).  A value inside a folded loop has an index for
each loop around it; the last iteration's has the variable's name, the others are items of a list.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, NamedTuple

import numpy as np

from .callstack import Call
from .nodes import Kind, Node

Marks = tuple[bool, ...] | None
"""For the innermost loops around a value: whether it is an item of a list there.  None: that is still open."""


@dataclass(slots=True, eq=False)
class Item:
    """A statement or a loop: its shape, what stands in its holes, and where it is.

    `at` is the position among the items around it; in a loop it counts on through all iterations.
    """

    shape: int
    holes: tuple[Any, ...]
    call: Call | None
    """The innermost call of a function of the user's that it is in."""
    marks: tuple[Marks, ...] = field(init=False, default=())
    parent: Loop | None = field(init=False, default=None)
    at: int = field(init=False, default=0)


@dataclass(slots=True, eq=False)
class Statement(Item):
    node: Node
    varying: frozenset[int] = field(init=False, default=frozenset())
    """Axes whose size is another in other iterations of the loops around it."""


class Loop(Item):
    """Alike iterations: `body` are the items of the first, `columns` say how the others differ.

    `columns` has for each item of the body, for each of its holes, the column and where its values begin
    among the loop's own holes, the first of which is the number of iterations.
    """

    __slots__ = ("body", "columns", "count")

    def __init__(
        self,
        shape: int,
        holes: tuple[Any, ...],
        marks: tuple[Marks, ...],
        body: list[Item],
        columns: list[list[tuple[Column, int]]],
        count: int,
        call: Call | None,
    ) -> None:
        super().__init__(shape, holes, call)
        self.marks = marks
        self.body = body
        self.columns = columns
        self.count = count


@dataclass(frozen=True, slots=True)
class Counted:
    """A literal; `step` is added to it in each iteration, where it is not 0."""

    step: int


@dataclass(frozen=True, slots=True)
class Fixed:
    """One value from before the loop; for each loop around it, by how much its index grows (None: always the last)."""

    steps: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """A value that the same iteration made before; `key` leads to it through the loops of the body."""

    offset: int
    key: tuple[int, ...]
    steps: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Carried:
    """A value that the iteration `lag` before made; its holes are what stood there in the first `lag` iterations.

    `index` is for the loops of the body around it; None for the last iteration.
    """

    lag: int
    offset: int
    key: tuple[int, ...]
    index: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Varied:
    """Anything from before the loop, another in each iteration."""


Column = Counted | Fixed | Within | Carried | Varied


WHOLE: Marks = (True,)
"""The mark of a hole in which a whole number must stand: a table cannot take its place."""


def marks_of(column: Column, holes: int) -> list[Marks]:
    """The marks of a column's holes in the loop."""
    if isinstance(column, Fixed):
        return [tuple(step is not None for step in column.steps)]
    if isinstance(column, Within) or (isinstance(column, Counted) and column.step):
        return [WHOLE] * holes
    return [None] * holes


class Place(NamedTuple):
    """Where a value is made, seen from the outermost level: an item or input, and the way and iterations within."""

    base: Any
    key: tuple[int, ...]
    iterations: tuple[int, ...]
    counts: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Path:
    """Where arrays among the arguments lie that differ in indices only: `params[·]['w']`, None for an index."""

    steps: tuple[Any, ...]
    types: tuple[type, ...]


@dataclass
class Places:
    """Where each node's value is made, as far as the nodes are folded."""

    home: dict[Node, Statement]
    inputs: dict[Node, Place] = field(default_factory=dict)
    nodes: dict[tuple[Path, tuple[int, ...]], Node] = field(default_factory=dict)
    """The inputs by path and indices."""
    arrays: dict[int, Node] = field(default_factory=dict)
    """The first node of each captured array in the graph, by the array's id."""
    paths: dict[Path, Path] = field(default_factory=dict)

    def of(self, node: Node) -> Place:
        item: Item | None = self.home.get(node)
        if item is None:
            return self.inputs[node] if node in self.inputs else self._input(node)
        if item.parent is None:
            return Place(item, (), (), ())
        key, index, counts = [], [], []
        while (loop := item.parent) is not None:
            iteration, offset = divmod(item.at, len(loop.body))
            key.append(offset)
            index.append(iteration)
            counts.append(loop.count)
            item = loop
        return Place(item, tuple(key[::-1]), tuple(index[::-1]), tuple(counts[::-1]))

    def _input(self, node: Node) -> Place:
        if node.kind is Kind.CONSTANT:
            place = Place(self.arrays[id(node.args[0])], (), (), ())
        else:
            steps = node.args[0]
            index = tuple(s for s in steps[1:] if type(s) is int)
            path = Path((steps[0], *[None if type(s) is int else s for s in steps[1:]]), tuple(type(s) for s in steps))
            path = self.paths.setdefault(path, path)
            self.nodes[path, index] = node
            place = Place(path, (), index, (None,) * len(index))
        self.inputs[node] = place
        return place


class _State(Enum):
    OPEN = auto()
    COUNTED = auto()
    FIXED = auto()
    WITHIN = auto()
    CARRIED = auto()
    VARIED = auto()


class Track:
    """The values of one hole, iteration after iteration, and the rule that they have followed so far."""

    __slots__ = (
        "_closing",
        "_first",
        "_lag",
        "_listed",
        "_mark",
        "_offset",
        "_period",
        "_place",
        "_start",
        "_state",
        "_step",
        "_steps",
        "_tables",
        "_values",
    )

    def __init__(self, value: Any, mark: Marks, start: int, period: int, tables: bool, places: Places) -> None:
        self._first = value
        self._mark = mark
        self._start, self._period = start, period
        self._tables = tables
        self._values = [value]
        self._state = _State.OPEN
        self._step = self._lag = self._offset = 0
        self._place: Place | None = None
        self._steps: list[int] = []
        if type(value) is Node:
            place = self._place = places.of(value)
            index = range(len(place.iterations))
            # Which indices can be the last iteration's throughout, and which can grow by one step throughout.
            self._closing = [self._may_close(i, place) for i in index]
            self._listed = [marked(mark, i, len(index)) is not False for i in index]
            if isinstance(place.base, Item) and place.base.at >= start:
                self._state = _State.WITHIN
                self._offset = place.base.at - start

    def accepts(self, value: Any, count: int, at: int, places: Places) -> bool:
        """Whether the value in the iteration after the first `count`, which begins at `at`, follows the rule."""
        state = self._state
        if state is _State.COUNTED:
            first, step = self._first, self._step
            regular = same_literal(value, first) if not step else type(value) is int and value == first + step * count
            return self._kept(value) if regular else self._vary(value, places)
        if type(value) is not Node:
            if state is _State.OPEN and count == 1 and self._place is None:
                return self._count(value) or self._vary(value, places)
            return self._vary(value, places)
        place = places.of(value)
        base = place.base
        inside = isinstance(base, Item) and base.at >= self._start
        if state is _State.WITHIN:
            same = inside and base.at - at == self._offset and place.key == self._place.key  # type: ignore[union-attr]
            return same and self._follows(place, count)
        if state is _State.CARRIED:
            made = self._start + self._offset + (count - self._lag) * self._period
            mine = self._place
            return inside and base.at == made and place.key == mine.key and _open(place) == _open(mine)  # type: ignore[union-attr, arg-type]
        if inside:
            return state is _State.OPEN and self._carry(place, count)
        if (state is _State.FIXED or (state is _State.OPEN and count == 1)) and self._is_same(place, count):
            self._state = _State.FIXED
            return self._kept(value)
        if state is _State.OPEN and count < 3:
            self._values.append(value)
            return True
        return self._vary(value, places)

    def is_settled(self, count: int) -> bool:
        """Whether `count` iterations are enough to tell the rule."""
        return self._state is not _State.OPEN and (self._state is not _State.CARRIED or self._lag < count)

    def column(self, count: int) -> tuple[Column, tuple[Any, ...]]:
        """The rule that `count` iterations followed, and the values that it starts from."""
        if self._state is _State.COUNTED:
            return Counted(self._step), (self._first,)
        if self._state is _State.VARIED:
            return Varied(), tuple(self._values[:count])
        place = self._place
        assert place is not None
        if self._state is _State.CARRIED:
            return Carried(self._lag, self._offset, place.key, _open(place)), tuple(self._values[: self._lag])
        steps = tuple(None if closing else step for closing, step in zip(self._closing, self._steps, strict=True))
        if self._state is _State.FIXED:
            return Fixed(steps), (self._first,)
        assert self._state is _State.WITHIN
        starts = tuple(i for i, step in zip(place.iterations, steps, strict=True) if step is not None)
        return Within(self._offset, place.key, steps), starts

    def _kept(self, value: Any) -> bool:
        if self._tables:
            self._values.append(value)
        return True

    def _count(self, value: Any) -> bool:
        first = self._first
        if same_literal(value, first):
            self._step = 0
        elif type(value) is int and type(first) is int:
            self._step = value - first
        else:
            return False
        self._state = _State.COUNTED
        return self._kept(value)

    def _carry(self, place: Place, count: int) -> bool:
        """The first value from inside the loop: it must be the first iteration's."""
        offset = place.base.at - self._start
        if offset >= self._period or count > 3 or (self._mark is not None and any(self._mark)):
            return False
        self._state, self._lag, self._offset, self._place = _State.CARRIED, count, offset, place
        return True

    def _is_same(self, place: Place, count: int) -> bool:
        mine = self._place
        return mine is not None and place.base is mine.base and place.key == mine.key and self._follows(place, count)

    def _may_close(self, i: int, place: Place) -> bool:
        is_last = place.iterations[i] + 1 == place.counts[i]
        return is_last and not marked(self._mark, i, len(place.iterations))

    def _follows(self, place: Place, count: int) -> bool:
        """Whether the indices of a value in folded loops go on as before."""
        index = place.iterations
        if not index:
            return True
        first = self._place
        assert first is not None
        if count == 1:
            self._steps = [b - a for a, b in zip(first.iterations, index, strict=True)]
        closing = [was and self._may_close(i, place) for i, was in enumerate(self._closing)]
        listed = [
            was and now == begin + step * count
            for was, now, begin, step in zip(self._listed, index, first.iterations, self._steps, strict=True)
        ]
        if not all(a or b for a, b in zip(closing, listed, strict=True)):
            return False
        self._closing, self._listed = closing, listed
        return True

    def _vary(self, value: Any, places: Places) -> bool:
        """Take the value into a table, where tables are allowed and nothing of the loop's own is in it."""
        if not self._tables or self._state in (_State.WITHIN, _State.CARRIED):
            return False
        if self._mark is not None and any(self._mark):
            return False
        if type(value) is Node:
            base = places.of(value).base
            if isinstance(base, Item) and base.at >= self._start:
                return False
        self._state = _State.VARIED
        self._values.append(value)
        return True


def _open(place: Place) -> tuple[int | None, ...]:
    """The indices of a place, None for the last iteration's: that can be another number each time."""
    return tuple(None if i + 1 == count else i for i, count in zip(place.iterations, place.counts, strict=True))


def marked(mark: Marks, i: int, depth: int) -> bool | None:
    """The mark for the `i`th of the loops around a value; None where none is set: outer loops may have come later."""
    at = i - depth + len(mark or ())
    return mark[at] if mark is not None and at >= 0 else None


def same_literal(a: Any, b: Any) -> bool:
    """Whether two literals are one and the same in every bit."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.generic):
        return bool(a.dtype == b.dtype) and a.tobytes() == b.tobytes()
    return bool(a == b) if isinstance(a, (int, str)) else repr(a) == repr(b)
