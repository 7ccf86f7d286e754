"""What `nst check` does with a baseline: which file it is, and what is told of it.

A run has one baseline: the file that is named, by `--baseline` or by the setting, else `.nst-baseline.json` in the root
of the current folder's project, where it is there.  The setting is that project's, too.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .common import misuse

if TYPE_CHECKING:
    from ..checking.baseline.file import Baseline, Entry
    from ..checking.baseline.matching import Run
    from ..checking.report import FileResult
    from ..project import ProjectOf, Wishes

_SHOWN = 10
"""Entries that are told one by one."""


class Use(Enum):
    READ = "read"
    WRITE = "write"
    PRUNE = "prune"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line says about the baseline."""

    use: Use = Use.READ
    file: str | None = None
    shows_known: bool = False

    @property
    def writes(self) -> bool:
        return self.use in (Use.WRITE, Use.PRUNE)


_OPTIONS = (
    click.option("--baseline", metavar="FILE", help="Findings in FILE are known: they are not reported."),
    click.option("--write-baseline", is_flag=True, help="Make all findings of this run known."),
    click.option("--prune-baseline", is_flag=True, help="Take out of the baseline what does not occur any more."),
    click.option("--no-baseline", is_flag=True, help="Report the known findings like all others."),
    click.option("--show-known", is_flag=True, help="Tell the known findings, too, as such (text, json, sarif)."),
)


def baseline_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def baseline_wanted(file: str | None, *, write: bool, prune: bool, none: bool, show_known: bool) -> Wanted:
    if sum((write, prune, none)) > 1 or (none and file):
        misuse("choose one of --write-baseline, --prune-baseline and --no-baseline; the last goes with no file")
    return Wanted(Use.WRITE if write else Use.PRUNE if prune else Use.NONE if none else Use.READ, file, show_known)


# ---- the file --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened:
    """The baseline of a run, as it stands in its file."""

    file: Path
    baseline: Baseline
    run: Run
    shows_known: bool

    def apart(self, results: list[FileResult]) -> list[FileResult]:
        from ..checking.baseline.matching import split

        return split(results, self.baseline, self.run)

    def gone(self, results: Sequence[FileResult]) -> Mapping[Entry, int]:
        from ..checking.baseline.matching import gone

        return gone(self.baseline, results, self.run)


def open_baseline(wanted: Wanted, paths: Sequence[str], wishes: Wishes, project_of: ProjectOf) -> Opened | None:
    """None where there is none to use; one that is asked for and cannot be read is a misuse."""
    from ..checking.baseline.file import BaselineError

    try:
        return _opened(wanted, paths, wishes, project_of)
    except BaselineError as error:
        misuse(str(error))


def reopened(
    before: Opened | None, wanted: Wanted, paths: Sequence[str], wishes: Wishes, project_of: ProjectOf
) -> Opened | None:
    """The baseline as it is now; as it was, where somebody is just writing it."""
    from ..checking.baseline.file import BaselineError

    try:
        return _opened(wanted, paths, wishes, project_of)
    except BaselineError as error:
        click.echo(f"nst: {error}", err=True)
        return before


def baseline_file(wanted: Wanted, paths: Sequence[str], project_of: ProjectOf) -> Path | None:
    """The file, whether it is there or not; None where none is to be used."""
    return None if wanted.use is Use.NONE else _file(wanted, paths, project_of)[0]


def _file(wanted: Wanted, paths: Sequence[str], project_of: ProjectOf) -> tuple[Path, bool]:
    """The file, and whether somebody named it: then it must be there."""
    from ..checking.baseline.file import DEFAULT_NAME

    project = project_of(_home([os.path.realpath(path) for path in paths]))
    configured = project.settings.baseline
    named = wanted.file or (configured and os.path.join(project.root, configured))
    file = Path(named or os.path.join(project.root, DEFAULT_NAME))
    return Path(os.path.realpath(file.parent), file.name), bool(named)


def _opened(wanted: Wanted, paths: Sequence[str], wishes: Wishes, project_of: ProjectOf) -> Opened | None:
    """Raises `BaselineError`."""
    from ..checking.baseline.file import Baseline, read
    from ..checking.baseline.matching import Run

    if wanted.use is Use.NONE:
        return None
    file, named = _file(wanted, paths, project_of)
    whole = wishes.verify and not (wishes.select or wishes.ignore or wishes.mode)
    run = Run(file.parent, tuple(os.path.realpath(path) for path in paths), whole)
    if not file.exists() and wanted.use is Use.WRITE:
        return Opened(file, Baseline(), run, wanted.shows_known)
    if not file.exists() and wanted.use is Use.READ and not named:
        return None
    return Opened(file, read(file), run, wanted.shows_known)


def _home(looked: Sequence[str]) -> str:
    """The current folder, or the folder around the paths, where these lie elsewhere."""
    here = os.path.realpath(os.getcwd())
    if all(Path(path).is_relative_to(here) for path in looked):
        return here
    try:
        return os.path.commonpath(looked)
    except ValueError:  # on several drives
        return here


def written(opened: Opened, results: Sequence[FileResult], use: Use) -> Opened:
    """Write the baseline anew, and tell what changed."""
    from ..checking.baseline.file import BaselineError, write
    from ..checking.baseline.matching import pruned, renewed
    from ..sources import shown_path

    before, make = opened.baseline, renewed if use is Use.WRITE else pruned
    after = make(before, results, opened.run)
    try:
        write(opened.file, after)
    except BaselineError as error:
        misuse(str(error))
    added = (Counter(after.known) - Counter(before.known)).total()
    removed = (Counter(before.known) - Counter(after.known)).total()
    known = "1 finding is known" if after.total == 1 else f"{after.total} findings are known"
    click.echo(f"nst: {shown_path(str(opened.file))}: {known} ({added} added, {removed} taken out)", err=True)
    return replace(opened, baseline=after)


def tell_of(opened: Opened, results: Sequence[FileResult], entries: Mapping[Entry, int]) -> None:
    """What became worse since it was known, and the entries that no longer occur.

    The latter fail nothing, as whoever mends a finding has done no wrong.
    """
    from ..checking.baseline.matching import worse

    found = worse(opened.baseline, results, opened.run)
    if found:
        what = "1 known finding" if len(found) == 1 else f"{len(found)} known findings"
        lines = [_line(entry, f"{entry.severity.value} → {finding.severity.value}") for finding, entry in found]
        _tell(opened, f"{what} became worse", lines)
    if entries:
        total = sum(entries.values())
        what, them = ("1 known finding does", "it") if total == 1 else (f"{total} known findings do", "them")
        lines = [_line(entry, f"{count} times" if count > 1 else "") for entry, count in sorted(entries.items())]
        _tell(opened, f"{what} not occur any more; `nst check --prune-baseline` takes {them} out", lines)


def _line(entry: Entry, more: str) -> str:
    function = f" in {entry.function}" if entry.function else ""
    return f"{entry.path}: {entry.code}{function}: {entry.text}{f' ({more})' if more else ''}"


def _tell(opened: Opened, what: str, lines: Sequence[str]) -> None:
    from ..sources import shown_path

    left = len(lines) - _SHOWN
    more = [f"and {left} more"] if left > 0 else []
    text = "\n  ".join([f"nst: {shown_path(str(opened.file))}: {what}", *lines[:_SHOWN], *more])
    click.echo(text, err=True)
