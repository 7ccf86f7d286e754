"""The results of `nst check` in the format that was asked for."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import metadata
from typing import TYPE_CHECKING, Any

import click

from .baseline import Opened, tell_gone
from .common import print_json

if TYPE_CHECKING:
    from ..baseline.file import Entry
    from ..check import Checked
    from ..sources import Sources


def print_checked(checked: Checked, style: str, sources: Sources, seconds: float, opened: Opened | None = None) -> None:
    """Print the results; what is to be told of the baseline goes to stderr, so that a document stays one."""
    from ..cells import spelled_out, spot

    gone = opened.gone(checked.results) if opened else {}
    version, results = metadata.version("nst-lsp"), [spelled_out(result, sources) for result in checked.results]
    if style == "json":
        from ..report import report_json

        document = report_json(version, checked.results, lambda place: spot(place, sources))
        print_json(document | ({"baseline": _baseline(opened, checked, gone)} if opened else {}))
    elif style == "sarif":
        from ..formats import sarif

        print_json(sarif(version, results, sources))
    elif style == "github":
        from ..formats import github

        click.echo("".join(f"{line}\n" for line in github(results)), nl=False)
    else:
        from ..console import show
        from ..summary import check_lines

        show(list(check_lines(checked, sources, seconds)), sys.stdout)
    sys.stdout.flush()
    if opened:
        tell_gone(opened, gone)


def _baseline(opened: Opened, checked: Checked, gone: Mapping[Entry, int]) -> dict[str, Any]:
    """How many findings are known, and which are no more."""
    return {
        "path": str(opened.file),
        "known": checked.known,
        "gone": [
            {"path": entry.path, "function": entry.function, "code": entry.code, "text": entry.text, "count": count}
            for entry, count in sorted(gone.items())
        ],
    }
