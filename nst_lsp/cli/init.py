"""`nst init`: settings and examples for a project that has none, each shown before it is written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import log, misuse, run, tell_problems
from .options import python_option

if TYPE_CHECKING:
    from ..adopting.proposing import FileProposals, Proposal, Source
    from ..analysis.outline import Definition
    from ..project import Project

_TRUST = """\
nst init runs functions of {root}
to see which examples trace: in processes of its own, whose writes, network and processes are stopped."""
_NO_TERMINAL = "nst init asks before it runs or writes anything; without a terminal, say --yes or --dry-run"


@click.command()
@click.argument("path", default=".", type=click.Path(exists=True))
@click.option("--yes", is_flag=True, help="Run and write without asking.")
@click.option("--dry-run", is_flag=True, help="Write nothing; print what would change as a diff.")
@click.option(
    "--per-function",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="Examples of one function at most; a second one has another graph.",
)
@python_option
def init(path: str, yes: bool, dry_run: bool, per_function: int, python: str | None) -> None:
    """Write [tool.nst], and examples for the functions below PATH that look traceable.

    Examples are made of calls in the code and its tests, of annotations, docstrings and defaults, and of calls that
    `pytest --nst-record` has recorded. Each is traced before it is proposed: functions of the project are run.
    """
    from ..project import Wishes, projects

    place = Path(os.path.realpath(path))
    project = projects(Wishes(python=python))(str(place))
    tell_problems([project])
    asks = not (yes or dry_run)
    if asks and not (sys.stdin.isatty() and sys.stdout.isatty()):
        misuse(_NO_TERMINAL)
    _write_settings(Path(project.root), asks=asks, dry_run=dry_run)
    _write_examples(place, project, per_function, asks=asks, dry_run=dry_run)


# ---- settings --------------------------------------------------------------------------------------


def _write_settings(root: Path, *, asks: bool, dry_run: bool) -> None:
    from ..adopting.pyproject import NotWrittenError, with_settings
    from ..adopting.writing import diff, write

    path = root / "pyproject.toml"
    try:
        before = path.read_bytes().decode("utf-8") if path.exists() else ""
        after = with_settings(before, root)
    except (NotWrittenError, OSError, UnicodeDecodeError) as error:
        click.echo(f"nst: {error}", err=True)
        return
    if before == after:
        click.echo("pyproject.toml has [tool.nst]: left as it is", err=dry_run)
        return
    lines = list(diff("pyproject.toml", before, after))
    if dry_run:
        _print_diff(lines)
        return
    if asks:
        _print_diff(lines)
        if not click.confirm("Write this?", default=True):
            return
    write(path, after)
    click.echo(f"pyproject.toml: {'[tool.nst] added' if before else 'made'}")


# ---- examples --------------------------------------------------------------------------------------


def _write_examples(place: Path, project: Project, most: int, *, asks: bool, dry_run: bool) -> None:
    from ..adopting.proposing import gathered

    sources = gathered(place, project)
    if not sources:
        click.echo("no function without an example looks traceable; `pytest --nst-record` may show some", err=dry_run)
        return
    click.echo(_TRUST.format(root=project.root), err=dry_run)
    if asks and not click.confirm("Run them?", default=False):
        return
    files = run(_propose(sources, project, most))
    chosen = _Choice(asks)
    written = 0
    for file in files:
        if not dry_run:
            _print_file(file, Path(project.root))
        wanted = [one for one in file.proposals if chosen.wants(one)]
        if wanted:
            written += len(wanted)
            _write(file, wanted, Path(project.root), dry_run=dry_run)
    if not dry_run:
        functions = len({(file.path, one.definition) for file in files for one in file.proposals})
        click.echo(f"\n{_many(written, 'example')} written, of {_many(functions, 'function')} that trace")
        if written:
            click.echo("next: nst check")


async def _propose(sources: list[Source], project: Project, most: int) -> list[FileProposals]:
    from ..adopting.proposing import proposals
    from ..workers import Workers

    workers = Workers(log, os.cpu_count() or 1)
    try:
        if not sys.stderr.isatty():
            return await proposals(sources, project, workers, most, lambda: None)
        with click.progressbar(length=len(sources), label="trying", file=sys.stderr) as bar:
            return await proposals(sources, project, workers, most, lambda: bar.update(1))
    finally:
        await workers.close()


def _write(file: FileProposals, wanted: Sequence[Proposal], root: Path, *, dry_run: bool) -> None:
    from ..adopting.writing import diff, shown, with_examples, write

    examples: dict[Definition, list[str]] = {}
    for one in wanted:
        examples.setdefault(one.definition, []).append(one.arguments)
    after = with_examples(file.text, examples)
    if dry_run:
        _print_diff(diff(shown(file.path, root), file.text, after))
    else:
        write(Path(file.path), after, file.encoding)


class _Choice:
    """What the user wants of the proposals: each is asked about until the answer is for all that follow."""

    def __init__(self, asks: bool) -> None:
        self._asks = asks
        self._rest = True

    def wants(self, one: Proposal) -> bool:
        if not self._asks:
            return self._rest
        question = f"  {one.definition.name}({one.arguments}): write it? [y]es, [n]o, [a]ll that follow, [q]uit"
        answer = click.prompt(question, type=click.Choice(["y", "n", "a", "q"]), default="y", show_choices=False)
        self._asks, self._rest = answer in ("y", "n"), answer == "a"
        return answer in ("y", "a")


# ---- what is shown ---------------------------------------------------------------------------------


def _print_file(file: FileProposals, root: Path) -> None:
    from ..adopting.writing import shown

    click.echo(f"\n{click.style(shown(file.path, root), bold=True)}")
    if file.error:
        click.echo(f"  not tried: {file.error}")
    for line in _rows(file):
        click.echo(line)


def _rows(file: FileProposals) -> Iterator[str]:
    for one in file.proposals:
        yield f"  {click.style(one.definition.name, bold=True)}({one.arguments})"
        yield f"      {one.result}    {click.style(f'# {one.source}', dim=True)}"
    for name, why in file.without:
        yield f"  {click.style(f'{name}: nothing that traces ({why})', dim=True)}"


def _print_diff(lines: Sequence[str] | Iterator[str]) -> None:
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in lines:
        click.echo(click.style(line, fg=colours.get(line[:1])))


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
