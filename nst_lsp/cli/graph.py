"""`nst graph`."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from .common import misuse, run, with_worker
from .options import mode_option, python_option, target_argument

if TYPE_CHECKING:
    from tracer.worker.wire import GraphInfo, Studied

    from ..compilers.asking import Asked
    from ..graphs import Shown, Target
    from ..project import Project, Wishes
    from ..workers import Workers

_NO_TEXT = "a page is no text for a terminal: write it with -o graph.html, or show it with --open"
_FORMATS = ["code", "table", "json", "dot", "mermaid", "model-explorer", "aten", "html"]


@click.command()
@target_argument
@click.option("--example", type=click.IntRange(min=0), default=0, metavar="N", help="Index of the example, from 0.")
@mode_option
@click.option("--format", "style", type=click.Choice(_FORMATS), default="code", show_default=True)
@click.option("--unfold", is_flag=True, help="Print every iteration of a loop, also where they are alike.")
@click.option("--joint", "study", flag_value="joint", help="AOTDispatcher's graph of forward and backward (PyTorch).")
@click.option("--forward", "study", flag_value="forward", help="… of the forward alone.")
@click.option("--backward", "study", flag_value="backward", help="… of the backward alone.")
@click.option("--dynamo", "study", flag_value="dynamo", help="Where Dynamo breaks and what it guards on, beside ours.")
@click.option("--export", "study", flag_value="export", help="What torch.export would report, beside ours.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write to FILE, not to stdout.")
@click.option("--open", "page", is_flag=True, help="Show the graph page, and follow the file until Ctrl-C.")
@click.option(
    "--diff",
    "against",
    metavar="REV|FILE::QUALNAME",
    help="Say why it is another than at a git revision, or another's.",
)
@click.option("--diff-example", "other", type=click.IntRange(min=0), metavar="N", help="… than with example N.")
@python_option
def graph(
    target: Target,
    example: int,
    mode: str | None,
    style: str,
    unfold: bool,
    study: str | None,
    output: str | None,
    page: bool,
    against: str | None,
    other: int | None,
    python: str | None,
) -> None:
    """Print the graph of a function's example, write it to a file, or show it in the browser.

    With --diff or --diff-example, print what changed, why, and the difference between the graphs' code; the exit code
    is then 0 where the graphs are the same, and 1 where they are not.

    With --joint, --forward, --backward, --dynamo or --export, ask PyTorch's own tracers about the example.
    """
    from ..graphs import NotFoundError
    from ..graphs import graph as traced_graph
    from ..project import Wishes

    comparing = against is not None or other is not None
    if study is not None and (unfold or comparing or style not in ("code", "json", "html")):
        misuse(f"--{study} goes with --open, and with --format code, json and html only")
    if study is not None and not page:
        _study(target, example, study, style, output, Wishes(mode, python))
    if unfold and style != "code":
        misuse(f"--unfold is about code: it does not go with --format {style}")
    if style == "html" and output is None and sys.stdout.isatty():
        misuse(_NO_TEXT)
    if page and (output or style != "code"):
        misuse("--open shows the page; it goes with neither --format nor --output")
    if comparing:
        if page or output or unfold or style not in ("code", "json"):
            misuse("--diff goes with --format code and --format json only")
        _diff(target, example, against, other, style, Wishes(mode, python))
    style, wishes = "unfolded" if unfold else style, Wishes(mode, python)
    formats = () if style in ("code", "html") else (style,)
    try:
        if page:
            _show_page(target, example, wishes, study)
        shown = with_worker(target, wishes, partial(traced_graph, target, example, formats))
    except NotFoundError as error:
        misuse(str(error))
    code = _tell(shown)
    text = _text(target, shown, style, output, wishes)
    if text is not None:
        _write(text, style, output)
    sys.exit(code)


def _diff(target: Target, example: int, against: str | None, other: int | None, style: str, wishes: Wishes) -> NoReturn:
    from ..graphs import parse_target
    from .diff import Side, diff

    number = example if other is None else other
    try:
        if against is not None and "::" in against:
            before = Side(parse_target(against), number)
        else:
            before = Side(target, number, against)
    except ValueError as error:
        misuse(str(error))
    sys.exit(diff(before, Side(target, example), style, wishes))


def _study(target: Target, example: int, study: str, style: str, output: str | None, wishes: Wishes) -> NoReturn:
    """Ask one of PyTorch's own tracers; the exit code is 1 where it makes no graph."""
    import json

    from tracer.worker.wire import Study

    from ..compilers.asking import ask
    from ..compilers.payload import payload
    from ..compilers.telling import told
    from ..console import show
    from ..frames import frame
    from ..graphs import NotFoundError
    from ..graphs import graph as traced_graph
    from ..sources import disk

    if style == "html" and output is None and sys.stdout.isatty():
        misuse(_NO_TEXT)
    shown: list[Shown] = []

    async def work(project: Project, workers: Workers) -> Asked:
        if style == "html":  # the page tells of the function by our trace of it
            shown.append(await traced_graph(target, example, (), project, workers))
        return await ask(target, example, Study(study), project, workers)

    try:
        asked = with_worker(target, wishes, work)
    except NotFoundError as error:
        misuse(str(error))
    answer = asked.studied
    for finding in answer.findings:
        show(frame(finding, disk()), sys.stderr)
    if answer.refused:
        misuse(f"--{study}: {answer.error}")
    if answer.error is not None:
        click.echo(f"nst: {answer.error}", err=True)
    elif style == "code":
        _write(told(asked), style, output)
    elif style == "html" and (text := _page_file(target, shown[0], wishes, answer)) is not None:
        _write(text, style, output)
    if style == "json":
        _write(json.dumps(payload(asked), indent=2, ensure_ascii=False), style, output)
    sys.exit(int(not answer.graphs))


