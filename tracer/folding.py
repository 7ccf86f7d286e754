"""Loops in a straight line of nodes: alike blocks that follow each other are found and folded, inner loops first.

A node becomes a *statement*: its *shape* (what is called, from which instruction, how its arguments are nested) and its
*holes* (the values and literals that stand in them).  A block of statements of the same shapes again and again is
a candidate; it is a loop where each hole changes in a way that can be written (`columns`).  A loop is an item like
a statement, with a shape and holes of its own, so that an outer loop folds it again.  Nothing here recurses along
a graph, and the work is linear in its nodes but for the depth to which loops are nested.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .callstack import common, from_one_place
from .columns import WHOLE, Column, Item, Loop, Marks, Places, Statement, Track, Varied, marks_of
from .nodes import Kind, Node
from .steps import set_part, size_of

ALIKE = 4
"""So many alike iterations are folded; fewer are as easily read one by one."""

_ROUNDS = 16
_LITERALS = frozenset({int, float, complex, str})


def fold(nodes: Sequence[Node], inlined: AbstractSet[Node]) -> tuple[list[Item], Places]:
    """The nodes in program order as statements and loops; inlined numbers, inputs and constants are none."""
    places = Places({})
    shapes: dict[Hashable, int] = {}
    items: list[Item] = []
    for node in nodes:
        if node.kind is Kind.CONSTANT:
            places.arrays.setdefault(id(node.args[0]), node)
        elif node.kind is Kind.CALL and node not in inlined:
            holes: list[Any] = []
            key = _shape(node, inlined, holes)
            statement = Statement(shapes.setdefault(key, len(shapes)), tuple(holes), node.call, node)
            places.home[node] = statement
            items.append(statement)
    # What looks irregular may be the items of a list, once the loop that fills it is folded: tables come last.
    # Iterations with parts of calls, as those of a recursion, come behind all that have calls as a whole.
    stages = [(whole, tables) for whole in (True, False) for tables in (False, True)]
    if all(item.call is None for item in items):
        del stages[2:]
    for _ in range(_ROUNDS):
        made = (_round(items, places, shapes, tables=tables, whole=whole) for whole, tables in stages)
        folded = next((found for found in made if found is not None), None)
        if folded is None:
            break
        items = folded
    for at, item in enumerate(items):
        item.at = at
    return items, places


def _round(
    items: list[Item], places: Places, shapes: dict[Hashable, int], *, tables: bool, whole: bool
) -> list[Item] | None:
    """Fold all runs that do not overlap, those of short iterations first; None where there are none."""
    for at, item in enumerate(items):
        item.at = at
    touched = bytearray(len(items))
    made: dict[int, tuple[int, Loop]] = {}
    for period, start, end in sorted(_runs(items)):
        if touched.find(1, start, end) < 0:
            run = _Run(items, start, period, end, places, tables, whole)
            for first, count, columns in _loops(run):
                stop = first + count * len(columns)
                made[first] = (stop, _loop(items[first:stop], count, columns, shapes))
                touched[first:stop] = b"\1" * (stop - first)
    if not made:
        return None
    left: list[Item] = []
    at = 0
    while at < len(items):
        stop, item = made[at] if at in made else (at + 1, items[at])
        left.append(item)
        at = stop
    return left


# ---- statements ------------------------------------------------------------------------------------


def _shape(node: Node, inlined: AbstractSet[Node], holes: list[Any]) -> Hashable:
    """What two nodes have in common if one line of a loop can make both; fills in what stands in their holes."""
    arguments = _arguments(node, inlined, holes)
    rank = None if node.shape is None else len(node.shape)
    return (_identity(node.function), id(node.code), node.lasti, arguments, node.dtype, rank, node.writes)


def _arguments(node: Node, inlined: AbstractSet[Node], holes: list[Any]) -> Hashable:
    function, args = node.function, node.args
    if function is getattr or function is set_part or function is size_of:
        names = str(args[1])
        return (names, *[_structure(a, inlined, holes) for a in (args[0], *args[2:])])
    structure: list[Hashable] = []
    for value in args:
        kind = type(value)
        if (kind is Node and value not in inlined) or kind in _LITERALS:  # most are; the rest takes a call
            holes.append(value)
            structure.append(0)
        else:
            structure.append(_structure(value, inlined, holes))
    if node.kwargs:
        structure += [(name, _structure(a, inlined, holes)) for name, a in node.kwargs.items()]
    return tuple(structure)


def _structure(value: Any, inlined: AbstractSet[Node], holes: list[Any]) -> Hashable:
    """The form of an argument around its holes, for which 0 stands."""
    kind = type(value)
    if kind is Node:
        if value in inlined:
            return (_identity(value.function), _arguments(value, inlined, holes))
        holes.append(value)
        return 0
    if kind in _LITERALS or isinstance(value, np.generic):
        holes.append(value)
        return 0
    if kind is tuple or kind is list:
        return (kind, *[_structure(v, inlined, holes) for v in value])
    if kind is slice:
        return (kind, *[_structure(v, inlined, holes) for v in (value.start, value.stop, value.step)])
    if kind is dict:
        return (kind, *[(repr(k), _structure(v, inlined, holes)) for k, v in value.items()])
    return (kind, value) if value is None or isinstance(value, (bool, np.dtype, range)) else (kind, id(value))


def _identity(function: Any) -> Hashable:
    """A function as part of a key: methods of one object are equal, though each look-up makes another."""
    try:
        hash(function)
    except TypeError:
        return id(function)
    return function  # type: ignore[no-any-return]


# ---- runs of alike blocks --------------------------------------------------------------------------


def _runs(items: list[Item]) -> list[tuple[int, int, int]]:
    """Where blocks of the same shapes follow each other: (length of a block, start, end).

    A block can only repeat at a distance at which its shapes, or four in a row of them, were seen last.
    """
    shapes = [item.shape for item in items]
    loops = [at for at, item in enumerate(items) if isinstance(item, Loop)]
    found: list[tuple[int, int, int]] = []
    last: dict[Hashable, int] = {}
    ends: dict[int, int] = {}
    budget = 64 * len(shapes)
    for at, shape in enumerate(shapes):
        four = tuple(shapes[max(at - 3, 0) : at + 1])
        distances = {at - last.get(shape, at), at - last.get(four, at)} - {0}
        last[shape] = last[four] = at
        for distance in distances:
            before = ends.get(distance, 0)
            if before > at or budget < 0:
                continue
            if distance > 1 and at + 1 < len(shapes) and shapes[at + 1] != shapes[at + 1 - distance]:
                continue
            start, end = at, _match(shapes, at, distance)
            while start > max(distance, before) and shapes[start - 1] == shapes[start - 1 - distance]:
                start -= 1
            ends[distance] = max(end, at + 1)
            budget -= end - start
            start -= distance
            least = _least(loops, start, distance) * distance
            if end - start >= least:
                lead = _lead(items, start, distance)
                found.append((distance, start + lead if end - start - lead >= least else start, end))
    return found


def _lead(items: list[Item], start: int, period: int) -> int:
    """How many items at the start of a run are as alike as the rest, but no part of the loop in the source.

    Its iterations have calls as a whole and, if that can be, call all from the same places.
    """
    fitting = [at for at in range(start, start + period) if _goes_on_in(items, at, at + period, period)]
    alike = (at for at in fitting if from_one_place(items[at].call, items[at + period].call))
    return next(alike, fitting[0] if fitting else start) - start


def _goes_on_in(items: list[Item], first: int, at: int, period: int) -> bool:
    """Whether the iteration that begins at `at` is made by the same call as those before, and shares none with them.

    The iterations before begin at `first`.
    """
    after, before, last = items[at].call, items[at - period].call, items[at - 1].call
    if after is before is last and at == first + period:
        return True
    owner = common(before, after)
    return owner is common(last, after) and owner is common(items[first].call, items[first + period].call)


def _match(shapes: list[int], at: int, distance: int) -> int:
    """The first position from `at` on whose shape is not the one `distance` before it."""
    step = 4
    while at < len(shapes):
        mine = shapes[at : at + step]
        its = shapes[at - distance : at - distance + len(mine)]
        if mine != its:
            return at + next(i for i, (a, b) in enumerate(zip(mine, its, strict=True)) if a != b)
        at += len(mine)
        step = min(2 * step, 4096)
    return at


def _least(loops: list[int], start: int, period: int) -> int:
    """How many iterations are worth a loop: two, where there is a loop in each."""
    at = bisect_left(loops, start)
    return 2 if at < len(loops) and loops[at] < start + period else ALIKE


_Columns = list[list[tuple[Column, tuple[Any, ...]]]]
"""For each item of a loop's body, for each of its holes: how it changes, and from what."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Blocks of `period` items of the same shapes, from `start` to `end`."""

    items: list[Item]
    start: int
    period: int
    end: int
    places: Places
    tables: bool
    whole: bool
    """Each iteration must have calls as a whole."""

    @property
    def least(self) -> int:
        body = self.items[self.start : self.start + self.period]
        return 2 if any(isinstance(item, Loop) for item in body) else ALIKE


