"""One text turned into another by changes of the protocol, of every shape that editors send.

Positions are in UTF-16, and what a change speaks of is the text after the change before it.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from random import Random
from typing import Any

Change = dict[str, Any]


def notifications(before: str, after: str, random: Random) -> list[list[Change]]:
    """The content changes of one or more `didChange` that make `after` of `before`."""
    shape = random.choice(["whole", "one", "one", "one", "lines", "lines", "two", "typed"])
    if shape == "whole":
        return [[{"text": after}]]
    if shape == "lines":
        return [_lines(before, after)]
    start, end, new = _difference(before, after)
    if shape == "two" and end > start:
        gone = _change(before, start, end, "")
        return [[gone, _change(before[:start] + before[end:], start, start, new)]]
    if shape == "typed" and 0 < len(new) <= 40:
        return _typed(before, start, end, new)
    return [[_change(before, start, end, new)]]


def _typed(before: str, start: int, end: int, new: str) -> list[list[Change]]:
    """Letter by letter, each a notification of its own."""
    found = [[_change(before, start, end, "")]]
    text = before[:start] + before[end:]
    for index, letter in enumerate(new):
        found.append([_change(text, start + index, start + index, letter)])
        text = text[: start + index] + letter + text[start + index :]
    return found


def _lines(before: str, after: str) -> list[Change]:
    """Every difference in lines on its own, from the last to the first, so that no position moves."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    offsets = [0]
    for line in old:
        offsets.append(offsets[-1] + len(line))
    matcher = SequenceMatcher(a=old, b=new, autojunk=False)
    different = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return [_change(before, offsets[a], offsets[b], "".join(new[i:j])) for _, a, b, i, j in reversed(different)]


def _difference(before: str, after: str) -> tuple[int, int, str]:
    """The smallest single replacement: where it starts and ends in `before`, and the new text."""
    shorter = min(len(before), len(after))
    start = next((index for index in range(shorter) if before[index] != after[index]), shorter)
    tail = next(
        (index for index in range(shorter - start) if before[len(before) - 1 - index] != after[len(after) - 1 - index]),
        shorter - start,
    )
    return start, len(before) - tail, after[start : len(after) - tail]


def _change(text: str, start: int, end: int, new: str) -> Change:
    return {"range": {"start": position(text, start), "end": position(text, end)}, "text": new}


def position(text: str, offset: int) -> dict[str, int]:
    line_start = text.rfind("\n", 0, offset) + 1
    units = len(text[line_start:offset].encode("utf-16-le")) // 2
    return {"line": text.count("\n", 0, offset), "character": units}
