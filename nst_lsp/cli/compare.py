"""`nst compare`."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from .common import misuse, print_json, with_worker
from .options import mode_option, python_option, target_argument

if TYPE_CHECKING:
    from ..graphs import Target


@click.command()
@target_argument
@click.argument("arguments", metavar="ARGS")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@mode_option
@python_option
def compare(target: Target, arguments: str, style: str, mode: str | None, python: str | None) -> None:
    """Run a function and its graph on ARGS, Python text such as "np.ones(4), 2.0" or "*WITNESS".

    The file's own names may be used.  The exit code is 0 where both give the same, 1 where they differ.
    """
    from ..graphs import NotFoundError
    from ..graphs import compare as compared_call
    from ..project import Wishes

    try:
        compared = with_worker(target, Wishes(mode, python), partial(compared_call, target, arguments))
    except NotFoundError as error:
        misuse(str(error))
    if compared.error:
        misuse(compared.error)
    if style == "json":
        fields = ("equal", "function", "graph", "guards_failed", "partial", "raised")
        print_json({name: getattr(compared, name) for name in fields})
    else:
        from ..checking.summary import compare_lines
        from ..console import show

        show(list(compare_lines(compared)), sys.stdout)
    sys.exit(not compared.equal)
