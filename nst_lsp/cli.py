"""The command line, `nst`: parse, call, print, exit.

Exit codes: 0 clean, 1 findings (or graph and function differ), 2 misuse.  What a command needs is imported inside it,
so that `nst --version` loads neither the server nor rich.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from tracer.rules import RULES, Severity

T = TypeVar("T")

if TYPE_CHECKING:
    from .analysis.traced import Traced
    from .check import Checked
    from .doctor import Fact
    from .graphs import Shown, Target
    from .project import Project, Wishes
    from .sources import Sources
    from .workers import Workers

_MODES = click.Choice(["symbolic", "fake", "real"])
_GRAPH_FORMATS = ["code", "table", "json", "dot", "mermaid", "model-explorer"]


def main() -> None:
    """The script `nst`."""
    nst(prog_name="nst")


def server_main() -> None:
    """The script `nst-lsp`: `nst server`."""
    server(prog_name="nst-lsp")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="nst-lsp", prog_name="nst")
def nst() -> None:
    """Show what non-strict tracing makes of Python array code, and what it loses."""


# ---- options that several commands share -----------------------------------------------------------


def _rules(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Codes, beginnings of codes or names of rules; several separated by commas."""
    from .settings import known_rule

    rules = tuple(rule.strip() for value in values for rule in value.split(",") if rule.strip())
    for rule in rules:
        if not known_rule(rule):
            raise click.BadParameter(f"no rule is called {rule}; `nst rules` lists them")
    return rules


def _target(_: click.Context, __: click.Parameter, value: str) -> Target:
    from .graphs import parse_target

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


# ---- check -----------------------------------------------------------------------------------------


@nst.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(exists=True))
@click.option("--format", "style", type=click.Choice(["text", "json", "github", "sarif"]), default="text")
@mode_option
@click.option("--select", multiple=True, metavar="CODE,..", callback=_rules, help="Report these rules only.")
@click.option("--ignore", multiple=True, metavar="CODE,..", callback=_rules, help="Do not report these rules.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "information", "never"]),
    default="warning",
    show_default=True,
    help="The least severity that makes the exit code 1.",
)
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Files at once (default: one a processor).")
@python_option
@click.option("--no-verify", is_flag=True, help="Trace only: no replay, no re-traces, no witnesses.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
def check(
    paths: tuple[str, ...],
    style: str,
    mode: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str,
    jobs: int | None,
    python: str | None,
    no_verify: bool,
    watch: bool,
) -> None:
    """Trace every example in PATHs (default: here) and report what the graphs lost.

    A code such as NST101 may be cut short: NST1 means every rule that begins so.
    """
    from .project import Wishes

    wishes = Wishes(mode, python, not no_verify, select, ignore)
    code = _run(_check(paths or (".",), wishes, jobs or os.cpu_count() or 1, style, fail_on, watch))
    sys.exit(code)


async def _check(paths: Sequence[str], wishes: Wishes, jobs: int, style: str, fail_on: str, watching: bool) -> int:
    from .check import gather, trace_files
    from .console import progress
    from .discovery import python_files
    from .project import projects
    from .sources import disk
    from .workers import Workers

    project_of = projects(wishes)
    began = time.monotonic()

    async def trace(files: Sequence[str]) -> list[Traced]:
        nonlocal began
        began = time.monotonic()
        _tell_problems(map(project_of, files))
        with progress(len(files), "tracing", sys.stderr) as done:
            return await trace_files(files, project_of, workers, done)

    def show(tracings: Iterable[Traced]) -> Checked:
        sources = disk()
        checked = gather(tracings, project_of, sources)
        _print_checked(checked, style, sources, time.monotonic() - began)
        return checked

    def files() -> list[str]:
        return python_files(
            paths, lambda path: project_of(str(path)).excludes(path), lambda path: project_of(str(path)).annotates(path)
        )

    workers = Workers(_log, jobs)
    try:
        if watching:
            from .watch import watch

            await watch(files, trace, show)
        return _exit_code(show(await trace(files())), fail_on)
    finally:
        await workers.close()


def _print_checked(checked: Checked, style: str, sources: Sources, seconds: float) -> None:
    from .cells import spelled_out, spot

    version, results = metadata.version("nst-lsp"), [spelled_out(result, sources) for result in checked.results]
    if style == "json":
        from .report import report_json

        _print_json(report_json(version, checked.results, lambda place: spot(place, sources)))
    elif style == "sarif":
        from .formats import sarif

        _print_json(sarif(version, results, sources))
    elif style == "github":
        from .formats import github

        click.echo("".join(f"{line}\n" for line in github(results)), nl=False)
    else:
        from .console import show
        from .summary import check_lines

        show(list(check_lines(checked, sources, seconds)), sys.stdout)
    sys.stdout.flush()


def _exit_code(checked: Checked, fail_on: str) -> int:
    """1 where a finding weighs enough, or a file could not be checked at all."""
    from .report import RANK

    if any(result.error for result in checked.results):
        return 1
    return fail_on != "never" and any(RANK[finding.severity] >= RANK[Severity(fail_on)] for finding in checked.findings)


# ---- graph and compare -----------------------------------------------------------------------------


@nst.command()
@target_argument
@click.option("--example", type=click.IntRange(min=0), default=0, metavar="N", help="Index of the example, from 0.")
@mode_option
@click.option("--format", "style", type=click.Choice(_GRAPH_FORMATS), default="code", show_default=True)
@click.option("--unfold", is_flag=True, help="Print every iteration of a loop, also where they are alike.")
@python_option
def graph(target: Target, example: int, mode: str | None, style: str, unfold: bool, python: str | None) -> None:
    """Print the graph of a function's example."""
    from .graphs import NotFoundError, graph
    from .project import Wishes

    if unfold and style != "code":
        _misuse(f"--unfold is about code: it does not go with --format {style}")
    style = "unfolded" if unfold else style
    formats = () if style == "code" else (style,)
    try:
        shown = _with_worker(target, Wishes(mode, python), partial(graph, target, example, formats))
    except NotFoundError as error:
        _misuse(str(error))
    sys.exit(_print_graph(shown, style))


def _print_graph(shown: Shown, style: str) -> int:
    from tracer.worker.wire import Status

    from .console import show, show_code
    from .frames import frame
    from .sources import disk

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


@nst.command()
@target_argument
@click.argument("arguments", metavar="ARGS")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@mode_option
@python_option
def compare(target: Target, arguments: str, style: str, mode: str | None, python: str | None) -> None:
    """Run a function and its graph on ARGS, Python text such as "np.ones(4), 2.0" or "*WITNESS".

    The file's own names may be used.  The exit code is 0 where both give the same, 1 where they differ.
    """
    from .graphs import NotFoundError, compare
    from .project import Wishes

    try:
        compared = _with_worker(target, Wishes(mode, python), partial(compare, target, arguments))
    except NotFoundError as error:
        _misuse(str(error))
    if compared.error:
        _misuse(compared.error)
    if style == "json":
        fields = ("equal", "function", "graph", "guards_failed")
        _print_json({name: getattr(compared, name) for name in fields})
    else:
        from .console import show
        from .summary import compare_lines

        show(list(compare_lines(compared)), sys.stdout)
    sys.exit(not compared.equal)


def _with_worker(target: Target, wishes: Wishes, work: Callable[[Project, Workers], Awaitable[T]]) -> T:
    """Run `work` with the workers of the target's project."""
    from .project import projects

    project = projects(wishes)(target.path)
    _tell_problems([project])
    return _run(_use_workers(partial(work, project)))


async def _use_workers(work: Callable[[Workers], Awaitable[T]]) -> T:
    from .workers import Workers

    workers = Workers(_log)
    try:
        return await work(workers)
    finally:
        await workers.close()


# ---- rules, server, doctor -------------------------------------------------------------------------


@nst.command()
def rules() -> None:
    """List the rules."""
    width = max(len(rule.name) for rule in RULES.values())
    for rule in RULES.values():
        click.echo(f"{click.style(rule.code, bold=True)}  {rule.name:<{width}}  {rule.summary}")


@nst.command("rule")
@click.argument("code")
def show_rule(code: str) -> None:
    """Explain a rule, named by its code (NST101) or its name (branch-on-value)."""
    from .console import show_markdown
    from .rulepages import rule_page

    rule = next((rule for rule in RULES.values() if code.upper() == rule.code or code == rule.name), None)
    page = rule_page(rule.code) if rule else None
    if page is None:
        _misuse(f"no rule is called {code}; `nst rules` lists them")
    show_markdown(page, sys.stdout)


def _address(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, int] | None:
    if value is None:
        return None
    host, separator, port = value.rpartition(":")
    if not separator or not port.isdecimal() or int(port) > 65535:
        raise click.BadParameter(f"{value!r} is not HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)


@nst.command()
@click.option("--stdio", is_flag=True, help="Speak over stdin and stdout (the default).")
@click.option("--tcp", metavar="HOST:PORT", callback=_address, help="Wait for a client on a TCP port.")
@click.option("--ws", metavar="HOST:PORT", callback=_address, help="Wait for clients on a WebSocket.")
def server(stdio: bool, tcp: tuple[str, int] | None, ws: tuple[str, int] | None) -> None:
    """Run the language server."""
    if sum(map(bool, (stdio, tcp, ws))) > 1:
        raise click.UsageError("choose one of --stdio, --tcp and --ws")
    from .server import serve

    sys.exit(serve(tcp=tcp, ws=ws))


@nst.command()
@click.argument("path", default=".", type=click.Path(exists=True))
@python_option
def doctor(path: str, python: str | None) -> None:
    """Say what runs where for the project of PATH, and whether it can."""
    from .doctor import project_facts, server_facts, system_facts, worker_facts
    from .project import Wishes, projects

    project = projects(Wishes(python=python))(os.path.abspath(path))
    _print_facts([*server_facts(), *system_facts(), *project_facts(project)])
    _print_facts(_run(_use_workers(partial(worker_facts, project))))


def _print_facts(facts: Iterable[Fact]) -> None:
    for fact in facts:
        value = click.style(fact.value, fg="red") if fact.is_problem else fact.value
        click.echo(f"{fact.name:<16} {value}")


# ---- common ----------------------------------------------------------------------------------------


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end; an interpreter that cannot be used is a misuse."""
    import asyncio

    from .pool import WorkerError

    try:
        return asyncio.run(work)
    except WorkerError as error:
        _misuse(str(error))


def _misuse(message: str) -> NoReturn:
    click.echo(f"nst: {message}", err=True)
    sys.exit(2)


def _tell_problems(projects: Iterable[Project]) -> None:
    """Each problem with the settings once."""
    for problem in dict.fromkeys(problem for project in projects for problem in project.problems):
        click.echo(f"nst: {problem}", err=True)


def _log(message: str) -> None:
    """What the workers' machinery has to say; for those who ask."""
    if os.environ.get("NST_DEBUG"):
        click.echo(f"nst: {message}", err=True)


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
