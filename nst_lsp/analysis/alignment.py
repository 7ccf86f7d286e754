"""Which steps of two graphs are the same step.

What both graphs begin and end with is the same.  In between, steps are first matched by what they are in the program
as a whole, wherever they stand: by all that leads to them, and by all that comes of them.  An edit leaves the first
alone above itself and the second below itself, so what is left is small; it is aligned in order, between neighbours
that are matched.  The work grows with the number of steps.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from .steps import Step, Steps, contents, readers

_COMPARED = 2_500
"""Pairs of steps that are compared one by one at most, between two neighbours."""
_WINDOW = 40
_ALIKE = 3
"""Steps in a row that must be alike for two long stretches to meet again, within so many steps."""
_PATIENCE = 60_000
"""Comparisons in all; what is left then is told as removed and added."""

Ids = dict[Hashable, int]


class Alignment:
    """Two graphs' steps and which are the same: `after_of` by the step before, `before_of` by the one after."""

    def __init__(self, before: Steps, after: Steps) -> None:
        self.before = before.all
        self.after = after.all
        self.after_of: dict[int, int] = {}
        self.before_of: dict[int, int] = {}
        self._patience = _PATIENCE
        self.beginning = self._match_beginning()
        """How many steps both begin with, alike in all that is told of them."""
        kinds: Ids = {}
        (ones, named), (others, other_named) = (_spelled(these, self.beginning, kinds) for these in (before, after))
        self._kinds, self._named = (ones, others), (named, other_named)
        self._match_end()
        if not any(self._unmatched()):
            return
        self._readers = readers(self.before), readers(self.after)
        self._match_leaves()
        self._match_by_sources()
        self._match_by_uses(before.outputs, after.outputs)
        for _ in range(2):  # what is matched at first tells of its neighbours
            self._match_between_neighbours()
        self._match_moved()
        self._match_read_alike()

    def alike(self, one: int, other: int) -> bool:
        """Whether a step before and a step after, behind the common beginning, do the same to what they read."""
        return self._kinds[0][one] == self._kinds[1][other]

    def named(self, one: int, other: int) -> list[tuple[int, int]]:
        """The steps that a step before, and a step after, name in the same place."""
        return list(zip(self._named[0][one], self._named[1][other], strict=False))

    def writes_moved(self, one: int, other: int) -> bool:
        """Whether what a step rests on without naming it, that is writes in place, was and is there but not for it."""
        (reads, named), (others, other_named) = (
            (self.before[one].reads, self._named[0][one]),
            (self.after[other].reads, self._named[1][other]),
        )
        if reads == named and others == other_named:
            return False
        then, now = set(reads).difference(named), set(others).difference(other_named)
        kept = then <= self.after_of.keys() and now <= self.before_of.keys()
        return kept and {self.after_of[read] for read in then} != now

    def swapped(self, pair: tuple[int, int]) -> bool:
        """Whether two steps were both there before and are both here now, and are not the same."""
        return pair[0] in self.after_of and pair[1] in self.before_of and self.after_of[pair[0]] != pair[1]

    def _match(self, one: int, other: int) -> None:
        self.after_of[one] = other
        self.before_of[other] = one

    def _unmatched(self) -> tuple[list[int], list[int]]:
        return (
            [number for number in range(self.beginning, len(self.before)) if number not in self.after_of],
            [number for number in range(self.beginning, len(self.after)) if number not in self.before_of],
        )

    # ---- at both ends --------------------------------------------------------------------------------------

    def _match_beginning(self) -> int:
        for number, (a, b) in enumerate(zip(self.before, self.after, strict=False)):
            if not _same_but_for_places(a, b):
                return number
            self._match(number, number)
        return min(len(self.before), len(self.after))

    def _match_end(self) -> None:
        """What both end with: the same operations on operands that stand as far from the end, or in the beginning."""
        behind = len(self.after) - len(self.before)
        for distance in range(1, min(len(self.before), len(self.after)) - self.beginning + 1):
            one, other = len(self.before) - distance, len(self.after) - distance
            a, b = self.before[one], self.after[other]
            if not self.alike(one, other) or len(a.reads) != len(b.reads):
                return
            if a.is_leaf and a.node.name != b.node.name:
                return
            for x, y in (*self.named(one, other), *zip(a.reads, b.reads, strict=True)):
                if y - x != (0 if x < self.beginning else behind):
                    return
            self._match(one, other)

    # ---- wherever they stand -----------------------------------------------------------------------------

    def _match_leaves(self) -> None:
        """Inputs and captured arrays: by name and contents, then by name, then by contents alone."""
        for key in (_name_and_contents, _name, _contents):
            ones, others = self._unmatched()
            left = {number: key(self.before[number]) for number in ones if self.before[number].is_leaf}
            self._pair(left, {number: key(self.after[number]) for number in others if self.after[number].is_leaf})

    def _match_by_sources(self) -> None:
        """By what leads to each step."""
        ids: Ids = {}
        ones, others = self._unmatched()
        known = {n: ids.setdefault(n, len(ids)) for n in self.after_of}
        left = _source_ids(self.before, ones, ids, self._kinds[0], self._named[0], known)
        known = {n: known[one] for n, one in self.before_of.items()}
        self._pair(left, _source_ids(self.after, others, ids, self._kinds[1], self._named[1], known))

    def _match_by_uses(self, outputs: list[int], other_outputs: list[int]) -> None:
        """By what comes of each step."""
        ids: Ids = {}
        ones, others = self._unmatched()
        known = {n: ids.setdefault(n, len(ids)) for n in self.after_of}
        left = _use_ids(ones, ids, self._kinds[0], self._readers[0], outputs, known)
        known = {n: known[one] for n, one in self.before_of.items()}
        self._pair(left, _use_ids(others, ids, self._kinds[1], self._readers[1], other_outputs, known))

    def _pair(self, ones: Mapping[int, Any], others: Mapping[int, Any]) -> None:
        """Match what has the same key, in order, where there are as many of it before as after."""
        more = Counter(ones.values())
        more.subtract(Counter(others.values()))
        left, right = (
            sorted([(key, number) for number, key in side.items() if not more[key]]) for side in (ones, others)
        )
        for (_, one), (_, other) in zip(left, right, strict=True):
            self._match(one, other)

    # ---- in order ----------------------------------------------------------------------------------------

    def _match_between_neighbours(self) -> None:
        ones, others = self._unmatched()
        i = j = 0
        for one, other in [*self._in_order(), (len(self.before), len(self.after))]:
            first, second = i, j
            i, j = bisect_left(ones, one, i), bisect_left(others, other, j)
            if i > first and j > second:
                for left, right in self._stretches(ones[first:i], others[second:j]):
                    self._align(left, right)

    def _in_order(self) -> list[tuple[int, int]]:
        """The longest run of matched operations that stand in the same order before and after."""
        pairs = sorted(
            (one, other)
            for one, other in self.after_of.items()
            if one >= self.beginning and not self.before[one].is_leaf
        )
        ends: list[int] = []
        last: list[int] = []
        previous: list[int] = []
        for index, (_, other) in enumerate(pairs):
            length = bisect_left(ends, other)
            previous.append(last[length - 1] if length else -1)
            ends[length : length + 1] = [other]
            last[length : length + 1] = [index]
        found, at = list[tuple[int, int]](), last[-1] if last else -1
        while at >= 0:
            found.append(pairs[at])
            at = previous[at]
        return found[::-1]

    def _stretches(self, ones: list[int], others: list[int]) -> Iterator[tuple[list[int], list[int]]]:
        """Parts that are short enough to be compared step by step; what is alike between them is matched here."""
        i = j = 0
        while (len(ones) - i) * (len(others) - j) > _COMPARED and self._patience > 0:
            a, b = self.before[ones[i]], self.after[others[j]]
            if self.alike(ones[i], others[j]) or (
                a.node.operation == b.node.operation and self._meet(ones, others, i + 1, j + 1)
            ):
                self._match(ones[i], others[j])
                i, j = i + 1, j + 1
                continue
            ahead, behind = self._meeting(ones, others, i, j)
            yield ones[i:ahead], others[j:behind]
            i, j = ahead, behind
        yield ones[i:], others[j:]

    def _meeting(self, ones: list[int], others: list[int], i: int, j: int) -> tuple[int, int]:
        """Where two stretches are alike again, as near as can be."""
        for distance in range(1, 2 * _WINDOW):
            for more in range(max(0, distance - _WINDOW), min(distance, _WINDOW) + 1):
                if self._meet(ones, others, i + distance - more, j + more):
                    return i + distance - more, j + more
        return min(i + _WINDOW, len(ones)), min(j + _WINDOW, len(others))

    def _meet(self, ones: list[int], others: list[int], i: int, j: int) -> bool:
        self._patience -= 1
        if i + _ALIKE > len(ones) or j + _ALIKE > len(others):
            return False
        alike = [self.alike(ones[i + n], others[j + n]) for n in range(_ALIKE)]
        return alike[0] and sum(alike) >= _ALIKE - 1

    def _align(self, ones: list[int], others: list[int]) -> None:
        """Match steps of two short stretches in order, so that what is matched is as much alike as can be."""
        if len(ones) * len(others) > _COMPARED:
            return
        self._patience -= len(ones) * len(others)
        likeness = [[self._likeness(one, other) for other in others] for one in ones]
        worth = [[0] * (len(others) + 1) for _ in range(len(ones) + 1)]
        for i in range(len(ones) - 1, -1, -1):
            for j in range(len(others) - 1, -1, -1):
                both = likeness[i][j] + worth[i + 1][j + 1] if likeness[i][j] else 0
                worth[i][j] = max(both, worth[i + 1][j], worth[i][j + 1])
        i = j = 0
        while i < len(ones) and j < len(others):
            if likeness[i][j] and worth[i][j] == likeness[i][j] + worth[i + 1][j + 1]:
                self._match(ones[i], others[j])
                i, j = i + 1, j + 1
            elif worth[i][j] == worth[i + 1][j]:
                i += 1
            else:
                j += 1

    def _likeness(self, one: int, other: int) -> int:
        """How much two steps are alike; 0 for those that are not the same step."""
        a, b = self.before[one], self.after[other]
        if a.is_leaf or b.is_leaf:
            return 0
        reads = [self.after_of.get(x) == y for x, y in self.named(one, other)]
        read_by = {(self.after_of.get(n), slot) for n, slot in self._readers[0][one]}
        context = 2 * any(reads) + 2 * bool(read_by.intersection(self._readers[1][other]))
        context += a.node.shape == b.node.shape
        if self.alike(one, other):
            return 20 + context
        if a.node.operation == b.node.operation:
            return 10 + context
        return context if context >= 3 and len(self._named[0][one]) == len(self._named[1][other]) else 0

    # ---- what is left ------------------------------------------------------------------------------------

    def _match_moved(self) -> None:
        """Operations that do the same with the same operands, though they stand elsewhere and are read otherwise."""
        ones, others = self._unmatched()
        there: dict[Hashable, list[int]] = {}
        for number in others:
            key = self._kinds[1][number], *self._named[1][number], *self.after[number].reads
            there.setdefault(key, []).append(number)
        for number in ones:
            step = self.before[number]
            operands = [self.after_of.get(one, -1) for one in (*self._named[0][number], *step.reads)]
            found = there.get((self._kinds[0][number], *operands)) if not step.is_leaf else None
            if found:
                self._match(number, found.pop(0))

    def _match_read_alike(self) -> None:
        """Captured arrays, and inputs, in whose place another is read."""
        for one, other in list(self.after_of.items()):
            for x, y in self.named(one, other) if one >= self.beginning else ():
                a, b = self.before[x], self.after[y]
                new = x not in self.after_of and y not in self.before_of
                if new and a.is_leaf and a.node.operation == b.node.operation:
                    self._match(x, y)


