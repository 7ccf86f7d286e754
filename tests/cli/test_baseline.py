"""The baseline: its file, what it knows of a run, and `nst check` with it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from nst_lsp.checking.baseline.file import DEFAULT_NAME, Baseline, BaselineError, Entry, parse, read, spelled, write
from nst_lsp.checking.baseline.matching import Run, gone, pruned, renewed, shortened, split, worse
from nst_lsp.checking.report import FileResult
from tests.cli.command import check_json, nst
from tests.cli.samples import finding, scale_report
from tests.cli.test_check import BRANCH, PURE, folder
from tests.cli.test_check import write as write_source
from tracer.rules import Severity
from tracer.worker.wire import Finding, Span, Status

__all__ = ["folder"]

HOME = Path("/project")
WHOLE = Run(HOME, ("/project",), whole=True)
CONDITION = Entry("ops.py", "scale", "NST102", "x.shape[0] > 2", Severity.WARNING)


def at(line: int, **fields) -> Finding:
    return finding(at=Span(line, 8, line, 22), **fields)


def result(*findings: Finding, path: str = "/project/ops.py", **fields) -> FileResult:
    return FileResult(path, (), findings, **fields)


# ---- the file --------------------------------------------------------------------------------------


def test_the_file_has_a_finding_a_line():
    other = replace(CONDITION, function="Layer", text="größe * '\"'")
    assert spelled(Baseline(("src",), {CONDITION: 1, other: 2})) == snapshot("""\
{"schema": 1, "paths": ["src"], "findings": [
{"path": "ops.py", "function": "Layer", "code": "NST102", "text": "größe * '\\"'", "severity": "warning", "count": 2},
{"path": "ops.py", "function": "scale", "code": "NST102", "text": "x.shape[0] > 2", "severity": "warning"},
null]}
""")


entries = st.builds(Entry, st.text(), st.text(), st.text(), st.text(), st.sampled_from(Severity))


@settings(deadline=None)
@given(st.lists(st.text(), max_size=3), st.dictionaries(entries, st.integers(1, 9), max_size=5))
def test_what_is_written_is_read(paths, known):
    baseline = Baseline(tuple(paths), known)
    text = spelled(baseline)
    assert parse(text) == baseline
    assert len(text.split("\n")) == len(known) + 3
    assert text == spelled(Baseline(tuple(paths), dict(reversed(known.items()))))


def test_a_name_that_is_no_text_survives(tmp_path):
    """A file name in another encoding has lone surrogates."""
    baseline = Baseline((".",), {replace(CONDITION, path=os.fsdecode(b"caf\xe9.py")): 1})
    write(tmp_path / "deep" / "b.json", baseline)
    assert read(tmp_path / "deep" / "b.json") == baseline
    assert os.listdir(tmp_path / "deep") == ["b.json"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{,}", ":1:2: not JSON: "),
        ("", ":1:1: not JSON: "),
        ("[" * 100_000, "nested too deeply"),
        ("[]", 'no object with a "schema"'),
        ('{"schema": 2, "findings": []}', "its schema is 2, and this nst knows 1"),
        ('{"schema": 1}', '"findings" is not a list'),
        ('{"schema": 1, "paths": "a", "findings": []}', '"paths" is not a list of texts'),
        ('{"schema": 1, "findings": [\n3,\nnull]}', ":2: a finding is not an object"),
        ('{"schema": 1, "findings": [\n{"path": "a.py"},\nnull]}', ':2: "function" is not a text'),
        (spelled(Baseline((), {CONDITION: 1})).replace("warning", "fatal"), ':2: "severity" is not one of error, '),
        (spelled(Baseline((), {CONDITION: 2})).replace("2},", "0},"), ':2: "count" is not a number above 0'),
        ("{\n<<<<<<< HEAD\n=======\n>>>>>>> other\n}", ":2: a merge conflict: keep the findings of both sides"),
    ],
)
def test_what_is_no_baseline_is_told_with_its_place(tmp_path, text, said):
    path = tmp_path / "b.json"
    path.write_text(text)
    with pytest.raises(BaselineError) as told:
        read(path)
    assert str(told.value).startswith(str(path))
    assert said in str(told.value)


def test_git_merges_two_branches(tmp_path):
    """Both add a finding at the end, one mends another, both find one once more: no conflict, and a baseline again."""

    def git(*arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=tmp_path, check=True)

    def commit(known: dict[Entry, int]) -> None:
        write(path, Baseline((".",), known))
        git("add", ".")
        git("commit", "-qm", "-")

    path = tmp_path / DEFAULT_NAME
    counted, mended, *others = (replace(CONDITION, function=name) for name in ("a", "f", "c", "d", "e", "h", "i"))
    mine, theirs = (replace(CONDITION, function=name) for name in ("zz_mine", "zz_theirs"))
    known = dict.fromkeys([counted, mended, *others], 1)
    git("init", "-q", "-b", "main")
    (tmp_path / ".gitattributes").write_text(f"{DEFAULT_NAME} merge=union\n")
    commit(known)
    git("checkout", "-qb", "other")
    commit(known | {counted: 2, theirs: 1})
    git("checkout", "-q", "main")
    commit({entry: 1 for entry in known if entry != mended} | {counted: 3, mine: 1})
    git("merge", "-q", "other", "-m", "-")
    assert read(path).known == dict.fromkeys(others, 1) | {counted: 3, mine: 1, theirs: 1}


# ---- known and new ---------------------------------------------------------------------------------


def test_a_finding_is_known_wherever_its_line_is():
    baseline = renewed(Baseline(), [result(at(5))], WHOLE)
    assert baseline == Baseline((".",), {CONDITION: 1})
    moved, other = at(17), at(18, text="x.shape[0] > 3")
    [apart] = split([result(moved, other)], baseline, WHOLE)
    assert (apart.known, apart.findings) == ((moved,), (other,))


@pytest.mark.parametrize(
    "other",
    [
        at(5, function="shift"),
        at(5, code="NST101"),
        at(5, text="x.shape[1] > 2"),
        at(5, path="/project/pkg/ops.py"),
        at(5, severity=Severity.ERROR),
    ],
)
def test_what_is_another_or_became_worse_is_new(other):
    [apart] = split([result(other, path=other.place.path)], Baseline((".",), {CONDITION: 1}), WHOLE)
    assert (apart.known, apart.findings) == ((), (other,))


def test_what_became_worse_is_told():
    now = at(5)
    was = replace(CONDITION, severity=Severity.INFORMATION)
    assert worse(Baseline((".",), {was: 1}), [result(now)], WHOLE) == [(now, was)]
    assert worse(Baseline((".",), {CONDITION: 1}), [result(now)], WHOLE) == []
    assert worse(Baseline((".",), {was: 1}), [result(at(4), now)], WHOLE) == [(at(4), was)], "the other is one more"


def test_what_became_less_severe_is_known_still():
    milder = at(5, severity=Severity.INFORMATION)
    baseline = Baseline((".",), {CONDITION: 1})
    [apart] = split([result(milder)], baseline, WHOLE)
    assert apart.known == (milder,)
    assert not gone(baseline, [apart], WHOLE)


def test_as_many_are_known_as_were_written_down():
    known = renewed(Baseline(), [result(at(5), at(6))], WHOLE)
    assert known.known == {CONDITION: 2}
    [apart] = split([result(at(5), at(6), at(7))], known, WHOLE)
    assert [one.place.span.line for one in apart.known] == [5, 6]
    assert [one.place.span.line for one in apart.findings] == [7]
    assert gone(known, [result(at(7))], WHOLE) == {CONDITION: 1}


def test_of_several_that_are_alike_the_severities_are_matched():
    weak, strong = at(5, severity=Severity.INFORMATION), at(6)
    baseline = renewed(Baseline(), [result(weak, strong)], WHOLE)
    assert split([result(strong, weak)], baseline, WHOLE)[0].findings == ()
    [apart] = split([result(at(5), at(6))], baseline, WHOLE)
    assert len(apart.findings) == 1
    assert not gone(baseline, [apart], WHOLE), "the entry is of the finding that became worse"


def test_an_expression_that_was_laid_out_anew_is_the_same():
    assert shortened("f(a,\n    b)") == "f(a, b)"
    assert shortened("f(\n    a,\n    b[\n        0\n    ],\n)") == "f(a, b[0])"
    assert shortened("(\n    x\n    .mean()\n    > .5\n)") == "(x.mean() > .5)"
    long = "+".join("abcdef" * 30)
    assert len(shortened(long)) < 140
    assert shortened(long) != shortened(long + "+1")


def test_a_path_has_forward_slashes_and_may_lead_out_of_the_folder():
    outside = at(5, path="/other/lib.py")
    assert {entry.path for entry in renewed(Baseline(), [result(outside)], WHOLE).known} == {"../other/lib.py"}


UNIMPORTED = [
    at(1, code="NST503", severity=Severity.ERROR, function=""),
    at(1, code="NST504", severity=Severity.ERROR, function=""),
]


@pytest.mark.parametrize("unchecked", UNIMPORTED, ids=lambda one: one.code)
def test_a_file_that_could_not_be_imported_is_never_known(unchecked):
    assert renewed(Baseline(), [result(unchecked)], WHOLE).known == {}
    entry = Entry("ops.py", "", unchecked.code, unchecked.text, Severity.ERROR)
    [apart] = split([result(unchecked)], Baseline((".",), {entry: 1}), WHOLE)
    assert apart.findings == (unchecked,)


# ---- what is gone ----------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path) -> Run:
    """A run over a folder that has the file of the entry."""
    (tmp_path / "ops.py").touch()
    return Run(tmp_path, (str(tmp_path),), whole=True)


BASELINE = Baseline((".",), {CONDITION: 1})


def test_a_run_over_everything_tells_what_is_gone(here):
    assert gone(BASELINE, [], here) == {CONDITION: 1}
    assert renewed(BASELINE, [], here) == pruned(BASELINE, [], here) == Baseline((".",), {})


def test_pruning_adds_nothing(here):
    new = result(at(5, text="new", path=str(here.folder / "ops.py")), path=str(here.folder / "ops.py"))
    assert pruned(BASELINE, [new], here).known == {}
    assert [entry.text for entry in renewed(BASELINE, [new], here).known] == ["new"]


@pytest.mark.parametrize("why", ["part", "narrowed", "error", "import"])
def test_a_run_that_did_not_see_everything_judges_nothing(here, why):
    run = {
        "part": replace(here, paths=(str(here.folder / "ops.py"),)),
        "narrowed": replace(here, whole=False),
    }.get(why, here)
    results = {
        "error": [result(error="the worker died")],
        "import": [result(UNIMPORTED[0])],
    }.get(why, [])
    assert not gone(BASELINE, results, run)
    assert renewed(BASELINE, results, run).known == pruned(BASELINE, results, run).known == BASELINE.known


def test_a_run_over_what_was_written_is_over_everything(here):
    baseline = replace(BASELINE, paths=("ops.py",))
    part = replace(here, paths=(str(here.folder / "ops.py"),))
    assert gone(baseline, [], part) == {CONDITION: 1}
    assert renewed(baseline, [], replace(here, paths=(str(here.folder / "pkg"),))).paths == ("ops.py",)


def test_a_file_that_is_no_more_has_no_findings(here):
    (here.folder / "ops.py").unlink()
    assert gone(BASELINE, [], replace(here, whole=False)) == {CONDITION: 1}


@pytest.mark.parametrize("unfinished", [{"status": Status.PARTIAL}, {"cut_short": True}], ids=str)
def test_of_a_function_that_did_not_come_to_its_end_nothing_is_gone(here, unfinished):
    report = scale_report()
    [example] = report.examples
    report = replace(report, examples=(replace(example, **unfinished),))
    assert not gone(BASELINE, [FileResult(str(here.folder / "ops.py"), (report,))], here)


# ---- the command -----------------------------------------------------------------------------------


def test_known_findings_are_not_reported_and_new_ones_are(folder: Path):
    write_source(folder, "pkg/ops.py", BRANCH)
    done = nst("check", "--write-baseline", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "nst: .nst-baseline.json: 1 finding is known (1 added, 0 taken out)\n")
    before = (folder / DEFAULT_NAME).read_bytes()

    moved = BRANCH.replace("def f(x):\n", "def f(x):\n    y = x + 1\n").replace("import", "# moved\n\nimport")
    write_source(folder, "pkg/ops.py", moved)
    done = nst("check", cwd=folder / "pkg")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("no findings in 1 function, 1 known, ")
    assert nst("check", "--no-baseline", cwd=folder).returncode == 1
    done = nst("check", "--show-known", "pkg", cwd=folder)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "known: pkg/ops.py:9:8 NST101 branch-on-value  in f")
    [known] = check_json("--show-known", cwd=folder)["files"][0]["known"]
    assert (known["code"], known["text"]) == ("NST101", "x.mean() > 0")

    write_source(folder, "pkg/ops.py", moved.replace("    return x * 2", "    print(x.min() > 0 or x.max() > 0)\n"))
    done = nst("check", "--fail-on", "information", "--format", "json", cwd=folder)
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert "NST101" in {finding["code"] for finding in document["files"][0]["findings"]}
    assert document["baseline"] == {"path": str(folder / DEFAULT_NAME), "known": 1, "gone": []}
    assert (folder / DEFAULT_NAME).read_bytes() == before


def test_what_is_gone_is_told_and_taken_out(folder: Path):
    write_source(folder, "ops.py", BRANCH)
    write_source(folder, "other.py", BRANCH)
    assert nst("check", "--write-baseline", cwd=folder).returncode == 0
    write_source(folder, "ops.py", PURE)
    (folder / "other.py").unlink()
    done = nst("check", cwd=folder)
    assert done.returncode == 0
    assert done.stderr == snapshot("""\
nst: .nst-baseline.json: 2 known findings do not occur any more; `nst check --prune-baseline` takes them out
  ops.py: NST101 in f: x.mean() > 0
  other.py: NST101 in f: x.mean() > 0
""")
    gone = check_json(cwd=folder)["baseline"]["gone"]
    assert [(one["path"], one["code"], one["count"]) for one in gone] == [
        ("ops.py", "NST101", 1),
        ("other.py", "NST101", 1),
    ]
    done = nst("check", "--prune-baseline", cwd=folder)
    assert done.stderr == "nst: .nst-baseline.json: 0 findings are known (0 added, 2 taken out)\n"
    assert read(folder / DEFAULT_NAME).known == {}


def test_a_finding_that_became_worse_fails(folder: Path):
    write_source(folder, "ops.py", BRANCH)
    mild = Entry("ops.py", "f", "NST101", "x.mean() > 0", Severity.INFORMATION)
    write(folder / DEFAULT_NAME, Baseline((".",), {mild: 1}))
    done = nst("check", cwd=folder)
    assert done.returncode == 1
    assert done.stderr == snapshot("""\
nst: .nst-baseline.json: 1 known finding became worse
  ops.py: NST101 in f: x.mean() > 0 (information → warning)
""")


def test_the_setting_names_the_file(folder: Path):
    (folder / "pyproject.toml").write_text('[tool.nst]\nbaseline = "ci/known.json"\n')
    write_source(folder, "ops.py", BRANCH)
    done = nst("check", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "ci/known.json: there is no such baseline; `nst check --write-baseline` makes it" in done.stderr
    assert nst("check", "--write-baseline", cwd=folder).returncode == 0
    assert [entry.path for entry in read(folder / "ci" / "known.json").known] == ["../ops.py"]
    assert nst("check", cwd=folder).returncode == 0
    assert nst("check", "--baseline", "none.json", cwd=folder).returncode == 2


def test_a_file_that_cannot_be_checked_fails_all_the_same(folder: Path):
    write_source(folder, "broken.py", PURE + "\n\ndef g(:\n    pass\n")
    write_source(folder, "ops.py", BRANCH)
    done = nst("check", "--write-baseline", cwd=folder)
    assert done.returncode == 1
    assert "error[NST503]" in done.stdout
    assert [entry.path for entry in read(folder / DEFAULT_NAME).known] == ["ops.py"]


def test_a_broken_baseline_stops_before_anything_runs(folder: Path):
    write_source(folder, "ops.py", BRANCH)
    (folder / DEFAULT_NAME).write_text('{"schema": 1, "findings": [\n{"path": 3},\nnull]}')
    done = nst("check", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f'nst: {folder / DEFAULT_NAME}:2: "path" is not a text\n'


@pytest.mark.parametrize(
    "options",
    [
        ("--write-baseline", "--prune-baseline"),
        ("--no-baseline", "--baseline", "a.json"),
        ("--watch", "--write-baseline"),
    ],
)
def test_options_that_do_not_go_together(options: tuple[str, ...], folder: Path):
    done = nst("check", *options, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr
