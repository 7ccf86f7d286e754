"""Settings from both sides, and what is said of wrong ones."""

from __future__ import annotations

import pytest

from nst_lsp import settings
from nst_lsp.analysis.selection import selected
from nst_lsp.configuration import Configuration, section
from nst_lsp.settings import Settings
from tests.server.messages import finding
from tracer.rules import Severity


def test_without_settings_there_are_the_defaults():
    assert settings.read({}, {}) == (Settings(), [])


def test_keys_may_be_written_in_each_style():
    for key in ("extraPaths", "extra-paths", "extra_paths"):
        assert settings.read({key: ["src"]}, {}) == (Settings(extra_paths=("src",)), [])


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"modus": "real"}, "unknown setting `modus`; did you mean `mode`?"),
        ({"memory": 3}, "unknown setting `memory`"),
        ({"mode": "fast"}, "`mode` must be one of symbolic, fake, real, not 'fast'"),
        ({"timeout": 0}, "`timeout` must be a number of seconds above 0"),
        ({"timeout": True}, "`timeout` must be a number of seconds"),
        ({"verify": "yes"}, "`verify` must be true or false, not 'yes'"),
        ({"memoryLimit": "much"}, "`memoryLimit` must be a number of bytes"),
        ({"select": ["NST9"]}, "no rule is called NST9"),
        ({"severity": {"NST101": "fatal"}}, "`severity` must be a table from rules to error, warning"),
        ({"per-file-ignores": ["NST101"]}, "`per-file-ignores` must be a table from globs"),
        ({"exclude": "tests"}, "`exclude` must be a list of texts"),
        ({"ranks": 2}, "`ranks` must be a table from parameters"),
        ({"ranks": {"x": -1}}, "to numbers of dimensions (`x` is -1)"),
        ({"ranks": {"x": True}}, "(`x` is True)"),
        ({"ranks": {"x": 33}}, "(`x` is 33)"),
        ({"ranks": {"f.": 2}}, "(`f.` is the name of no parameter)"),
        ({"ranks": {"f": {"x": "2"}}}, "(`f.x` is '2')"),
    ],
)
def test_what_is_wrong_is_said_by_name_and_left_out(table, said):
    found, problems = settings.read(table, {})
    assert found == Settings()
    assert len(problems) == 1
    assert said in problems[0]


def test_ranks_may_be_tables_in_a_table():
    """As TOML reads `f.x = 3` and `Layer.forward.x = 0` without quotes."""
    found, problems = settings.read({"ranks": {"*": 2, "f": {"x": 3}, "Layer": {"forward": {"x": 0}}}}, {})
    assert (found.ranks, problems) == ({"*": 2, "f.x": 3, "Layer.forward.x": 0}, [])


def test_one_wrong_setting_does_not_spoil_the_others():
    found, problems = settings.read({"mode": "fast", "timeout": 3, "memory-limit": "2 GB"}, {})
    assert (found.mode, found.timeout, found.memory_limit, len(problems)) == ("symbolic", 3.0, 2 * 2**30, 1)


def test_the_project_wins_about_the_project_and_the_editor_about_the_editor():
    project = {"mode": "real", "trigger": "manual", "python": "a"}
    found, _ = settings.read(project, {"mode": "fake", "trigger": "change", "python": "b", "timeout": 2})
    assert (found.mode, found.trigger, found.python, found.timeout) == ("real", "change", "b", 2.0)


def test_null_of_the_editor_is_not_set_and_its_own_settings_are_not_ours():
    found, problems = settings.read({"python": "a"}, {"python": None, "trace": {"server": "off"}, "mode": None})
    assert (found, problems) == (Settings(python="a"), [])


def test_a_project_cannot_declare_itself_trusted():
    found, problems = settings.read({"trusted": True}, {"trusted": False})
    assert not found.trusted
    assert "trusted" in problems[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [("[tool.nst\n", "pyproject.toml"), ("[tool]\nnst = 3\n", "must be a table"), ("tool = 3\n", "pyproject")],
)
def test_a_broken_pyproject_is_reported(tmp_path, text, said):
    (tmp_path / "pyproject.toml").write_text(text)
    table, problems = settings.read_project(tmp_path)
    assert table == {}
    assert said in problems[0]


@pytest.mark.parametrize(
    "given", [{"mode": "real"}, {"nst": {"mode": "real"}}, {"settings": {"nst": {"mode": "real"}}}]
)
def test_clients_wrap_settings_each_in_their_way(given):
    assert section(given) == {"mode": "real"}
    assert section([]) == {}  # Lua's empty table
    assert section(None) == {}


async def test_problems_are_told_once_and_again_when_they_come_back(tmp_path):
    configuration = Configuration({"mood": 1})
    assert len(configuration.settings(str(tmp_path))[1]) == 1
    assert configuration.settings(str(tmp_path))[1] == []
    configuration.set_editor({"": {"mood": None}})
    assert configuration.settings(str(tmp_path)) == (Settings(), [])
    configuration.set_editor({"": {"mood": 1}})
    assert len(configuration.settings(str(tmp_path))[1]) == 1


async def test_a_folder_has_its_own_settings(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    configuration = Configuration({"timeout": 1}, (str(one), str(two)))
    configuration.set_editor({"": {"mode": "fake"}, str(two): {"mode": "real"}})
    assert configuration.settings(str(one))[0] == Settings(mode="fake", timeout=1.0)
    assert configuration.settings(str(two / "inner"))[0] == Settings(mode="real", timeout=1.0)


SOURCE = "y = x + bias\n"


def reported(path="/project/a.py", **given):
    from dataclasses import replace

    found = finding(SOURCE, "NST204", "bias")
    found = replace(found, place=replace(found.place, path=path))
    return selected([found], settings.read(given, {})[0], "/project")


@pytest.mark.parametrize("rule", ["NST204", "NST2", "captured-array"])
def test_rules_are_selected_and_ignored_by_code_beginning_or_name(rule):
    assert reported(select=[rule])
    assert not reported(select=["NST101"])
    assert not reported(ignore=[rule])
    assert not reported(select=[rule], ignore=[rule])
    assert not reported(severity={rule: "off"})
    assert reported(severity={rule: "error"})[0].severity is Severity.ERROR


def test_the_most_exact_severity_wins():
    assert reported(severity={"NST2": "error", "NST204": "hint", "NST": "off"})[0].severity is Severity.HINT
    assert reported(severity={"captured-array": "error", "NST204": "hint"})[0].severity is Severity.ERROR


@pytest.mark.parametrize(
    ("glob", "path", "meant"),
    [
        ("tests", "/project/tests/a.py", True),
        ("tests/*", "/project/tests/deep/a.py", True),
        ("**/gen.py", "/project/gen.py", True),
        ("*.gen.py", "/project/x/a.gen.py", True),
        ("tests", "/project/src/a.py", False),
        ("a.py", "/elsewhere/a.py", True),
    ],
)
def test_rules_are_ignored_by_file(glob, path, meant):
    assert bool(reported(path, **{"per-file-ignores": {glob: ["NST204"]}})) != meant