def _same_but_for_places(a: Step, b: Step) -> bool:
    """Whether two steps of the same beginning are alike: what they read is, so it is called the same."""
    return a.times == b.times and all(
        (x.code, x.shape, x.operation) == (y.code, y.shape, y.operation)
        and (x.operation != "constant" or x.values == y.values)
        for x, y in zip(a.nodes, b.nodes, strict=True)
    )


def _name_and_contents(step: Step) -> Hashable:
    return step.node.operation, step.node.code


def _name(step: Step) -> Hashable:
    return step.node.operation, step.node.name


def _contents(step: Step) -> Hashable:
    """Of a captured array its contents, of an input its kind: what is left when it is called otherwise."""
    return step.node.operation, step.node.shape, contents(step.node)


def _spelled(these: Steps, first: int, ids: Ids) -> tuple[list[int], list[Sequence[int]]]:
    """A number for what each step from the first one on does to what it names, and the steps that it names."""
    spelled = [(step.node.operation, *these.spelling(step.node)) for step in these.all[first:]]
    kinds = [ids.setdefault((operation, pattern), len(ids)) for operation, pattern, _ in spelled]
    return [-1] * first + kinds, [()] * first + [named for _, _, named in spelled]


def _source_ids(
    these: Sequence[Step],
    left: list[int],
    ids: Ids,
    kinds: list[int],
    named: list[Sequence[int]],
    known: Mapping[int, int],
) -> dict[int, int]:
    """A number for all that leads to each of the steps that are left; `known` has those of the others."""
    found = dict(known)
    made: dict[int, int] = {}
    for number in left:
        if not these[number].is_leaf:
            operands = [found.get(one, -1) for one in (*named[number], *these[number].reads)]
            made[number] = found[number] = ids.setdefault((kinds[number], *operands), len(ids))
    return made


def _use_ids(
    left: list[int],
    ids: Ids,
    kinds: list[int],
    readers: list[list[tuple[int, int]]],
    outputs: Sequence[int],
    known: Mapping[int, int],
) -> dict[int, int]:
    """A number for all that comes of each of the steps that are left; `known` has those of the others."""
    found = dict(known)
    made: dict[int, int] = {}
    returned: dict[int, list[int]] = {}
    for place, number in enumerate(outputs):
        returned.setdefault(number, []).append(place)
    for number in reversed(left):
        uses = sorted([(found.get(one, -1), slot) for one, slot in readers[number]])
        key = kinds[number], tuple(uses), tuple(returned.get(number, ()))
        made[number] = found[number] = ids.setdefault(key, len(ids))
    return made
