"""Annotated code in an editor: traced without an example line, and asked about where a rank is open."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp

from tests.server.editor import editor

TOLD = """\
import numpy as np
from jaxtyping import Float


def f(x: Float[np.ndarray, "b 4"]):
    if x.shape[0] > 2:
        return x * 2
    return x


def g(x: Float[np.ndarray, "n"], k: int):
    return x * 3
"""
OPEN = """\
import numpy as np
from numpy.typing import NDArray

open({ran!r}, "w").close()


class Layer:
    @staticmethod
    def blur(image: NDArray[np.float32]):
        return image * 2
"""
FOUND = [("NST102", "x.shape[0] > 2")]


def edits(found: list[lsp.CodeAction | lsp.Command]) -> dict[str, lsp.TextEdit]:
    """The one edit of each action that has some, by title."""
    made = {}
    for one in found:
        if isinstance(one, lsp.CodeAction) and one.edit is not None and one.edit.changes:
            ((edit,),) = one.edit.changes.values()
            made[one.title] = edit
    return made


@pytest.mark.parametrize("kind", ["visual-studio-code", "neovim@0.11"])
async def test_a_question_answered_writes_the_example(kind, tmp_path):
    source = OPEN.format(ran=str(tmp_path / "ran"))
    async with editor(tmp_path, kind, allow=["write"]) as it:
        async with it.settled():
            it.open("model.py", source)
        assert not (tmp_path / "ran").exists()  # without an example nothing is run
        assert await it.titles("model.py") == []
        offered = edits(await it.actions("model.py", "def blur"))
        assert list(offered) == [
            "Trace Layer.blur with image of 1 dimension",
            "Trace Layer.blur with image of 2 dimensions",
            "Trace Layer.blur with image of 3 dimensions",
        ]
        edit = offered["Trace Layer.blur with image of 2 dimensions"]
        assert edit.range == lsp.Range(lsp.Position(7, 0), lsp.Position(7, 0))
        async with it.settled():
            it.edit("model.py", "    @static", f"{edit.new_text}    @static")
            it.save("model.py")
        assert '    # nst: example(spec((3, 5), "float32"))\n    @staticmethod\n' in it.texts["model.py"]
        assert (10, "graph: 1 operation") in await it.titles("model.py")
        assert "float32[3, 5]" in await it.hover("model.py", "def b|lur")
        assert edits(await it.actions("model.py", "def blur")) == {}


async def test_told_shapes_need_no_example(tmp_path):
    async with editor(tmp_path) as it:
        async with it.settled():
            it.open("model.py", TOLD)
        assert it.told("model.py") == FOUND
        ((line, title), *_) = await it.titles("model.py")
        assert line == 5
        assert title.startswith("graph: 1 operation")
        (written,) = edits(await it.actions("model.py", "def f")).items()
        assert written[0] == "Write the example of f as a comment"
        assert written[1].new_text == '# nst: example(spec("b 4", b=3))\n'
        (filled,) = edits(await it.actions("model.py", "def g")).items()
        assert (filled[0], filled[1].new_text) == (
            "Write an example of g",
            '# nst: example(spec("n", n=3), 2)\n',
        )
        async with it.settled():
            it.edit("model.py", "def f", f"{written[1].new_text}def f")
            it.edit("model.py", "def g", f"{filled[1].new_text}def g")
            it.save("model.py")
        assert it.told("model.py") == FOUND
        assert [line for line, title in await it.titles("model.py") if "graph" in title] == [6, 13]


async def test_ranks_come_with_the_settings(tmp_path):
    async with editor(tmp_path, ranks={"image": 3}) as it:
        async with it.settled():
            it.open("model.py", OPEN.format(ran=str(tmp_path / "ran")))
        assert [title for _, title in await it.titles("model.py")] == ["graph: 1 operation"]
        assert "float32[3, 5, 7]" in await it.hover("model.py", "def b|lur")
        async with it.settled():
            it.configure(ranks={"image": -1})
        assert [message for message in it.shown() if "`image` is -1" in message]
        assert await it.titles("model.py") == []
