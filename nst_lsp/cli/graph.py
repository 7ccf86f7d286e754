"""`nst graph`."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from .common import misuse, with_worker
from .options import mode_option, python_option, target_argument

if TYPE_CHECKING:
    from ..graphs import Shown, Target

_FORMATS = ["code", "table", "json", "dot", "mermaid", "model-explorer"]


@click.command()
@target_argument
@click.option("--example", type=click.IntRange(min=0), default=0, metavar="N", help="Index of the example, from 0.")
@mode_option
@click.option("--format", "style", type=click.Choice(_FORMATS), default="code", show_default=True)
@click.option("--unfold", is_flag=True, help="Print every iteration of a loop, also where they are alike.")
@python_option
def graph(target: Target, example: int, mode: str | None, style: str, unfold: bool, python: str | None) -> None:
    """Print the graph of a function's example."""
    from ..graphs import NotFoundError
    from ..graphs import graph as traced_graph
    from ..project import Wishes

    if unfold and style != "code":
        misuse(f"--unfold is about code: it does not go with --format {style}")
    style = "unfolded" if unfold else style
    formats = () if style == "code" else (style,)
    try:
        shown = with_worker(target, Wishes(mode, python), partial(traced_graph, target, example, formats))
    except NotFoundError as error:
        misuse(str(error))
    sys.exit(_print_graph(shown, style))


def _print_graph(shown: Shown, style: str) -> int:
    from tracer.worker.wire import Status

    from ..console import show, show_code
    from ..frames import frame
    from ..sources import disk

    report = shown.report
    troubles = shown.findings if report is None else [] if report.status is Status.TRACED else report.findings
    for finding in troubles:
        show(frame(finding, disk()), sys.stderr)
    if shown.error:
        click.echo(f"nst: {shown.error}", err=True)
    if report is None or report.graph is None:
        return 1
    if style in ("code", "unfolded"):
        show_code(report.graph.rendered.get(style, report.graph.code), sys.stdout)
    else:
        click.echo(report.graph.rendered[style].rstrip("\n"))
    return int(report.status is not Status.TRACED)
