"""Each code action is applied to the text, and the real server says whether it did what its title says."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp

from tests.server.editor import Editor, editor

FINDINGS = """\
import numpy as np

bias = np.array([1.0, 2.0, 3.0])


# nst: example(np.ones(3), True, 2.0)
@np.errstate(all="ignore")
def f(x, training, scale):
    if training:
        return (x *
            scale)  # noqa: E501
    return x + bias


def g(x):
    return x + 1


def plain(x=np.ones(4), k=2):
    return x * k


if __name__ == "__main__":
    data = np.arange(5.0)
    print(g(data))
"""
TEST = """\
import numpy as xp
from model import g


def test_g():
    x = xp.full(6, 0.5)
    assert g(x).sum() > 0
"""


async def chosen(it: Editor, name: str, part: str, title: str) -> lsp.TextEdit:
    """The edit of one action, which the server is asked for where it comes later."""
    (action,) = [one for one in await it.actions(name, part) if one.title == title]
    assert isinstance(action, lsp.CodeAction)
    if action.edit is None:
        assert action.data is not None
        action = await it.client.code_action_resolve_async(action)
    assert action.edit is not None
    assert action.edit.changes is not None
    ((uri, (edit,)),) = action.edit.changes.items()
    assert uri == it.uri(name)
    return edit


async def choose(it: Editor, name: str, part: str, title: str) -> None:
    """Apply the edit of an action, save, and wait for the results."""
    edit = await chosen(it, name, part, title)
    async with it.settled():
        it.apply(name, edit)
        it.save(name)


async def titles(it: Editor, name: str, part: str, only: list[str] | None = None) -> list[str]:
    return [one.title for one in await it.actions(name, part, only)]


async def test_what_answers_a_finding_answers_it(tmp_path):
    end = "\r\n"
    async with editor(tmp_path, verify=False) as it:
        async with it.settled():
            it.open("model.py", FINDINGS.replace("\n", end))
        assert it.told("model.py") == [("NST103", "training"), ("NST202", "scale")]
        assert await titles(it, "model.py", "scale)  #", ["quickfix"]) == ["Make scale static", "Silence NST202 here"]
        assert await titles(it, "model.py", "def plain", ["refactor"]) == ["Write an example of plain"]
        assert await titles(it, "model.py", "def plain", ["source.fixAll"]) == []
        await choose(it, "model.py", "training:", "Make training static")
        assert f"# nst: static(training){end}@np.errstate" in it.texts["model.py"]
        assert it.told("model.py") == [("NST202", "scale")]
        await choose(it, "model.py", "scale)  #", "Silence NST202 here")
        assert "scale)  # noqa: E501  # nst: ignore[NST202]" in it.texts["model.py"]
        assert it.told("model.py") == []


async def test_an_argument_joins_those_that_are_static(tmp_path):
    async with editor(tmp_path, verify=False) as it:
        async with it.settled():
            it.open("model.py", FINDINGS.replace("@np", "# nst: static(training)\n@np"))
        assert it.told("model.py") == [("NST202", "scale")]
        await choose(it, "model.py", "scale)  #", "Make scale static")
        assert "# nst: static(training, scale)\n" in it.texts["model.py"]
        assert it.told("model.py") == []


async def test_a_witness_becomes_an_example_and_a_verified_fix_mends_both(tmp_path):
    source = "import numpy as np\n\n\n# nst: example(np.ones(3))\ndef f(x, k=1):\n    return x if x.sum() > 2 else -x\n"
    async with editor(tmp_path) as it:
        async with it.settled():
            it.open("model.py", source)
        assert it.told("model.py") == [("NST101", "x.sum() > 2")]
        await choose(it, "model.py", "x.sum() > 2", "Add the witness as an example of f")
        assert [title for _, title in await it.titles("model.py")][-1] == "example 1 of 2"
        assert "Show example 2 of 2" in await titles(it, "model.py", "def f")
        assert not any("witness" in one for one in await titles(it, "model.py", "x.sum() > 2"))
        (fix,) = [one for one in await it.actions("model.py", "x.sum() > 2") if getattr(one, "is_preferred", False)]
        await choose(it, "model.py", "x.sum() > 2", fix.title)
        assert "np.where(" in it.texts["model.py"]
        assert "NST101" not in dict(it.told("model.py"))


@pytest.mark.parametrize("kind", ["visual-studio-code", "neovim@0.11"])
async def test_examples_come_from_defaults_and_from_calls(kind, tmp_path):
    async with editor(tmp_path, kind, verify=False) as it:
        it.write("tests/test_model.py", TEST)
        async with it.settled():
            it.open("model.py", FINDINGS)
        assert "Write an example of plain" in await titles(it, "model.py", "def plain")
        expected = [f"Write an example of g from the call in {at}" for at in ("model.py:25", "test_model.py:7")]
        assert await titles(it, "model.py", "def g") == expected
        await choose(it, "model.py", "def plain", "Write an example of plain")
        await choose(it, "model.py", "def g", expected[1])
        assert "\n# nst: example(np.full(6, 0.5))\ndef g" in it.texts["model.py"]
        assert "\n# nst: example(np.ones(4), 2)\ndef plain" in it.texts["model.py"]
        assert "float64[6]" in await it.hover("model.py", "def |g")
        assert "float64[4]" in await it.hover("model.py", "def p|lain")
        assert not any("Write" in one for one in await titles(it, "model.py", "def g"))


async def test_a_file_that_was_never_traced_has_its_calls_and_its_unsaved_tests(tmp_path):
    async with editor(tmp_path, verify=False) as it:
        it.write("test_model.py", TEST)
        async with it.settled():
            it.open("model.py", "import numpy as np\n\n\ndef g(x):\n    return x + 1\n")
        async with it.settled():
            it.open("test_model.py")
        it.edit("test_model.py", "6, 0.5", "7, 1.5")
        await choose(it, "model.py", "def g", "Write an example of g from the call in test_model.py:7")
        assert "# nst: example(np.full(7, 1.5))\ndef g" in it.texts["model.py"]
        assert "float64[7]" in await it.hover("model.py", "def |g")
