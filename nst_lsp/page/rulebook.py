"""The rules' pages for a browser: the Markdown of docs/rules as HTML, without scripts."""

from __future__ import annotations

from html import escape
from pathlib import Path

from tracer.rules import RULES

from ..rulepages import rule_page


def link(code: str) -> str | None:
    """The address of a rule's page, from the graph page on."""
    return f"rules/{code}" if rule_page(code) is not None else None


def page(code: str) -> str | None:
    """A rule's page; None where there is none."""
    source = rule_page(code) if code in RULES else None
    if source is None:
        return None
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(source)
    title = escape(f"{code} {RULES[code].name}")
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>'
        f'<link rel="stylesheet" href="rule.css"></head>\n<body>\n{body}</body>\n</html>\n'
    )


def style() -> str:
    return Path(__file__).with_name("rule.css").read_text(encoding="utf-8")
