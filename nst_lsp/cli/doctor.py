"""`nst doctor`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import click

from .common import run, use_workers
from .options import python_option

if TYPE_CHECKING:
    from ..doctor import Fact


@click.command()
@click.argument("path", default=".", type=click.Path(exists=True))
@python_option
def doctor(path: str, python: str | None) -> None:
    """Say what runs where for the project of PATH, and whether it can."""
    from ..doctor import project_facts, server_facts, system_facts, worker_facts
    from ..project import Wishes, projects

    project = projects(Wishes(python=python))(os.path.abspath(path))
    _print_facts([*server_facts(), *system_facts(), *project_facts(project)])
    _print_facts(run(use_workers(partial(worker_facts, project))))


def _print_facts(facts: Iterable[Fact]) -> None:
    for fact in facts:
        value = click.style(fact.value, fg="red") if fact.is_problem else fact.value
        click.echo(f"{fact.name:<16} {value}")
