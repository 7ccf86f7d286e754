"""GitHub's annotations and the summary of a step."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from nst_lsp.checking.formats.github import Links, step_summary, workflow_commands
from nst_lsp.checking.formats.repository import source_root
from nst_lsp.checking.report import FileResult
from tests.cli.command import nst
from tests.cli.samples import WITNESS, finding
from tests.cli.test_check import BRANCH, folder, write
from tracer.rules import Severity
from tracer.worker.wire import Span

__all__ = ["folder"]

ROOT = Path("/project")
NOWHERE = Links("")


def test_annotations():
    path = "/project/my,dir/ops.py"
    results = [
        FileResult(
            path,
            (),
            (
                finding(path=path, message="50% off\r\nor not"),
                finding("NST301", Span(6, 9, 7, 22), path=path, severity=Severity.HINT, message="::set-output::x"),
            ),
        ),
        FileResult("/project/z.py", error="the worker died: killed"),
        FileResult("/lib/z.py", (), (finding("unused-ignore", path="/lib/z.py", severity=Severity.ERROR),)),
    ]
    assert "\n".join(workflow_commands(results, ROOT)) == snapshot("""\
::warning file=my%2Cdir/ops.py,line=5,endLine=5,col=8,endColumn=22,title=NST102 branch-on-shape::50%25 off%0D%0Aor not
::notice file=my%2Cdir/ops.py,line=6,endLine=7,title=NST301 output-while-tracing::::set-output::x
::error file=z.py,title=nst::the worker died: killed
::error file=/lib/z.py,line=5,endLine=5,col=8,endColumn=22,title=unused-ignore::decided by a size: True for the example\
""")


COMMAND = re.compile(r"::(\w+) ([^:]*?)::(.*)")


@pytest.mark.parametrize("text", ["a::b", "a,b=c", "100%25", "%3A", "\n::error::x", "\r", "größe 🎉"])
def test_what_the_runner_reads_is_what_was_told(text):
    """The runner's own way: a command is a line; properties are split at commas, then unescaped."""
    path = f"/project/{text.replace('/', '')}"
    [line] = workflow_commands([FileResult(path, (), (finding(path=path, message=text),))], ROOT)
    assert len(line.splitlines()) == 1
    match = COMMAND.fullmatch(line)
    assert match
    properties = dict(part.split("=", 1) for part in match[2].split(","))

    def data(value: str) -> str:
        return value.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")

    def entry(value: str) -> str:
        return data(value.replace("%3A", ":").replace("%2C", ","))

    assert data(match[3]) == text
    assert entry(properties["file"]) == path.removeprefix("/project/")


# ---- the repository --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_the_root_is_the_repository_around_the_folder(tmp_path: Path, kind: str):
    (tmp_path / "repo" / "pkg").mkdir(parents=True)
    git = tmp_path / "repo" / ".git"
    if kind == "folder":
        git.mkdir()
    else:
        git.write_text("gitdir: ../.git/worktrees/a\n")
    (tmp_path / "link").symlink_to(tmp_path / "repo" / "pkg")
    for place in ("repo", "repo/pkg", "link"):
        assert source_root(tmp_path / place, {"GITHUB_WORKSPACE": str(tmp_path)}) == tmp_path / "repo"


def test_without_a_repository_the_root_is_the_checkout_or_the_folder(tmp_path: Path):
    (tmp_path / "checkout" / "pkg").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    environment = {"GITHUB_WORKSPACE": str(tmp_path / "checkout")}
    assert source_root(tmp_path / "checkout" / "pkg", environment) == tmp_path / "checkout"
    assert source_root(tmp_path / "other", environment) == tmp_path / "other"
    assert source_root(tmp_path / "checkout" / "pkg", {}) == tmp_path / "checkout" / "pkg"


# ---- the summary -----------------------------------------------------------------------------------


def test_a_summary_is_a_table_the_weightiest_first():
    path = "/project/my code/ops.py"
    results = [
        FileResult(
            path,
            (),
            (
                finding("NST301", path=path, severity=Severity.HINT, message="`a|b` is <b>*not*</b> in the_graph"),
                finding(path=path, witness=WITNESS),
            ),
        ),
        FileResult("/project/z.py", error="no | such"),
    ]
    links = Links.of({"GITHUB_SERVER_URL": "https://host", "GITHUB_REPOSITORY": "a/b", "GITHUB_SHA": "c0ffee"})
    *rows, last = step_summary(results, "2 findings", ROOT, links).splitlines()
    assert (rows[:5], last) == (["### nst check", "", "2 findings", "", "| severity | place | finding |"], "")
    place = "[`my code/ops.py:5`](https://host/a/b/blob/c0ffee/my%20code/ops.py#L5) in `scale`"
    warning = (
        "decided by a size: True for the example<br>For x=np.array(\\[1., 2.\\]) the function gives "
        "array(\\[0., 1.\\]), the graph array(\\[0.5, 0.7\\])."
    )
    hint = r"`a\|b` is \<b\>\*not\*\</b\> in the\_graph"
    assert rows[6:] == [
        r"| error | [`z.py`](https://host/a/b/blob/c0ffee/z.py) | could not be checked: no \| such |",
        f"| warning | {place} | **NST102 branch-on-shape**: {warning} |",
        f"| hint | {place} | **NST301 output-while-tracing**: {hint} |",
    ]


def test_a_summary_without_findings_or_links():
    assert step_summary([], "no findings", ROOT, NOWHERE) == "### nst check\n\nno findings\n\n"
    page = step_summary([FileResult("/lib/a.py", (), (finding(path="/lib/a.py"),))], "1", ROOT, NOWHERE)
    assert "| warning | `/lib/a.py:5` in `scale` |" in page


def test_a_summary_has_an_end():
    many = [finding(message="x" * 100_000)] * 1000
    page = step_summary([FileResult("/project/ops.py", (), tuple(many))], "1000 findings", ROOT, NOWHERE)
    assert len(page) < 1_000_000
    assert "… and 800 more, in the log of the step." in page


def test_a_step_in_a_part_of_the_repository(folder: Path):
    (folder / ".git").mkdir()
    write(folder, "pkg/ops.py", BRANCH)
    summary = folder / "summary.md"
    summary.write_text("before\n")
    done = nst("check", "--format", "github", cwd=folder / "pkg", GITHUB_STEP_SUMMARY=str(summary))
    assert done.stdout.startswith("::warning file=pkg/ops.py,line=6,endLine=6,col=8,endColumn=20,title=NST101 ")
    assert summary.read_text().startswith("before\n### nst check\n\n1 finding (1 warning) in 1 of 1 function\n")
    broken = nst("check", "--format", "github", cwd=folder, GITHUB_STEP_SUMMARY=str(folder))
    assert (broken.returncode, broken.stdout) == (1, done.stdout)
    assert broken.stderr.startswith("nst: no summary was written: ")