def _loops(run: _Run) -> list[tuple[int, int, _Columns]]:
    """The loops in a run of blocks: (start, number of iterations, columns)."""
    found = [(first, count, _columns(tracks, count)) for first, count, tracks in _segments(run, run.least)]
    if found or run.tables or run.least == 2:
        return found
    # Blocks that change regularly for two or three iterations again and again are those of a short inner loop.
    lengths = Counter(count for _, count, _ in _segments(run, 2))
    if not lengths:
        return []
    short = max(lengths, key=lengths.__getitem__)
    outer = replace(run, period=run.period * short)
    found = []
    for start, times, _ in _segments(outer, 2):
        if times == 2 and (len(lengths) > 1 or run.start + 2 * outer.period < run.end):
            continue  # two of anything are regular
        inner = replace(run, start=start, end=start + times * outer.period)
        found += [(first, n, _columns(tracks, n)) for first, n, tracks in _segments(inner, short) if n == short]
    return found


def _segments(run: _Run, least: int) -> Iterator[tuple[int, int, list[list[Track]]]]:
    """The stretches of a run in which every hole changes regularly: (start, number of iterations, tracks)."""
    period = run.period
    first, at = run.start, run.start + period
    tracks = _begin(run, first)
    while at + period <= run.end:
        count = (at - first) // period
        if (not run.whole or _goes_on_in(run.items, first, at, period)) and _accepts(tracks, run, at, count):
            at += period
            continue
        # Two of anything are regular: the second may be the first of those that follow.
        if count == 2 and _goes_on(run, at - period):
            first = at - period
        else:
            if count >= least and _settled(tracks, count):
                yield first, count, tracks
            first = at
        tracks = _begin(run, first)
        at = first + period
    count = (at - first) // period
    if count >= least and _settled(tracks, count):
        yield first, count, tracks