def _tell(shown: Shown) -> int:
    """Tell what went wrong; the exit code."""
    from tracer.worker.wire import Status

    from ..console import show
    from ..frames import frame
    from ..sources import disk

    report = shown.report
    troubles = shown.findings if report is None else [] if report.status is Status.TRACED else report.findings
    for finding in troubles:
        show(frame(finding, disk()), sys.stderr)
    if shown.error:
        click.echo(f"nst: {shown.error}", err=True)
    return int(report is None or report.graph is None or report.status is not Status.TRACED)


def _text(target: Target, shown: Shown, style: str, output: str | None, wishes: Wishes) -> str | None:
    """The graph in the form that is asked for; None where there is none."""
    graph = shown.report.graph if shown.report is not None else None
    if graph is None:
        return None
    if style == "html":
        return _page_file(target, shown, wishes)
    if style == "code" and output is None and sys.stdout.isatty():
        return _to_be_read(graph)
    return graph.rendered.get(style, graph.code)


def _to_be_read(graph: GraphInfo) -> str:
    """The graph's code without the contents of large captured arrays, which would fill the screen."""
    from ..analysis.captured import readable

    text = readable(graph)
    if text != graph.code:
        click.echo("nst: captured arrays stand as `...`; with -o FILE, or in a pipe, they are whole", err=True)
    return text


def _page_file(target: Target, shown: Shown, wishes: Wishes, studied: Studied | None = None) -> str | None:
    from ..page.bundle import NotBuiltError
    from ..page.printed import printed
    from ..page.single import single
    from ..project import projects

    picture = printed(target, shown, projects(wishes)(target.path), studied)
    try:
        return single(picture) if picture is not None else None
    except NotBuiltError as error:
        misuse(str(error))


def _write(text: str, style: str, output: str | None) -> None:
    from ..console import show_code

    if output is not None:
        try:
            Path(output).write_text(f"{text.rstrip()}\n", encoding="utf-8")
        except OSError as error:
            misuse(f"{output} cannot be written: {error.strerror or error}")
    elif style in ("code", "unfolded"):
        show_code(text, sys.stdout)
    else:
        click.echo(text.rstrip("\n"))


def _show_page(target: Target, example: int, wishes: Wishes, study: str | None) -> NoReturn:
    """Serve the page until Ctrl-C, which is how one leaves it."""
    from tracer.worker.wire import Study

    from ..page import bundle
    from ..page.standalone import show

    if not bundle.is_built():
        misuse(bundle.MISSING)
    try:
        run(show(target, example, wishes, partial(_opened, target), Study(study) if study else None))
    except KeyboardInterrupt:
        sys.exit(0)
    raise AssertionError("the page ended by itself")


def _opened(target: Target, url: str) -> None:
    """Tell the address, and open it where there is a browser with a window."""
    import webbrowser

    from ..sources import shown_path

    click.echo(url)
    click.echo(f"nst: it follows {shown_path(target.path)}; Ctrl-C ends it", err=True)
    if sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        webbrowser.open(url)
