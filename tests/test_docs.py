"""The rule pages: one for every rule, each with the same sections and with examples that are true.

A Python block of a page is a whole module.  Where it has an example, the real `nst check` must give
exactly the marks written under its lines (`#  ^^^ NST102` for a range, `#  ~ NST102` for a line):
nothing missing and nothing else.  A page that says *Not reported yet* must be telling the truth too.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from nst_lsp.settings import Settings
from tests.cli.command import check_json, nst
from tests.marks import Report, marks, problems, with_marks
from tracer.rules import RULES

ROOT = Path(__file__).parent.parent
PAGES = {page.stem: page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "rules").glob("NST*.md")}
SECTIONS = [
    "Example",
    "Why it is reported",
    "What the graph does",
    "How to fix it",
    "How to silence it",
]
NOT_YET = "*Not reported yet"
BRINGS = {"NST405": "NST601"}
"""A gap of the tracer is noticed twice where the graph is wrong because of it."""


@dataclass(frozen=True, slots=True)
class Block:
    code: str
    """The rule on whose page it stands."""
    section: str
    text: str

    def __str__(self) -> str:
        return f"{self.code}: {self.section}"


def blocks() -> list[Block]:
    found = []
    for code, text in sorted(PAGES.items()):
        for part in text.split("\n## ")[1:]:
            section = part.partition("\n")[0]
            found += [Block(code, section, match[1]) for match in re.finditer(r"```python\n(.*?)```", part, re.DOTALL)]
    return found


BLOCKS = blocks()
TRACED = [block for block in BLOCKS if "# nst: example" in block.text]


def test_every_rule_has_a_page_and_every_page_a_rule():
    assert set(PAGES) == set(RULES)


@pytest.mark.parametrize("code", RULES)
def test_a_page_has_its_title_and_all_sections(code):
    lines = PAGES[code].splitlines()
    assert lines[0] == f"# {code} {RULES[code].name}"
    assert [line[3:] for line in lines if line.startswith("## ")] == SECTIONS
    examples = [block for block in BLOCKS if block.code == code and block.section == "Example"]
    assert len(examples) == 1
    shown = [mark.codes for mark in marks(examples[0].text)]
    assert shown == [{code}], "a page's example shows its own rule and no other"


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_the_index_lists_the_rule(rule):
    index = (ROOT / "docs" / "rules" / "README.md").read_text(encoding="utf-8")
    assert f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.summary} |" in index


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_every_python_block_parses(block):
    ast.parse(block.text)


@pytest.fixture(scope="module")
def findings(tmp_path_factory) -> dict[Block, list[Report]]:
    """What one run of the real command says about every traced block."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "pyproject.toml").write_text("[tool.nst]\ntimeout = 2\n")
    files = {folder / f"{block.code.lower()}_{number}.py": block for number, block in enumerate(TRACED)}
    for path, block in files.items():
        path.write_text(block.text, encoding="utf-8")
    document = check_json(folder, cwd=folder)
    assert [entry["path"] for entry in document["files"] if entry["error"]] == []
    return {files[folder / entry["path"]]: entry["findings"] for entry in document["files"]}


@pytest.mark.parametrize("block", TRACED, ids=str)
def test_an_example_gives_exactly_its_marks(block, findings):
    found = [finding for finding in findings[block] if finding["code"] != BRINGS.get(block.code)]
    if NOT_YET in PAGES[block.code] and block.section == "Example":
        assert block.code not in [finding["code"] for finding in found], "it is reported now: take the note off"
        return
    wrong = problems(marks(block.text), found, lambda: False)
    assert not wrong, "\n".join([*wrong, "", "the marks it got:", with_marks(block.text, found)])


def test_the_readme_has_every_setting():
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Settings")[2].partition("\n## ")[0]
    named = {name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    by_extensions = {"pythonFrom"}
    assert named | by_extensions == {re.sub(r"_(\w)", lambda m: m[1].upper(), field.name) for field in fields(Settings)}


def test_the_graph_in_the_readme_is_the_real_one():
    shown = (ROOT / "README.md").read_text(encoding="utf-8").partition("# nst graph ")[2].partition("```")[0]
    where, _, code = shown.partition("\n")
    assert code == nst("graph", where, cwd=ROOT).stdout


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/rules/README.md"])
def test_links_lead_somewhere(page):
    source = ROOT / page
    links = re.findall(r"\]\(([^)#:\s]+)[^)]*\)", source.read_text(encoding="utf-8"))
    assert not [link for link in links if not (source.parent / link).exists()]


def dependencies() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [name for extra in project["optional-dependencies"].values() for name in extra]
    extension = json.loads((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))
    python = [re.split(r"[<>=!~;\[ ]", requirement)[0] for requirement in [*project["dependencies"], *extras]]
    return [*python, *extension["dependencies"], *extension["devDependencies"]]


@pytest.mark.parametrize("name", sorted(set(dependencies())))
def test_a_dependency_has_its_reason(name):
    rows = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Why each dependency")[2]
    assert re.search(rf"^\|[^|]*(?<![\w/-]){re.escape(name)}(?![\w-])[^|]*\|", rows, re.MULTILINE)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_modules_that_are_named_exist(page):
    named = set(re.findall(r"`([\w/]+\.py)`", (ROOT / page).read_text(encoding="utf-8")))
    folders = ("tracer", "nst_lsp", "tests", "docs", "editors/vscode/bundle")
    sources = [str(path) for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert not [name for name in named if not any(path.endswith(f"/{name}") for path in sources)]
