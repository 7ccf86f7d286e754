"""The results of `nst check` in the format that was asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .baseline import Opened, tell_of
from .common import print_json

if TYPE_CHECKING:
    from ..checking.baseline.file import Entry
    from ..checking.check import Checked
    from ..checking.report import FileResult
    from ..sources import Sources
    from .stream import Stream


def print_checked(
    checked: Checked,
    style: str,
    sources: Sources,
    seconds: float,
    opened: Opened | None = None,
    stream: Stream | None = None,
    *,
    compact: bool = False,
) -> None:
    """Print the results; what is to be told of the baseline goes to stderr, so that a document stays one.

    Of text, what `stream` has told is left out.  A document that is `compact` has one line.
    """
    gone = opened.gone(checked.results) if opened else {}
    if style == "json":
        _print_report(checked, sources, opened, gone, compact=compact)
    elif style == "sarif":
        _print_sarif(checked, sources, opened, compact=compact)
    elif style == "github":
        _print_github(checked, sources)
    else:
        rest = stream.rest(checked) if stream else checked.results
        _print_text(checked, rest, sources, seconds, with_known=opened is not None and opened.shows_known)
    sys.stdout.flush()
    if opened:
        tell_of(opened, checked.results, gone)


def _print_text(
    checked: Checked, untold: Iterable[FileResult], sources: Sources, seconds: float, *, with_known: bool
) -> None:
    from ..checking.summary import closing_lines, file_lines, known_lines
    from ..console import show

    known = known_lines(checked, sources) if with_known else ()
    files = (line for result in untold for line in file_lines(result, sources))
    show([*known, *files, *closing_lines(checked, seconds)], sys.stdout)


def _print_report(
    checked: Checked, sources: Sources, opened: Opened | None, gone: Mapping[Entry, int], *, compact: bool
) -> None:
    from ..cells import spot
    from ..checking.report import report_json

    with_known = opened is not None and opened.shows_known
    version = metadata.version("nst-lsp")
    document = report_json(version, checked.results, lambda place: spot(place, sources), with_known=with_known)
    print_json(document | ({"baseline": _baseline(opened, checked, gone)} if opened else {}), compact=compact)


def _print_sarif(checked: Checked, sources: Sources, opened: Opened | None, *, compact: bool) -> None:
    from ..checking.formats import by_line
    from ..checking.formats.repository import source_root
    from ..checking.formats.sarif import Log, sarif

    log = Log(
        metadata.version("nst-lsp"),
        [by_line(result, sources) for result in checked.results],
        source_root(Path.cwd()),
        sources,
        against_baseline=opened is not None,
        with_known=opened is not None and opened.shows_known,
    )
    print_json(sarif(log), compact=compact)


def _print_github(checked: Checked, sources: Sources) -> None:
    from ..checking.formats import by_line
    from ..checking.formats.github import Links, step_summary, workflow_commands
    from ..checking.formats.repository import source_root
    from ..checking.summary import outcome

    root = source_root(Path.cwd())
    results = [by_line(result, sources) for result in checked.results]
    click.echo("".join(f"{line}\n" for line in workflow_commands(results, root)), nl=False)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        page = step_summary(results, outcome(checked), root, Links.of(os.environ))
        try:
            with open(summary, "a", encoding="utf-8", errors="backslashreplace") as stream:
                stream.write(page)
        except OSError as error:
            click.echo(f"nst: no summary was written: {error}", err=True)


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
