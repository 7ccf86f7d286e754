"""What is printed and written: sections of one table each, as Markdown and for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Section:
    """A table with what it shows and how it was measured."""

    title: str
    told: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    after: str = ""
    """What there is to say about the figures."""


def number(value: float) -> str:
    """A figure with as many digits as it bears: 0.42, 4.2, 42, 4,200."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def factor(value: float) -> str:
    """A ratio."""
    return f"{number(value)}×"


def markdown(sections: Iterable[Section], head: Sequence[str]) -> str:
    """The whole report as Markdown."""
    lines = list(head)
    for section in sections:
        lines += ["", *_lines(section)]
    return "\n".join(lines) + "\n"


def renewed(report: str, sections: Iterable[Section], when: str) -> str:
    """A report with some of its sections measured anew, which then say `when`; what it did not have comes last."""
    head, *parts = report.rstrip("\n").split("\n\n## ")
    by_title = {part.partition("\n")[0]: f"## {part}" for part in parts}
    for section in sections:
        by_title[section.title] = "\n".join(_lines(replace(section, told=f"{section.told} {when}")))
    return "\n\n".join([head, *by_title.values()]) + "\n"


def _lines(section: Section) -> list[str]:
    lines = [f"## {section.title}", "", section.told, ""]
    if section.columns:
        lines += [_row(section.columns), _row(["---", *["---:"] * (len(section.columns) - 1)])]
        lines += [_row(row) for row in section.rows]
    return [*lines, "", section.after] if section.after else lines


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def show(section: Section, console: Console) -> None:
    """One section on the terminal."""
    table = Table(title=section.title, title_justify="left", title_style="bold", caption_justify="left")
    for place, column in enumerate(section.columns):
        table.add_column(column, justify="right" if place else "left")
    for row in section.rows:
        table.add_row(*row)
    console.print()
    if section.columns:
        console.print(table)
    else:
        console.print(section.title, style="bold")
    console.print(section.told, style="dim")
    if section.after:
        console.print(section.after, style="dim")
