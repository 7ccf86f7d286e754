"""What the extension for Visual Studio Code brings beside its code: snippets, a file to begin with, a walkthrough."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from nst_lsp.analysis.actions import actions
from nst_lsp.analysis.syntax import bad_examples, mistakes
from tests.cli.command import check_json
from tests.server.messages import File, span

EXTENSION = Path(__file__).parent.parent / "editors" / "vscode"
MANIFEST = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
TEXTS = json.loads((EXTENSION / "package.nls.json").read_text(encoding="utf-8"))
STEPS = MANIFEST["contributes"]["walkthroughs"][0]["steps"]
SNIPPETS = json.loads((EXTENSION / "snippets" / "python.json").read_text(encoding="utf-8"))
SAMPLE = EXTENSION / "samples" / "first.py"


STOP = re.compile(r"\$\{(\d)(?::([^${}]*)|\|([^,]*)[^}]*\|)\}")


def filled_in(body: str | list[str]) -> str:
    """A snippet as it is when nothing is changed at its stops, which may lie in each other and come again."""
    text = body if isinstance(body, str) else "\n".join(body)
    values = {}
    while found := STOP.search(text):
        values[found[1]] = found[2] if found[2] is not None else found[3]
        text = text.replace(found[0], values[found[1]])
    return re.sub(r"\$(\d)", lambda again: values[again[1]], text)


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_is_something_that_the_server_understands(name):
    text = filled_in(SNIPPETS[name]["body"])
    source = f"import numpy as np\nfrom tracer import example, spec\n\n\n{text}\n"
    source += "" if "def " in text else "def f(n):\n    return n\n"
    assert "$" not in text
    assert not bad_examples(source, "/f.py")
    assert not mistakes(source)


def test_the_file_to_begin_with_shows_what_the_walkthrough_speaks_of(tmp_path):
    (tmp_path / "first.py").write_text(SAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    (checked,) = check_json(tmp_path, cwd=tmp_path)["files"]
    verdicts = {one["name"]: one["examples"][0]["verdict"] for one in checked["functions"]}
    assert verdicts == {"standard": "agrees", "damped": "differs"}
    (finding,) = checked["findings"]
    assert (finding["code"], finding["text"]) == ("NST102", "x.shape[0] > 2")
    assert finding["witness"]
    assert [fix["verified"] for fix in finding["fixes"]] == [True]
    file = File(SAMPLE.read_text(encoding="utf-8"))
    (offer,) = actions(file.view, span(file.source, "def blend"), file.told)
    assert offer.title.startswith("Write an example of blend from the call")


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step["id"])
def test_a_step_of_the_walkthrough_has_its_picture_and_its_commands(step):
    known = {one["command"] for one in MANIFEST["contributes"]["commands"]}
    text = TEXTS[step["description"].strip("%")]
    linked = re.findall(r"\]\(command:([\w.]+)\)", text)
    assert linked
    assert known.issuperset(linked)
    assert any(f"onCommand:{one}" in step["completionEvents"] for one in linked)
    assert (EXTENSION / step["media"]["svg"]).is_file()
    assert TEXTS[step["media"]["altText"].strip("%")]


def test_the_readme_names_every_setting_and_every_command():
    readme = (EXTENSION / "README.md").read_text(encoding="utf-8")
    settings = [key for group in MANIFEST["contributes"]["configuration"] for key in group["properties"]]
    assert not [key for key in settings if f"`{key}`" not in readme]
    titles = [TEXTS[one["title"].strip("%")].removesuffix(" …") for one in MANIFEST["contributes"]["commands"]]
    assert not [title for title in titles if f"**{title}**" not in readme]
