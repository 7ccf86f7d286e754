"""Markdown from text that may hold anything: nothing of it can end a code span, a fence or a table's cell."""

from __future__ import annotations

import re


def code(text: str) -> str:
    """Text as a code span, in one line."""
    text = " ".join(text.split())
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    if not text:
        return ""
    ticks = "`" * (longest + 1)
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{padding}{text}{padding}{ticks}"


def fence(text: str, language: str = "", lines: int = 60) -> str:
    """Text as a fenced block of at most so many lines."""
    shown = text.rstrip("\n").split("\n")
    if len(shown) > lines:
        comment = "#" if language == "python" else ""
        shown = [*shown[: lines - 1], f"{comment} … {len(shown) - lines + 1} more lines".strip()]
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return "\n".join([f"{ticks}{language}", *shown, ticks])


def table(rows: list[tuple[str, str]], head: tuple[str, str] = ("", "")) -> str:
    """Two columns; the second is code."""
    lines = [f"| {head[0]} | {head[1]} |", "|---|---|"]
    return "\n".join([*lines, *(f"| {left} | {_cell(right)} |" for left, right in rows)])


def prose(text: str) -> str:
    """Text in which no character is markup, except the code spans that it has itself.

    Only what would be markup is escaped, as some editors show Markdown as it is written.
    """
    parts = re.split(r"(`[^`\n]+`)", text)
    return "".join(part if index % 2 else _MARKUP.sub(r"\\\g<0>", part) for index, part in enumerate(parts))


_MARKUP = re.compile(r"[\\*<`]|(?<!\w)_|_(?!\w)|\](?=[(\[:])")


def _cell(text: str) -> str:
    return code(text).replace("|", "\\|")
