"""The command line, `nst`: parse, call, print, exit.

Exit codes: 0 clean, 1 findings (or graph and function differ), 2 misuse.  Each command has a module of its own, which
is imported when the command is; what its work needs is imported inside it, so that `nst --version` loads next to
nothing.
"""

from __future__ import annotations

from importlib import import_module

import click

_HOMES = {
    "init": "init",
    "check": "check",
    "graph": "graph",
    "compare": "compare",
    "rules": "rules",
    "rule": "rules",
    "server": "serve",
    "doctor": "doctor",
}
"""The commands in the order of the help, each with the module that has it."""


def main() -> None:
    """The script `nst`."""
    nst(prog_name="nst")


def server_main() -> None:
    """The script `nst-lsp`: `nst server`."""
    from .serve import server

    server(prog_name="nst-lsp")


class _Commands(click.Group):
    """The commands, imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _HOMES:
            return None
        module = import_module(f".{_HOMES[cmd_name]}", __name__)
        return next(
            found for found in vars(module).values() if isinstance(found, click.Command) and found.name == cmd_name
        )


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="nst-lsp", prog_name="nst")
def nst() -> None:
    """Show what non-strict tracing makes of Python array code, and what it loses."""
