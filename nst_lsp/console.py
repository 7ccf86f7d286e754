"""Styled lines on a terminal, plain ones elsewhere.

rich is loaded only where colour is wanted, so that `nst check` in a script starts without it.  `NO_COLOR` and
`FORCE_COLOR` are honoured (no-color.org, force-color.org).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from .frames import Line, text

if TYPE_CHECKING:
    from rich.console import Console


def coloured(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def show(lines: Sequence[Line], stream: TextIO) -> None:
    """Write the lines, in colour where the stream is a terminal; none is wrapped or cut."""
    if not coloured(stream):
        stream.write(text(lines))
        return
    from rich.text import Text

    console = rich_console(stream)
    for line in lines:
        console.print(Text.assemble(*line), soft_wrap=True)


def show_code(code: str, stream: TextIO) -> None:
    """Python source, highlighted on a terminal."""
    if not coloured(stream):
        stream.write(code.rstrip("\n") + "\n")
        return
    from rich.syntax import Syntax

    rich_console(stream).print(Syntax(code.rstrip("\n"), "python", theme="ansi_dark", background_color="default"))


def show_markdown(page: str, stream: TextIO) -> None:
    """A page laid out for a terminal; the Markdown itself elsewhere."""
    if not coloured(stream):
        stream.write(page.rstrip("\n") + "\n")
        return
    from rich.markdown import Markdown

    rich_console(stream).print(Markdown(page))


def rich_console(stream: TextIO) -> Console:
    from rich.console import Console

    return Console(file=stream, force_terminal=coloured(stream), highlight=False, markup=False, emoji=False)
