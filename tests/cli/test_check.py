"""`nst check` against a real worker: what it says, what its exit code is, and what bad input gives."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from tests.cli.command import NST, check_json, nst
from tests.cli.sarif import assert_is_sarif

BRANCH = """\
import numpy as np


# nst: example(np.array([1.0, 2.0]))
def f(x):
    if x.mean() > 0:
        return x * 2
    return -x
"""
PURE = """\
import numpy as np


# nst: example(np.array([1.0, 2.0]))
def f(x):
    return x * 2
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of its own, so that nothing above it has a say."""
    (tmp_path / "pyproject.toml").write_text("[tool.nst]\n")
    return tmp_path


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def found(document: dict[str, Any]) -> list[tuple[str, str, str]]:
    """File, code and text of each finding but hints."""
    return [
        (Path(entry["path"]).name, finding["code"], finding["text"])
        for entry in document["files"]
        for finding in entry["findings"]
        if finding["severity"] != "hint"
    ]


# ---- exit codes ------------------------------------------------------------------------------------


def test_clean(folder: Path):
    write(folder, "pure.py", PURE)
    done = nst("check", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"no findings in 1 function, \d+\.\d s\n", done.stdout)


@pytest.mark.parametrize(("level", "code"), [("error", 1), ("warning", 1), ("information", 1), ("never", 0)])
def test_an_error_fails_at_every_level_but_never(level: str, code: int, folder: Path):
    write(folder, "bad.py", PURE.replace("x * 2", "x[5]"))
    assert nst("check", "--fail-on", level, cwd=folder).returncode == code


@pytest.mark.parametrize(("level", "code"), [("error", 0), ("warning", 0), ("information", 1)])
def test_information_fails_only_where_asked(level: str, code: int, folder: Path):
    write(folder, "prints.py", PURE.replace("    return", "    print(x)\n    return"))
    assert nst("check", "--fail-on", level, cwd=folder).returncode == code


def test_no_file_has_an_example(folder: Path):
    write(folder, "plain.py", "x = 1\n")
    done = nst("check", "plain.py", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("no examples found in 1 file")
    assert check_json("plain.py", cwd=folder)["files"] == [
        {"path": str(folder / "plain.py"), "error": None, "functions": [], "findings": []}
    ]


# ---- what is said ----------------------------------------------------------------------------------


def test_text_underlines_the_expression(folder: Path):
    write(folder, "ops.py", BRANCH)
    lines = nst("check", "--no-verify", cwd=folder).stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if "NST101" in line)
    assert "--> ops.py:6:8" in lines[at + 1]
    assert lines[at + 3 : at + 5] == [
        "6 |     if x.mean() > 0:",
        "  |        ^^^^^^^^^^^^ True",
    ]
    assert lines[-1].startswith("1 finding (1 ")


def test_json_gives_functions_examples_and_findings(folder: Path):
    path = write(folder, "ops.py", BRANCH)
    document = check_json("ops.py", cwd=folder)
    assert (document["schema"], [entry["path"] for entry in document["files"]]) == (1, [str(path)])
    [entry] = document["files"]
    [function] = entry["functions"]
    [example] = function["examples"]
    assert (function["name"], function["line"]) == ("f", 5)
    assert (example["index"], example["source"], example["origin"], example["status"]) == snapshot(
        (0, "np.array([1.0, 2.0])", "comment", "traced")
    )
    [finding] = [finding for finding in entry["findings"] if finding["severity"] != "hint"]
    assert (finding["function"], finding["example"], finding["value"], finding["count"]) == ("f", 0, "True", 1)
    assert finding["range"] == {"start": {"line": 6, "column": 8}, "end": {"line": 6, "column": 20}}


def test_two_runs_say_the_same_but_for_times(folder: Path):
    for number in range(4):
        write(folder, f"case_{number}.py", BRANCH + f"\nseed_{number} = {number}\n")

    def without_times(document: dict[str, Any]) -> str:
        return re.sub(r'"milliseconds": [\d.e-]+', "", json.dumps(document))

    assert without_times(check_json("--jobs", "4", cwd=folder)) == without_times(check_json("--jobs", "1", cwd=folder))


def test_a_fault_of_a_helper_stands_in_the_helper_once(folder: Path):
    write(folder, "pkg/__init__.py", "")
    write(folder, "pkg/helper.py", "def halve(x):\n    print(x)\n    return x / 2\n")
    using = PURE.replace("x * 2", "halve(x)").replace("\n\n\n", "\nfrom pkg.helper import halve\n\n\n")
    write(folder, "pkg/first.py", using)
    write(folder, "pkg/second.py", using)
    document = check_json("pkg/first.py", "pkg/second.py", cwd=folder)
    assert found(document) == [("helper.py", "NST301", "print(x)")]
    assert {Path(entry["path"]).name: len(entry["functions"]) for entry in document["files"]} == {
        "first.py": 1,
        "helper.py": 0,
        "second.py": 1,
    }


def test_columns_are_characters(folder: Path):
    write(
        folder,
        "ops.py",
        PURE.replace("return x * 2", 'return {"🎉é数": x}["🎉é数"] * größe').replace("\n\n\n", "\n\ngröße = 2.0\n\n"),
    )
    [finding] = [one for one in check_json(cwd=folder)["files"][0]["findings"] if one["code"] == "NST205"]
    assert (finding["text"], finding["range"]["start"]["column"]) == ("größe", 32)
    lines = nst("check", cwd=folder).stdout.splitlines()
    marked = next(line for line in lines if "^^^^^" in line)
    code = lines[lines.index(marked) - 1]
    assert marked.index("^") == code.index("größe") + 4  # four characters before it are two cells wide


def test_select_and_ignore(folder: Path):
    both = BRANCH.replace("    if", "    print(x)\n    if")
    write(folder, "ops.py", both)
    assert [code for _, code, _ in found(check_json(cwd=folder))] == ["NST301", "NST101"]
    assert [code for _, code, _ in found(check_json("--select", "NST1", cwd=folder))] == ["NST101"]
    assert [code for _, code, _ in found(check_json("--ignore", "NST1,NST2", cwd=folder))] == ["NST301"]


def test_a_comment_silences_a_line(folder: Path):
    write(folder, "ops.py", BRANCH.replace("> 0:", "> 0:  # nst: ignore[NST101]"))
    assert found(check_json(cwd=folder)) == []


@pytest.mark.parametrize("mode", ["real", "symbolic"])
def test_modes(mode: str, folder: Path):
    write(folder, "ops.py", BRANCH)
    assert found(check_json("--mode", mode, cwd=folder)) == [("ops.py", "NST101", "x.mean() > 0")]


def test_github_and_sarif(folder: Path):
    write(folder, "ops.py", BRANCH)
    annotation = nst("check", "--format", "github", cwd=folder).stdout
    assert re.match(r"::\w+ file=ops.py,line=6,endLine=6,col=8,endColumn=20,title=NST101 branch-on-value::", annotation)
    log = json.loads(nst("check", "--format", "sarif", cwd=folder).stdout)
    assert_is_sarif(log)
    assert [result["ruleId"] for result in log["runs"][0]["results"] if result["level"] != "none"][:1] == ["NST101"]


# ---- bad input -------------------------------------------------------------------------------------


def test_a_syntax_error(folder: Path):
    write(folder, "broken.py", PURE + "\n\ndef g(:\n    pass\n")
    write(folder, "good.py", PURE)
    done = nst("check", cwd=folder)
    assert done.returncode == 1
    assert "error[NST503]" in done.stdout
    assert "--> broken.py:9:7" in done.stdout
    assert "in 0 of 1 function" in done.stdout


def test_a_missing_import(folder: Path):
    write(folder, "ops.py", PURE.replace("import numpy as np", "import numpy as np\nimport nobody_has_this"))
    [entry] = check_json(cwd=folder)["files"]
    [finding] = entry["findings"]
    assert (finding["code"], finding["severity"], finding["range"]["start"]["line"]) == ("NST503", "error", 2)
    assert "nobody_has_this" in finding["message"]


def test_a_broken_example(folder: Path):
    write(folder, "ops.py", PURE.replace("np.array([1.0, 2.0])", "np.arrray([1.0, 2.0])"))
    [entry] = check_json(cwd=folder)["files"]
    [finding] = entry["findings"]
    assert (finding["code"], finding["severity"], finding["range"]["start"]["line"]) == ("NST502", "error", 4)
    assert "arrray" in finding["message"]


def test_a_broken_example_in_a_docstring(folder: Path):
    doctest = PURE.replace("# nst: example(np.array([1.0, 2.0]))\n", "").replace(
        "    return", '    """Double.\n\n    >>> f(np.onse(3))\n    """\n    return'
    )
    write(folder, "ops.py", doctest)
    [finding] = check_json(cwd=folder)["files"][0]["findings"]
    assert (finding["code"], finding["range"]["start"]["line"]) == ("NST502", 7)


def test_an_endless_loop_ends(folder: Path):
    (folder / "pyproject.toml").write_text("[tool.nst]\ntimeout = 1\n")
    write(
        folder,
        "ops.py",
        PURE.replace("    return", "    while True:\n        pass\n    return") + PURE.replace("f(x)", "g(x)"),
    )
    document = check_json("--no-verify", cwd=folder)
    [finding] = [one for one in document["files"][0]["findings"] if one["severity"] == "error"]
    assert (finding["code"], finding["function"]) == ("NST504", "f")
    assert finding["range"]["start"]["line"] in {6, 7}
    assert [function["examples"][0]["status"] for function in document["files"][0]["functions"]] == ["failed", "traced"]


@pytest.mark.parametrize("how", ["option", "setting"])
def test_an_interpreter_that_does_not_exist(how: str, folder: Path):
    write(folder, "ops.py", PURE)
    options = ["--python", "/nowhere/python"] if how == "option" else []
    if how == "setting":
        (folder / "pyproject.toml").write_text('[tool.nst]\npython = "/nowhere/python"\n')
    done = nst("check", *options, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "/nowhere/python" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_setting_is_named_once_and_not_fatal(folder: Path):
    (folder / "pyproject.toml").write_text('[tool.nst]\nmoode = "real"\ntimeout = "long"\n')
    write(folder, "a.py", PURE)
    write(folder, "b.py", PURE)
    done = nst("check", cwd=folder)
    assert done.returncode == 0
    assert done.stderr.count("unknown setting `moode`; did you mean `mode`?") == 1
    assert "`timeout` must be a number of seconds" in done.stderr


def test_excluded_paths_are_not_checked_unless_named(folder: Path):
    (folder / "pyproject.toml").write_text('[tool.nst]\nexclude = ["gen"]\n')
    write(folder, "gen/ops.py", BRANCH)
    write(folder, "ops.py", PURE)
    assert found(check_json(cwd=folder)) == []
    assert len(found(check_json("gen/ops.py", cwd=folder))) == 1


def test_what_the_code_prints_does_not_reach_the_report(folder: Path):
    write(folder, "ops.py", "print('loading')\n" + PURE.replace("    return", "    print('tracing')\n    return"))
    done = nst("check", "--format", "json", cwd=folder)
    json.loads(done.stdout)
    assert "loading" not in done.stderr


def test_a_source_in_another_encoding(folder: Path):
    text = "# -*- coding: latin-1 -*-\n" + BRANCH.replace("> 0:", "> 0 and 'größe':")
    (folder / "ops.py").write_bytes(text.encode("latin-1"))
    assert found(check_json(cwd=folder)) == [("ops.py", "NST101", "x.mean() > 0")]
    assert "7 |     if x.mean() > 0 and 'größe':\n" in nst("check", cwd=folder).stdout


# ---- watching --------------------------------------------------------------------------------------


def test_watch_checks_again_what_changed(folder: Path):
    path = write(folder, "ops.py", BRANCH)
    watching = subprocess.Popen(
        [NST, "check", "--watch", "--python", sys.executable],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert watching.stdout
    try:
        assert summary(watching.stdout).startswith("1 finding ")
        path.write_text(PURE)
        assert summary(watching.stdout).startswith("no findings in 1 function")
        write(folder, "new.py", BRANCH)
        assert summary(watching.stdout).startswith("1 finding ")
    finally:
        watching.terminate()
        watching.wait(timeout=30)


def summary(stream: Any) -> str:
    """The next summary line; the test's own time limit is the pipe's end."""
    for line in stream:
        if re.search(r", \d+\.\d s$", line):
            return str(line)
    raise AssertionError("nst ended")
