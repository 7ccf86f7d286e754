"""Markdown from text that may hold anything: nothing of it can end a code span, a fence or a table's cell."""

from __future__ import annotations

import re

RULE = "---"
"""Between what speaks of different things."""


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
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return "\n".join([f"{ticks}{language}", *cut(text, language, lines), ticks])


def cut(text: str, language: str, lines: int) -> list[str]:
    """The lines of a text, at most so many; the last says how many more there were."""
    shown = text.rstrip("\n").split("\n")
    if len(shown) <= lines:
        return shown
    comment = "#" if language == "python" else ""
    return [*shown[: lines - 1], f"{comment} … {len(shown) - lines + 1} more lines".strip()]


def table(rows: list[tuple[str, str]], head: tuple[str, str] = ("", "")) -> str:
    """Two columns; the second is code."""
    lines = [f"| {head[0]} | {head[1]} |", "|---|---|"]
    return "\n".join([*lines, *(f"| {left} | {_cell(right)} |" for left, right in rows)])


def prose(text: str) -> str:
    """Text in which no character is markup, except the code spans that it has itself.

    Only what would be markup is escaped, as some editors show Markdown as it is written.
    """
    return _MARKUP.sub(_escaped, text)


_MARKUP = re.compile(
    r"`[^`\n]+`"
    r"|[\\*<`~]|(?<!\w)_|_(?!\w)|\](?=[(\[:])|&(?=#?\w+;)"
    r"|^[ \t]*(?=[#>|=+-])|^[ \t]*\d+(?=[.)]\s)",  # what would begin a heading, a quotation, a table, a list
    re.MULTILINE,
)


def _escaped(found: re.Match[str]) -> str:
    text = found[0]
    if len(text) > 1 and text.startswith("`"):
        return text
    begins_a_line = not text.strip() or text.strip().isdigit()
    return f"{text}\\" if begins_a_line else f"\\{text}"


def strong(text: str) -> str:
    return f"**{text}**"


def faint(text: str) -> str:
    return f"*({text})*"


def link(text: str, address: str | None) -> str:
    return f"[{text}]({address})" if address else text


def lines(texts: list[str]) -> str:
    """Texts under each other, not run together into one paragraph."""
    return "  \n".join(texts)


def _cell(text: str) -> str:
    return code(text).replace("|", "\\|")
