"""Options and arguments that several commands share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..graphs import Target

_MODES = click.Choice(["symbolic", "fake", "real"])


def rules_given(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Codes, beginnings of codes or names of rules; several separated by commas."""
    from ..settings import known_rule

    rules = tuple(rule.strip() for value in values for rule in value.split(",") if rule.strip())
    for rule in rules:
        if not known_rule(rule):
            raise click.BadParameter(f"no rule is called {rule}; `nst rules` lists them")
    return rules


def _target(_: click.Context, __: click.Parameter, value: str) -> Target:
    from ..graphs import parse_target

    try:
        return parse_target(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _from_here(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    """A path as the shell means it; a bare name is looked up on PATH later."""
    return os.path.abspath(path) if path and os.sep in path else path


python_option = click.option(
    "--python",
    metavar="PATH",
    callback=_from_here,
    help="Interpreter that runs the code (default: the project's).",
)
mode_option = click.option("--mode", type=_MODES, help="How sizes and contents are known (default: symbolic).")
target_argument = click.argument("target", metavar="FILE::QUALNAME", callback=_target)
