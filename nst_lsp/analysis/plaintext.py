"""The same as `markdown`, for editors that show text as it is written."""

from __future__ import annotations

import textwrap

from .markdown import cut

RULE = "―" * 40


def code(text: str) -> str:
    return " ".join(text.split())


def fence(text: str, language: str = "", lines: int = 60) -> str:
    """A block of at most so many lines, set in."""
    return textwrap.indent("\n".join(cut(text, language, lines)), "    ")


def table(rows: list[tuple[str, str]], head: tuple[str, str] = ("", "")) -> str:
    return "\n".join([head[0], *(f"  {left}: {code(right)}" for left, right in rows)])


def prose(text: str) -> str:
    return text


def strong(text: str) -> str:
    return text


def faint(text: str) -> str:
    return f"({text})"


def link(text: str, address: str | None) -> str:
    return text


def lines(texts: list[str]) -> str:
    return "\n".join(texts)
