"""How spans move when the text around them is edited.

An edit is three numbers, in offsets of characters.  A list of edits is kept short by merging those that touch, so
that a paragraph typed letter by letter is one edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class Edit:
    """The characters `[start, end)` became `length` others."""

    start: int
    end: int
    length: int

    @property
    def grown(self) -> int:
        return self.length - (self.end - self.start)


def forward(edits: Iterable[Edit], start: int, end: int) -> tuple[int, int] | None:
    """Where `[start, end)` of the text before the edits stands after them; None where it was replaced as a whole."""
    for edit in edits:
        if edit.start <= start and end <= edit.end and edit.start < edit.end:
            return None
        if start >= edit.end:
            start, end = start + edit.grown, end + edit.grown
        elif edit.start < start:  # the edit took its beginning away
            start, end = edit.start + edit.length, end + edit.grown
        elif edit.end <= end and edit.start < end:  # within
            end += edit.grown
        elif edit.start < end:  # the edit took its end away
            end = edit.start
    return start, end


def backward(edits: Iterable[Edit], offset: int) -> int | None:
    """Where the character at `offset` stood before the edits; None where it is new."""
    for edit in reversed(list(edits)):
        if offset >= edit.start + edit.length:
            offset -= edit.grown
        elif offset >= edit.start:
            return None
    return offset


def merged(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """The same change in as few edits as touching neighbours allow."""
    result: list[Edit] = []
    for edit in edits:
        touching = bool(result) and _touch(result[-1], edit)
        result.append(_join(result.pop(), edit) if touching else edit)
    return tuple(result)


def replacements(before: str, after: str, at: int = 0) -> tuple[Edit, ...]:
    """Edits that turn one text into another and leave alone what both have; the texts begin at offset `at`.

    Editors and formatters send more than they change, up to the whole document.  Lines are compared, unless there are
    so many that it would take long; the last edit comes first, so that none moves the others.
    """
    whole = replacement(before, after)
    if whole.start == whole.end and whole.length == 0:
        return ()
    old = before[whole.start : whole.end].splitlines(keepends=True)
    new = after[whole.start : whole.start + whole.length].splitlines(keepends=True)
    if len(old) * len(new) > _COMPARED:
        return (Edit(whole.start + at, whole.end + at, whole.length),)
    starts = list(accumulate(map(len, old), initial=whole.start + at))
    changed = [one for one in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if one[0] != "equal"]
    return tuple(
        Edit(starts[first], starts[last], sum(map(len, new[from_:to])))
        for _, first, last, from_, to in reversed(changed)
    )


_COMPARED = 4_000_000
"""Pairs of lines that are compared at most."""


def replacement(before: str, after: str) -> Edit:
    """One edit that turns one text into another: what lies between their common beginning and their common end."""
    shorter = min(len(before), len(after))
    start = _common(shorter, lambda count: before[:count] == after[:count])
    tail = _common(shorter - start, lambda count: before[len(before) - count :] == after[len(after) - count :])
    return Edit(start, len(before) - tail, len(after) - tail - start)


def _touch(first: Edit, second: Edit) -> bool:
    """Whether the second edit borders on the text that the first one wrote."""
    return second.start <= first.start + first.length and second.end >= first.start


def _join(first: Edit, second: Edit) -> Edit:
    left = max(0, first.start - second.start)
    right = max(0, second.end - (first.start + first.length))
    length = first.length + left + right + second.grown
    return Edit(first.start - left, first.end + right, length)


def _common(limit: int, equal: Callable[[int], bool]) -> int:
    """The largest count up to `limit` that is still equal, by halving: comparing slices is much faster than a loop."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if equal(middle):
            low = middle
        else:
            high = middle - 1
    return low
