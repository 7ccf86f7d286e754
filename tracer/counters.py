"""What the counter of a folded loop counts: `for i in range(1, n)` where most of the body says `i`.

Whole numbers in a folded graph count each loop's iterations from 0 (`loops.Whole`).  Here each loop gets a start and a
step, with which its numbers are short to write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .columns import Loop
from .loops import Block, Expression, Use, Whole


@dataclass(frozen=True, slots=True)
class Counting:
    """The numbers that a loop's counter takes."""

    start: Whole
    step: int


def countings(expressions: Iterable[Expression]) -> dict[Loop, Counting]:
    """For each loop whose counter is needed, what it counts."""
    starts: dict[Loop, list[tuple[int, Whole | None]]] = {}
    for whole in _wholes(expressions):
        for loop, factor in whole.terms:
            rest = tuple(term for term in whole.terms if term[0] is not loop)
            plain = Whole(whole.constant, rest) if all(_around(outer, loop) for outer, _ in rest) else None
            starts.setdefault(loop, []).append((factor, plain))
    return {loop: _counting(found) for loop, found in starts.items()}


def _wholes(expressions: Iterable[Expression]) -> Iterable[Whole]:
    for expression in expressions:
        if isinstance(expression, Whole) and expression.terms:
            yield expression
        elif isinstance(expression, Use):
            yield from (i for i in expression.index if i.terms)


def _around(outer: Loop, loop: Loop) -> bool:
    parent = loop.parent
    while parent is not None and parent is not outer:
        parent = parent.parent
    return parent is outer


def _counting(found: list[tuple[int, Whole | None]]) -> Counting:
    factors = Counter(factor for factor, _ in found)
    step = min(factors, key=lambda f: (abs(f), -factors[f]))
    if any(factor % step for factor in factors):
        step = 1
    starts = Counter(start for factor, start in found if factor == step and start is not None)
    if not starts:
        return Counting(Whole(0), step)
    most = max(starts.values())
    usual = sorted((s for s, n in starts.items() if n == most), key=lambda s: (len(s.terms), s.constant))
    shortest = [s for s in usual if len(s.terms) == len(usual[0].terms)]
    return Counting(shortest[len(shortest) // 2], step)


def counted(whole: Whole, countings: Mapping[Loop, Counting]) -> Whole:
    """The same number in terms of what the counters count."""
    constant, factors = whole.constant, dict[Loop, int]()
    for loop, factor in whole.terms:
        factors[loop] = factors.get(loop, 0) + factor
    result: list[tuple[Loop, int]] = []
    while factors:
        # An inner loop's start can speak of outer counters: inner loops first.
        loop = max(factors, key=_depth)
        factor = factors.pop(loop)
        if not factor:
            continue
        counting = countings[loop]
        times = factor // counting.step
        result.append((loop, times))
        constant -= times * counting.start.constant
        for outer, share in counting.start.terms:
            factors[outer] = factors.get(outer, 0) - times * share
    return Whole(constant, tuple(result[::-1]))


def _depth(loop: Loop) -> int:
    depth, parent = 0, loop.parent
    while parent is not None:
        depth, parent = depth + 1, parent.parent
    return depth


def limits(block: Block, countings: Mapping[Loop, Counting]) -> tuple[Whole, Whole, int]:
    """Start, stop and step of the range that a loop runs over."""
    counting = countings.get(block.loop, Counting(Whole(0), 1))
    start, step = counting.start, counting.step
    added = tuple((loop, factor * step) for loop, factor in block.count.terms)
    stop = Whole(start.constant + block.count.constant * step, (*start.terms, *added))
    return counted(start, countings), counted(stop, countings), step