def _goes_on(run: _Run, first: int) -> bool:
    """Whether a stretch that begins here has three iterations at least."""
    tracks = _begin(run, first)
    third = first + 2 * run.period
    if third + run.period > run.end:
        return False
    return _accepts(tracks, run, first + run.period, 1) and _accepts(tracks, run, third, 2)


def _settled(tracks: list[list[Track]], count: int) -> bool:
    return all(track.is_settled(count) for mine in tracks for track in mine)


def _columns(tracks: list[list[Track]], count: int) -> _Columns:
    return [[track.column(count) for track in mine] for mine in tracks]


def _begin(run: _Run, first: int) -> list[list[Track]]:
    return [
        [
            Track(hole, item.marks[i] if item.marks else None, first, run.period, run.tables, run.places)
            for i, hole in enumerate(item.holes)
        ]
        for item in run.items[first : first + run.period]
    ]


def _accepts(tracks: list[list[Track]], run: _Run, at: int, count: int) -> bool:
    for offset, mine in enumerate(tracks):
        for track, hole in zip(mine, run.items[at + offset].holes, strict=True):
            if not track.accepts(hole, count, at, run.places):
                return False
    return True


def _loop(items: list[Item], count: int, columns: _Columns, shapes: dict[Hashable, int]) -> Loop:
    """Make a loop of alike items; its body are those of the first iteration."""
    period = len(columns)
    holes: list[Any] = [count]
    marks: list[Marks] = [WHOLE]
    placed: list[list[tuple[Column, int]]] = []
    for mine in columns:
        placed.append([])
        for column, values in mine:
            placed[-1].append((column, len(holes)))
            holes += values
            marks += marks_of(column, len(values))
    kinds = tuple(column for mine in columns for column, _ in mine)
    tabled = count if any(isinstance(kind, Varied) for kind in kinds) else None
    key = ("loop", tuple(item.shape for item in items[:period]), kinds, tabled)
    call = common(items[0].call, items[period].call)
    loop = Loop(shapes.setdefault(key, len(shapes)), tuple(holes), tuple(marks), items[:period], placed, count, call)
    loop.at = items[0].at
    for at, item in enumerate(items):
        item.parent, item.at = loop, at
        if at >= period:
            _note_sizes(items[at % period], item)
            item.holes = ()
    return loop


def _note_sizes(body: Item, other: Item) -> None:
    """Remember in a loop's body which axes of its results have other sizes in other iterations."""
    if isinstance(body, Statement) and isinstance(other, Statement):
        mine, its = body.node.shape, other.node.shape
        if mine != its and mine is not None and its is not None:
            body.varying |= {axis for axis, (a, b) in enumerate(zip(mine, its, strict=True)) if a != b}
        body.varying |= other.varying
    elif isinstance(body, Loop) and isinstance(other, Loop):
        for a, b in zip(body.body, other.body, strict=True):
            _note_sizes(a, b)
